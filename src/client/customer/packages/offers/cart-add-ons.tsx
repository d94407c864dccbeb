import { useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import { shownImageId } from '#domain/cart/line-content.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type SubjectRoute, urls } from '#platform/urls.ts'
import { useEventCallback } from '#ui/rendering/use-event-callback.ts'
import { toast, toastError } from '#ui/toast/toast.ts'
import { addToCart } from '../customiser/add-to-cart.ts'
import { fieldProblems } from '../customiser/customise-steps.ts'
import { createPackagePreview, newCustomisedPackage } from '../customiser/customised-package.ts'
import { chosenImageId, toSnapshotImages } from '../images/node-images.ts'
import { usePackageSubject } from '../use-package-subject.ts'
import { AddOns } from './add-ons.tsx'
import { isAddOn, packageLabel } from './package-selection.ts'

type CartAddOnsProps = {
  route: SubjectRoute
  cart: Cart
  /** The subject's lines in the cart. */
  lines: readonly CartPackage[]
  offeredPackages: readonly Package[]
}

const noPackages: readonly Package[] = []

/** The image that the subject's package in the cart shows first, for its add-ons; null if it has none. */
const poseOf = (lines: readonly CartPackage[]): number | null => {
  const nodes = lines.filter(isStandard).flatMap(({ cartPackageItems }) => cartPackageItems)
  const [first] = nodes.flatMap(({ imageNodes }) => imageNodes.map(shownImageId)).filter((id) => id !== null)
  return first ?? null
}

/**
 * In the cart: the add-ons that a subject does not have yet. A tap adds one with the image of the subject's package; if
 * something must be filled in first, it opens that screen.
 */
export const CartAddOns = ({ route, cart, lines, offeredPackages }: CartAddOnsProps) => {
  const { jobId } = route
  const { job, orderMethod } = useJobContext()
  const [, navigate] = useLocation()
  const { subject, images } = usePackageSubject(jobId, { subjectId: route.subjectId })
  const adding = useRef(new Set<number>())
  const headingId = `extras-${route.subjectId}`
  const pose = poseOf(lines)
  const { organizationType } = job
  const context = useMemo(
    () => subject && images && { subject, images, imageId: pose, orderMethod, organizationType },
    [subject, images, pose, orderMethod, organizationType],
  )
  const preview = useMemo(() => context && createPackagePreview(context), [context])
  const add = useEventCallback(async (addOn: Package) => {
    if (!context) return
    const part = newCustomisedPackage(addOn, context)
    const imageIds = part.images.map(chosenImageId)
    // A cut-out needs a background.
    const hasCutOut = context.images.some(({ id, hasAlpha }) => hasAlpha && imageIds.includes(id))
    if (hasCutOut || fieldProblems([part], context.subject, orderMethod).length > 0)
      return navigate(urls.packageDetails({ ...route, packageIds: [addOn.id], imageId: pose ?? undefined }))
    // A second tap on the same button, before the row has gone.
    if (adding.current.has(addOn.id)) return
    adding.current.add(addOn.id)
    const parts = { parts: [part], subject: context.subject, images: toSnapshotImages(context.images) }
    const result = await addToCart({ jobId, orderMethod }, parts)
    if (!result.ok) {
      adding.current.delete(addOn.id)
      return toastError([result.message])
    }
    toast(
      [packageLabel(addOn), 'added', context.subject.firstName && `for ${context.subject.firstName}`]
        .filter(Boolean)
        .join(' '),
    )
    // The button disappears; the heading remains, unless this was the last add-on.
    const heading = document.getElementById(headingId) ?? document.querySelector<HTMLElement>('main h1')
    heading?.focus({ preventScroll: true })
  })
  const newAddOns = useMemo(
    () => offeredPackages.filter((offer) => isAddOn(offer) && !lines.some(({ packageId }) => packageId === offer.id)),
    [offeredPackages, lines],
  )
  if (!subject || !preview) return null
  return (
    <AddOns
      {...{ cart, preview }}
      heading={{ text: `Extras for ${subject.firstName}`, id: headingId }}
      offeredPackages={newAddOns}
      chosenPackages={noPackages}
      hasPrices
      onToggle={add}
    />
  )
}
