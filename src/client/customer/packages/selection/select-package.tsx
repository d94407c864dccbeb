import ArrowRight from 'lucide-react/icons/arrow-right'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { OrderMethodSwitch } from '#client/customer/shared/job/order-method-switch.tsx'
import { BottomBar } from '#client/customer/shared/layout/bottom-bar.tsx'
import type { CustomerJob } from '#contract/customer/discovery-calls.ts'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { sumCents, toCents } from '#domain/pricing/money.ts'
import { mayChoosePose } from '#domain/subjects/year-book-pose.ts'
import { type SelectPackageRoute, urls } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { useAfterPaint } from '#ui/rendering/use-after-paint.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { BottomBarLabel } from '../bottom-bar-label.tsx'
import type { PackageSubject } from '../package-subject.ts'
import { OrderDeadlineNotice } from './order-deadline-notice.tsx'
import { PackageList } from './package-list.tsx'
import {
  emptySelection,
  type PackageSelection,
  readSelectionDraft,
  selectedPackages,
  togglePackage,
  validSelection,
} from './package-selection.ts'
import { PoseStrip } from './pose-strip.tsx'
import { PrepayHint } from './prepay-hint.tsx'
import { createPackagePreview } from './preview-package.ts'
import styles from './select-package.module.css'

type SelectPackageProps = {
  route: SelectPackageRoute
  person: PackageSubject
  images: readonly Image[]
  offered: readonly Package[]
  cart: Cart
  draft: unknown
  draftKey: string
}

/** The initial pose: the one chosen after this URL was opened, the URL's own, or none. */
const firstPose = (images: readonly Image[], imageId: number | null, kept: unknown): number | null => {
  const draft = readSelectionDraft(kept)
  const wanted = draft && draft.forImageId === imageId ? draft.imageId : imageId
  const only = images.length === 1 ? (images[0]?.id ?? null) : null
  return images.some((image) => image.id === wanted) ? wanted : only
}

/** Whether the yearbook image is chosen here; group images do not qualify (section 4). */
const mayPose = ({ gallerySettings }: CustomerJob, images: readonly Image[]): boolean =>
  mayChoosePose({
    enabled: gallerySettings.enableYearBookPoseSelection,
    expired: gallerySettings.isYearBookPoseSelectionExpired,
    imageCount: images.filter(({ type }) => type === 'hosted-individual').length,
  })

const YearBookPose = lazy(async () => ({ default: (await import('./year-book-pose.tsx')).YearBookPose }))

const chooseFirst = 'Choose a package first'

export const SelectPackage = (props: SelectPackageProps) => {
  const { route, person, images, offered, cart, draft: kept, draftKey } = props
  const { orderMethod, preferences, closed, job } = useJobContext()
  const [, navigate] = useLocation()
  const draft = useDraft(draftKey)
  const forImageId = route.imageId ?? null
  const [imageId, setImageId] = useState(() => firstPose(images, forImageId, kept))
  const [requested, setRequested] = useState<PackageSelection>(() => readSelectionDraft(kept) ?? emptySelection)
  const selection = useMemo(() => validSelection(requested, offered, cart), [requested, offered, cart])
  const chosen = useMemo(() => selectedPackages(selection, offered), [selection, offered])

  const remember = (next: PackageSelection, pose: number | null) =>
    draft.save({ v: 1, standard: next.standard, addOns: next.addOns, imageId: pose, forImageId })
  const choose = useEventCallback((one: Package) => {
    const next = togglePackage(selection, one, { offered, cart })
    setRequested(next)
    remember(next, imageId)
  })
  const pose = useEventCallback((id: number) => {
    setImageId(id)
    remember(selection, id)
  })
  const next = () => {
    const packageIds = chosen.map((one) => one.id)
    navigate(urls.packageDetails({ ...route, packageIds, imageId: imageId ?? undefined }))
  }

  const wait = closed ?? (chosen.length === 0 ? chooseFirst : null)
  // A tap first shows the selection, then the large image in the next frame, and updates all previews when idle.
  const drawnId = useAfterPaint(imageId)
  const cardsId = useDeferredValue(drawnId)
  const priced = preferences.pricesBeforePose || orderMethod === 'prepay' || drawnId !== null
  const poseOf = (id: number | null) => images.find((image) => image.id === id) ?? images[0] ?? null
  const shown = poseOf(drawnId)
  // Actions apply to the chosen image, also while the large one is still loading.
  const picked = poseOf(imageId)
  const posing = closed === null && mayPose(job, images)
  const told = cart.yearBookPoses.find((one) => one.subjectId === route.subjectId)?.imageId
  const yearBook = told ?? person.yearBookImageId ?? null
  const cents = sumCents(chosen.map((one) => toCents(one.retailCost)))
  const preview = useMemo(() => {
    const { organizationType } = job
    return createPackagePreview({ person, images, imageId: cardsId, orderMethod, organizationType })
  }, [person, images, cardsId, orderMethod, job])
  return (
    <div className={styles.screen}>
      <div className={styles.child}>
        <h1>
          {person.firstName} {person.lastName}
        </h1>
        {/* Before picture day, missing images are expected. */}
        {(orderMethod === 'gallery' || shown) && (
          <PoseStrip
            {...{ person, images, shown }}
            yearBook={posing ? yearBook : null}
            chosen={imageId}
            onChoose={pose}
          >
            {posing && (
              <div className={styles.yearBook}>
                {picked?.type === 'hosted-individual' && (
                  <Suspense>
                    <YearBookPose subjectId={route.subjectId} image={picked} chosen={yearBook} />
                  </Suspense>
                )}
              </div>
            )}
          </PoseStrip>
        )}
      </div>
      <div className={styles.offers}>
        {orderMethod === 'prepay' && !shown && <PrepayHint />}
        <OrderDeadlineNotice />
        <OrderMethodSwitch />
        <PackageList {...{ offered, selection, chosen, cart, priced, preview }} onToggle={choose} />
      </div>
      <BottomBar {...amountOf({ chosen, cart, cents, priced, wait })}>
        <Button
          icon={ArrowRight}
          iconSide="right"
          aria-disabled={wait !== null || undefined}
          onClick={() => wait === null && next()}
          aria-describedby={wait === null ? undefined : 'why-not'}
        >
          Next
        </Button>
      </BottomBar>
    </div>
  )
}

type Amount = { chosen: readonly Package[]; cart: Cart; cents: number; priced: boolean; wait: string | null }

// The price, or why the customer cannot continue yet. Without a selection, the amount shown is the cart's.
const amountOf = ({ chosen, cart, cents, priced, wait }: Amount) => {
  if (wait !== null) {
    const label = <span id="why-not">{wait}</span>
    return cart.cartPackages.length > 0 ? { label: <BottomBarLabel what={label} cart={cart} /> } : { label }
  }
  return { label: <BottomBarLabel what={amountLabel(chosen)} cart={cart} />, cents: priced ? cents : undefined }
}

const amountLabel = (chosen: readonly Package[]): string =>
  chosen.length === 1 ? 'This package' : `These ${chosen.length}`
