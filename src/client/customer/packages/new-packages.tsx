import { useState } from 'react'
import type { Image } from '../../../contract/customer-find.ts'
import type { ImageFact } from '../../../domain/cart.ts'
import type { Package } from '../../../domain/catalogue.ts'
import { dropDraft } from '../../../local/drafts.ts'
import { local } from '../../device/local.ts'
import { type PackageDetailsRoute, urls } from '../../shell/urls.ts'
import { toastError } from '../../ui/toast.ts'
import { useEvent } from '../event.tsx'
import type { Person } from '../person.ts'
import { addToCart } from './add-to-cart.ts'
import { Customiser } from './customiser.tsx'
import { withDraft } from './draft.ts'
import { type Part, type Situation, startPart } from './part.ts'

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
