import type { Address } from '#contract/shapes/order-structs.ts'
import type { EntryDraft, EntryForm, EntryPackage, EntryService, EntrySubject } from '#contract/studio/order-entry.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { type NodeCrop, type PaperPayment, requiredImageKinds, textsToEnter } from '#domain/orders/paper-order.ts'
import { type Cents, toCents } from '#domain/pricing/money.ts'

export type EntryFormLine = {
  id: string
  subject: EntrySubject
  packageId: number
  quantity: number
  /** The image for all image nodes except group nodes. */
  imageId: number | null
  /** The image for group nodes. */
  groupImageId?: number | null
  /** Texts by node id. */
  texts: Record<string, string>
  /** Crops of the images. An image without one is cropped around its centre. */
  crops?: readonly NodeCrop[]
}

/** Values of an order form. `entryKey` identifies the order, so that a retry does not enter it twice. */
export type EntryFormValues = {
  entryKey: string
  orderMethod: OrderMethod
  lines: EntryFormLine[]
  services: EntryService[]
  customer: EntryDraft['customer']
  address: Address
  /** Code of the shipping option; null if the order is shipped to the studio. */
  shippingOption: string | null
  promoCode: string
  payment: { method: PaperPayment; received: string; checkNumber: string }
}

const emptyAddress: Address = { firstName: '', lastName: '', address1: '', address2: '', city: '', state: '', zip: '' }

/** An empty form with the job's defaults. */
export const emptyEntryForm = (
  { delivery, hasImages, shippingOptions }: EntryForm,
  entryKey: string,
): EntryFormValues => ({
  entryKey,
  orderMethod: hasImages ? 'gallery' : 'prepay',
  lines: [],
  services: [],
  customer: { firstName: '', lastName: '', email: '', phone: '' },
  address: emptyAddress,
  shippingOption: delivery.batch ? null : (shippingOptions[0]?.code ?? null),
  promoCode: '',
  payment: { method: 'cash', received: '', checkNumber: '' },
})

/** The packages available for an order method. */
export const packagesForMethod = ({ packages }: EntryForm, orderMethod: OrderMethod): EntryPackage[] =>
  packages.filter((entryPackage) => entryPackage[orderMethod])

/** The images that a new line starts with: for each kind that the package requires, the subject's image if there is exactly one. */
export const defaultImages = (
  { images }: EntrySubject,
  { package: packageDefinition }: EntryPackage,
): { imageId: number | null; groupImageId: number | null } => {
  const onlyImage = (isGroup: boolean, isRequired: boolean): number | null => {
    const candidates = images.filter((image) => image.isGroup === isGroup)
    return isRequired && candidates.length === 1 ? (candidates[0]?.imageId ?? null) : null
  }
  const { own: needsOwnImage, groups: needsGroupImage } = requiredImageKinds(packageDefinition)
  return { imageId: onlyImage(false, needsOwnImage), groupImageId: onlyImage(true, needsGroupImage) }
}

/** Whether an image that the line's package requires has not been chosen. */
export const isMissingImage = (
  { imageId, groupImageId = null }: EntryFormLine,
  { package: packageDefinition }: EntryPackage,
): boolean => {
  const { own: needsOwnImage, groups: needsGroupImage } = requiredImageKinds(packageDefinition)
  return (needsOwnImage && imageId === null) || (needsGroupImage && groupImageId === null)
}

/** Text nodes of a line that autofill cannot fill in. */
export const requiredTexts = ({ subject }: EntryFormLine, { package: packageDefinition }: EntryPackage) =>
  textsToEnter(packageDefinition, subject)

const isEmpty = (address: Address): boolean => Object.values(address).every((field) => field.trim() === '')

/** The request body of a form. */
export const entryDraftOf = ({
  orderMethod,
  lines,
  services,
  customer,
  address,
  shippingOption,
  promoCode,
}: EntryFormValues): EntryDraft => ({
  orderMethod,
  lines: lines.map(({ subject, packageId, quantity, imageId, groupImageId = null, texts, crops = [] }) => ({
    subjectId: subject.subjectId,
    packageId,
    quantity,
    ...(orderMethod === 'prepay' ? { imageId: null } : { imageId, groupImageId, crops: [...crops] }),
    texts: Object.entries(texts)
      .filter(([, value]) => value.trim() !== '')
      .map(([nodeId, value]) => ({ nodeId: Number(nodeId), value: value.trim() })),
  })),
  services: services.filter(({ subjectId }) => lines.some(({ subject }) => subject.subjectId === subjectId)),
  customer,
  address: isEmpty(address) ? null : { ...address, firstName: customer.firstName, lastName: customer.lastName },
  shippingOption,
  promoCode,
})

/** Parses an amount (`50`, `$50.00`) into cents; null if it is invalid. */
export const parseCents = (text: string): Cents | null => {
  const normalized = text.replace(/[\s,$]/g, '')
  return /^\d{1,7}(?:\.\d{0,2})?$/.test(normalized) ? toCents(Number(normalized)) : null
}
