import { useState } from 'react'
import { useEvent } from '#client/customer/shared/job/job-context.tsx'
import type { Image } from '#contract/customer/discovery-calls.ts'
import type { ImageFact } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { dropDraft } from '#local/store/drafts.ts'
import { local } from '#platform/database.ts'
import { type PackageDetailsRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import type { Person } from '../package-subject.ts'
import { addToCart } from './add-to-cart.ts'
import { withDraft } from './customise-draft.ts'
import { type Part, type Situation, startPart } from './customised-package.ts'
import { Customiser } from './customiser.tsx'

export type NewPackagesProps = {
  route: PackageDetailsRoute
  person: Person
  images: readonly Image[]
  packages: readonly Package[]
  kept: unknown
  draftKey: string
  /** How a package begins, where not as it is offered. */
  start?: (one: Package, situation: Situation) => Part
  note?: string | undefined
}

export const NewPackages = (props: NewPackagesProps) => {
  const { route, person, images, packages, kept, draftKey, start = startPart, note } = props
  const { orderMethod, job, jobId } = useEvent()
  const pose = route.imageId ?? null
  const [first] = useState(() => {
    const { organizationType } = job
    const situation = { person, images, imageId: pose, orderMethod, organizationType }
    const started = packages.map((one) => start(one, situation))
    return withDraft(started, kept, { images, pose })
  })

  const add = async (parts: Part[], facts: readonly ImageFact[]) => {
    const answer = await addToCart({ jobId, orderMethod }, { parts, person, facts })
    if (!answer.ok) {
      toastError([answer.sentence])
      return false
    }
    // A copy was no answer to what somebody is choosing elsewhere.
    if (!route.like) await dropDraft(local, `choosing:${jobId}:${route.subjectId}`)
    return true
  }

  return (
    <Customiser
      {...{ first, person, images, draftKey, pose, kept }}
      note={note}
      back={route.like ? urls.cart(route) : urls.selectPackage(route)}
      submitWords="Add to cart"
      onSubmit={add}
    />
  )
}
