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
import { type Part, startPart } from './part.ts'

type NewPackagesProps = {
  route: PackageDetailsRoute
  person: Person
  images: readonly Image[]
  packages: readonly Package[]
  kept: unknown
  draftKey: string
}

export const NewPackages = ({ route, person, images, packages, kept, draftKey }: NewPackagesProps) => {
  const { orderMethod, job, jobId } = useEvent()
  const [first] = useState(() => {
    const { organizationType } = job
    const situation = { person, images, imageId: route.imageId ?? null, orderMethod, organizationType }
    const started = packages.map((one) => startPart(one, situation))
    return withDraft(started, kept, images)
  })

  const add = async (parts: Part[], facts: readonly ImageFact[]) => {
    const answer = await addToCart({ jobId, orderMethod }, { parts, person, facts })
    if (!answer.ok) toastError([answer.sentence])
    if (!answer.ok && answer.added === 0) return false
    await dropDraft(local, `choosing:${jobId}:${route.subjectId}`)
    return true
  }

  return (
    <Customiser
      {...{ first, person, images, draftKey }}
      back={urls.selectPackage(route)}
      submitWords="Add to cart"
      onSubmit={add}
    />
  )
}
