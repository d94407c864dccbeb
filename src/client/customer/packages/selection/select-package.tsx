import { lazy, Suspense, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { OrderMethodSwitch } from '#client/customer/shared/job/order-method-switch.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { formatDate } from '#domain/shared/dates.ts'
import type { EarlyButton } from '#platform/early-button.ts'
import { type SelectPackageRoute, urls } from '#platform/urls.ts'
import { whenIdle } from '#platform/when-idle.ts'
import { useAfterPaint } from '#ui/rendering/use-after-paint.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { createPackagePreview } from '../customiser/customised-package.ts'
import {
  emptySelection,
  isAddOn,
  type PackageSelection,
  readSelectionDraft,
  selectedPackages,
  validSelection,
} from '../offers/package-selection.ts'
import type { PackageSubject } from '../package-context.ts'
import { canChooseYearBookImage, hidesPricesBeforePose, initialPose } from './initial-selection.ts'
import { OrderDeadlineNotice } from './order-deadline-notice.tsx'
import { PackageList } from './package-list.tsx'
import { PoseStrip } from './pose-strip.tsx'
import styles from './select-package.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { storeFirstView } from './store-first-view.ts'
import { useFavourites } from './use-favourites.ts'

type SelectPackageProps = {
  route: SelectPackageRoute
  subject: PackageSubject
  images: readonly Image[]
  offeredPackages: readonly Package[]
  cart: Cart
  draft: unknown
  draftKey: string
}

const ImageControls = lazy(async () => ({ default: (await import('./image-controls.tsx')).ImageControls }))
const YearBookPose = lazy(async () => ({ default: (await import('./year-book-pose.tsx')).YearBookPose }))
const YearBookStatus = lazy(async () => ({ default: (await import('./year-book-pose.tsx')).YearBookStatus }))

/** The state of the selection: packages and pose. Each change is saved as a draft. */
const usePackageSelection = ({
  route,
  images,
  offeredPackages,
  cart,
  draft: savedDraft,
  draftKey,
}: SelectPackageProps) => {
  const draft = useDraft(draftKey)
  const { orderMethod, preferences } = useJobContext()
  const hidesPrices = hidesPricesBeforePose(preferences, orderMethod)
  const forImageId = route.imageId ?? null
  const [imageId, setImageId] = useState(() => initialPose({ images, imageId: forImageId, savedDraft, hidesPrices }))
  const [uncheckedSelection, setUncheckedSelection] = useState<PackageSelection>(
    () => readSelectionDraft(savedDraft) ?? emptySelection,
  )
  const selection = useMemo(
    () => validSelection(uncheckedSelection, offeredPackages, cart),
    [uncheckedSelection, offeredPackages, cart],
  )
  const chosenPackages = useMemo(() => selectedPackages(selection, offeredPackages), [selection, offeredPackages])

  const save = ({ standard, addOns }: PackageSelection, chosenImageId: number | null) =>
    draft.save({ v: 1, standard, addOns, imageId: chosenImageId, forImageId })
  /** Selects a standard package; returns what is chosen then. Add-ons that it does not allow are deselected. */
  const selectStandard = (id: number): Package[] => {
    const nextSelection = validSelection({ ...selection, standard: id }, offeredPackages, cart)
    setUncheckedSelection(nextSelection)
    save(nextSelection, imageId)
    return selectedPackages(nextSelection, offeredPackages)
  }
  const choosePose = useEventCallback((id: number) => {
    setImageId(id)
    save(selection, id)
  })
  return { imageId, selection, chosenPackages, hidesPrices, selectStandard, choosePose }
}

type SubjectImagesProps = Pick<SelectPackageProps, 'route' | 'subject' | 'images' | 'cart'> & {
  /** The chosen pose. Its large image is rendered one frame later, as `displayedImage`. */
  imageId: number | null
  displayedImage: Image | null
  onChoose: (imageId: number) => void
}

const imageOrFirst = (images: readonly Image[], id: number | null): Image | null =>
  images.find((image) => image.id === id) ?? images[0] ?? null

/** The subject's name and images, with the choice of the yearbook image if the customer can make it. */
const SubjectImages = ({ route, subject, images, cart, imageId, displayedImage, onChoose }: SubjectImagesProps) => {
  const { orderMethod, closedReason, job } = useJobContext()
  // Actions apply to the chosen image, even before its large image is displayed.
  const chosenImage = imageOrFirst(images, imageId)
  const isYearBookChoice = closedReason === null && canChooseYearBookImage(job, images)
  const yearBookPoseInCart = cart.yearBookPoses.find(({ subjectId }) => subjectId === route.subjectId)
  const yearBookImageId = yearBookPoseInCart?.imageId ?? subject.yearBookImageId ?? null
  const { favouriteIds, toggleFavourite } = useFavourites(route.jobId, route.subjectId)
  return (
    <div className={styles.subject}>
      <h1>
        {subject.firstName} {subject.lastName}
      </h1>
      {/* Before picture day a subject has no images, so their absence is not shown. */}
      {(orderMethod === 'gallery' || displayedImage) && (
        <PoseStrip
          {...{ subject, images, displayedImage, favouriteIds, onChoose }}
          yearBookImageId={isYearBookChoice ? yearBookImageId : null}
          chosenId={imageId}
        >
          {chosenImage && (
            <Suspense>
              <ImageControls
                {...{ images, favouriteIds, onChoose }}
                subjectId={route.subjectId}
                firstName={subject.firstName}
                shown={chosenImage}
                onToggleFavourite={toggleFavourite}
              />
            </Suspense>
          )}
          {isYearBookChoice && chosenImage?.type === 'hosted-individual' && (
            <Suspense>
              <YearBookPose subjectId={route.subjectId} image={chosenImage} chosenImageId={yearBookImageId} />
            </Suspense>
          )}
        </PoseStrip>
      )}
      {isYearBookChoice && (
        <p className={styles.yearBook}>
          <Suspense>
            <YearBookStatus subjectId={route.subjectId} />
          </Suspense>
        </p>
      )}
    </div>
  )
}

export const SelectPackage = (props: SelectPackageProps) => {
  const { route, subject, images, offeredPackages, cart } = props
  const { orderMethod, closedReason, job } = useJobContext()
  const [, navigate] = useLocation()
  const { imageId, selection, chosenPackages, hidesPrices, selectStandard, choosePose } = usePackageSelection(props)
  const packagesHeading = useRef<HTMLHeadingElement>(null)
  const customise = (packages: readonly Package[]) => {
    const packageIds = packages.map(({ id }) => id)
    navigate(urls.packageDetails({ ...route, packageIds, imageId: imageId ?? undefined }))
  }
  // An add-on that is chosen here goes with a package that is in the cart already.
  const choose = useEventCallback((chosen: Package) =>
    customise(isAddOn(chosen) ? [chosen] : selectStandard(chosen.id)),
  )

  // A package that was tapped in the page's first view, before the app ran. Before the first view is removed, which forgets it.
  useLayoutEffect(() => {
    const earlyButton: EarlyButton = window.earlyButton
    window.earlyButton = null
    const tapped = offeredPackages.find(({ id }) => String(id) === earlyButton?.value)
    if (tapped) choose(tapped)
  }, [offeredPackages, choose])

  // After a tap, the selection is rendered first, then the large image, and last the previews of all packages.
  const displayedId = useAfterPaint(imageId)
  const previewImageId = useDeferredValue(displayedId)
  const hasPrices = !hidesPrices || displayedId !== null
  const displayedImage = imageOrFirst(images, displayedId)
  const previewUrl = displayedImage?.previewUrl
  const { jobId, subjectId } = route
  useEffect(
    () =>
      previewUrl
        ? whenIdle(() => void storeFirstView({ jobId, subjectId }, previewUrl).catch(console.warn))
        : undefined,
    [previewUrl, jobId, subjectId],
  )
  const preview = useMemo(() => {
    const { organizationType } = job
    return createPackagePreview({ subject, images, imageId: previewImageId, orderMethod, organizationType })
  }, [subject, images, previewImageId, orderMethod, job])
  return (
    <div className={styles.screen}>
      <SubjectImages {...{ route, subject, images, cart, imageId, displayedImage }} onChoose={choosePose} />
      <div className={styles.packageColumn}>
        {orderMethod === 'prepay' && !displayedImage && <PrepayHint />}
        <OrderDeadlineNotice />
        <OrderMethodSwitch />
        <PackageList
          {...{ offeredPackages, cart, hasPrices, preview }}
          chosenId={selection.standard}
          headingRef={packagesHeading}
          onChoose={choose}
        />
      </div>
      <SelectionBar
        {...{ route, offeredPackages, chosenPackages, cart, hasPrices, closedReason, packagesHeading }}
        onNext={() => customise(chosenPackages)}
      />
    </div>
  )
}

/** Explains a prepaid order to a customer who sees no images yet. */
const PrepayHint = () => {
  const { eventDate } = useJobContext().job
  return (
    <p className={styles.hint}>
      {eventDate && `Picture day is ${formatDate(eventDate)}. `}
      Order now; choose the photos when they’re ready.
    </p>
  )
}
