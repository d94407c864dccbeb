import { useState } from 'react'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { SnapshotImage } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { deleteDraft } from '#local/store/drafts.ts'
import { database } from '#platform/database.ts'
import { type PackageDetailsRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import type { PackageSubject } from '../package-subject.ts'
import { addToCart } from './add-to-cart.ts'
import { applyDraft } from './customise-draft.ts'
import { type CustomiseContext, type CustomisedPackage, newCustomisedPackage } from './customised-package.ts'
import { Customiser } from './customiser.tsx'

export type NewPackagesProps = {
  route: PackageDetailsRoute
  person: PackageSubject
  images: readonly Image[]
  packages: readonly Package[]
  draft: unknown
  draftKey: string
  /** The initial state of a package, if not the default. */
  start?: (one: Package, situation: CustomiseContext) => CustomisedPackage
  note?: string | undefined
}

export const NewPackages = (props: NewPackagesProps) => {
  const { route, person, images, packages, draft, draftKey, start = newCustomisedPackage, note } = props
  const { orderMethod, job, jobId } = useJobContext()
  const pose = route.imageId ?? null
  const [first] = useState(() => {
    const { organizationType } = job
    const situation = { person, images, imageId: pose, orderMethod, organizationType }
    const started = packages.map((one) => start(one, situation))
    return applyDraft(started, draft, { images, pose })
  })

  const add = async (parts: CustomisedPackage[], images: readonly SnapshotImage[]) => {
    const result = await addToCart({ jobId, orderMethod }, { parts, person, images })
    if (!result.ok) {
      toastError([result.message])
      return false
    }
    // A copied package is unrelated to the selection in progress.
    if (!route.like) await deleteDraft(database, `choosing:${jobId}:${route.subjectId}`)
    return true
  }

  return (
    <Customiser
      {...{ first, person, images, draftKey, pose, draft }}
      note={note}
      back={route.like ? urls.cart(route) : urls.selectPackage(route)}
      submitWords="Add to cart"
      onSubmit={add}
    />
  )
}
