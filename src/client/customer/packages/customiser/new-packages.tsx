import { useState } from 'react'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { SnapshotImage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { deleteDraft } from '#local/store/device-entries.ts'
import { database } from '#platform/database.ts'
import { type PackageDetailsRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import type { PackageSubject } from '../package-context.ts'
import { addToCart } from './add-to-cart.ts'
import { applyDraft } from './customise-draft.ts'
import { type CustomiseContext, type CustomisedPackage, newCustomisedPackage } from './customised-package.ts'
import { Customiser } from './customiser.tsx'

export type NewPackagesProps = {
  route: PackageDetailsRoute
  subject: PackageSubject
  images: readonly Image[]
  packages: readonly Package[]
  draft: unknown
  draftKey: string
  /** The initial state of a package, if not the default. */
  start?: (offer: Package, context: CustomiseContext) => CustomisedPackage
  note?: string | undefined
}

export const NewPackages = (props: NewPackagesProps) => {
  const { route, subject, images, packages, draft, draftKey, start = newCustomisedPackage, note } = props
  const { orderMethod, job, jobId } = useJobContext()
  const pose = route.imageId ?? null
  const [initialParts] = useState(() => {
    const { organizationType } = job
    const context = { subject, images, imageId: pose, orderMethod, organizationType }
    const parts = packages.map((offer) => start(offer, context))
    return applyDraft(parts, draft, { images, pose })
  })

  const add = async (parts: CustomisedPackage[], images: readonly SnapshotImage[]) => {
    const result = await addToCart({ jobId, orderMethod }, { parts, subject, images })
    if (!result.ok) {
      toastError([result.message])
      return false
    }
    // Adding a copy leaves the draft of the package-selection screen alone.
    if (!route.like) await deleteDraft(database, `choosing:${jobId}:${route.subjectId}`)
    return true
  }

  return (
    <Customiser
      {...{ initialParts, subject, images, draftKey, pose, draft }}
      note={note}
      backUrl={route.like ? urls.cart(route) : urls.selectPackage(route)}
      submitLabel="Add to cart"
      onSubmit={add}
    />
  )
}
