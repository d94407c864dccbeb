import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useDraft } from '#client/customer/shared/drafts/use-draft.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { SnapshotImage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type PackageDetailsRoute, urls } from '#platform/urls.ts'
import { keepViewAt } from '#ui/page/route-announcer.tsx'
import { toastError } from '#ui/toast/toast.ts'
import { selectionDraftKey } from '../offers/package-selection.ts'
import type { PackageSubject } from '../package-context.ts'
import { addToCart } from './add-to-cart.ts'
import { applyDraft } from './customise-draft.ts'
import {
  type CustomiseContext,
  type CustomisedPackage,
  createPackagePreview,
  newCustomisedPackage,
} from './customised-package.ts'
import { Customiser, type CustomiserAddOnOffer } from './customiser.tsx'

export type NewPackagesProps = {
  route: PackageDetailsRoute
  subject: PackageSubject
  images: readonly Image[]
  packages: readonly Package[]
  /** All packages of the job, for the add-ons among them. */
  offeredPackages: readonly Package[]
  draft: unknown
  draftKey: string
  /** The initial state of a package, if not the default. */
  start?: (offer: Package, context: CustomiseContext) => CustomisedPackage
  note?: string | undefined
}

export const NewPackages = (props: NewPackagesProps) => {
  const {
    route,
    subject,
    images,
    packages,
    offeredPackages,
    draft,
    draftKey,
    start = newCustomisedPackage,
    note,
  } = props
  const { orderMethod, job, jobId } = useJobContext()
  const [, navigate] = useLocation()
  const selectionKey = selectionDraftKey(route)
  const selectionDraft = useDraft(selectionKey)
  const pose = route.imageId ?? null
  const context = useMemo(() => {
    const { organizationType } = job
    return { subject, images, imageId: pose, orderMethod, organizationType }
  }, [subject, images, pose, orderMethod, job])
  const startParts = (offers: readonly Package[]) =>
    applyDraft(
      offers.map((offer) => start(offer, context)),
      draft,
      { images, pose },
    )
  const [initialParts] = useState(() => startParts(packages))
  const addOns: CustomiserAddOnOffer = {
    offeredPackages,
    selectionKey,
    preview: useMemo(() => createPackagePreview(context), [context]),
    start: startParts,
    onChange: (chosen) => {
      const packageIds = chosen.map(({ id }) => id)
      const url = urls.packageDetails({ ...route, packageIds })
      keepViewAt(url)
      navigate(url, { replace: true })
    },
  }

  const add = async (parts: CustomisedPackage[], images: readonly SnapshotImage[]) => {
    const result = await addToCart({ jobId, orderMethod }, { parts, subject, images })
    if (!result.ok) {
      toastError([result.message])
      return false
    }
    // Adding a copy leaves the draft of the package-selection screen alone.
    if (!route.like) await selectionDraft.drop()
    return true
  }

  return (
    <Customiser
      {...{ initialParts, subject, images, draftKey, pose, draft }}
      note={note}
      backUrl={route.like ? urls.cart(route) : urls.selectPackage(route)}
      addOns={route.like ? undefined : addOns}
      submitLabel="Add to cart"
      onSubmit={add}
    />
  )
}
