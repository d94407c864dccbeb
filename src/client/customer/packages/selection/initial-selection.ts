import type { CustomerJob } from '#contract/customer/discovery-calls.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { JobPreferences } from '#contract/shapes/job-structs.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { mayChoosePose } from '#domain/subjects/year-book-pose.ts'
import { readSelectionDraft } from '../offers/package-selection.ts'

/** Whether prices are shown only once the customer has chosen an image. */
export const hidesPricesBeforePose = ({ pricesBeforePose }: JobPreferences, orderMethod: OrderMethod): boolean =>
  !pricesBeforePose && orderMethod === 'gallery'

type InitialPoseInput = {
  images: readonly Image[]
  /** The image in the URL. */
  imageId: number | null
  savedDraft: unknown
  hidesPrices: boolean
}

/** The initial pose: from the draft if it was saved for this URL, else from the URL, else the first image. */
export const initialPose = ({ images, imageId, savedDraft, hidesPrices }: InitialPoseInput): number | null => {
  const draft = readSelectionDraft(savedDraft)
  const preferred = draft && draft.forImageId === imageId ? draft.imageId : imageId
  if (images.some((image) => image.id === preferred)) return preferred
  return hidesPrices && images.length > 1 ? null : (images[0]?.id ?? null)
}

/** Whether the customer can choose the yearbook image on this screen. Group images do not count (section 4). */
export const canChooseYearBookImage = ({ gallerySettings }: CustomerJob, images: readonly Image[]): boolean =>
  mayChoosePose({
    enabled: gallerySettings.enableYearBookPoseSelection,
    expired: gallerySettings.isYearBookPoseSelectionExpired,
    imageCount: images.filter(({ type }) => type === 'hosted-individual').length,
  })
