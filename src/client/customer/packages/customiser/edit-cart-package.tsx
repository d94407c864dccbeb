import { useMemo, useState } from 'react'
import type { Image } from '#contract/customer/discovery-calls.ts'
import type { CartPackage, ImageFact } from '#domain/cart/cart.ts'
import { withPicturesOf } from '#domain/cart/line-images.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { customiseLine } from '#local/cart.ts'
import { local, stamp } from '#platform/database.ts'
import { type CartPackageRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import type { Person } from '../package-subject.ts'
import { withDraft } from './customise-draft.ts'
import { contentOf, type Part, partOfLine, snapshotOf } from './customised-package.ts'
import { Customiser } from './customiser.tsx'

type EditLineProps = {
  route: CartPackageRoute
  line: CartPackage
  orderMethod: OrderMethod
  /** The person and their pictures, where they can be had. */
  known: Person | undefined
  images: readonly Image[] | undefined
  kept: unknown
  draftKey: string
  onSaved: () => void
}

/** The line's own pictures, as far as the line knows them, for when no others can be had. */
const ownImages = (line: CartPackage): Image[] => {
  const nodes = line.cartPackageItems.flatMap((item) => item.imageNodes)
  const groups = new Set(nodes.map((node) => node.groupImageId))
  const replacements = new Set(nodes.map((node) => node.replacementImageId))
  const people = line.snapshot.images.filter((one) => one.greenScreenId === undefined)
  return people.map(({ imageId, thumbnailUrl, width, height, hasAlpha = false }) => ({
    id: imageId,
    type: replacements.has(imageId) ? 'replacement' : groups.has(imageId) ? 'hosted-group' : 'hosted-individual',
    groupId: null,
    groupName: null,
    name: '',
    width,
    height,
    hasAlpha,
    thumbnailUrl,
    previewUrl: thumbnailUrl,
  }))
}

const personOf = (line: CartPackage, known: Person | undefined): Person => ({
  subjectId: line.subjectId,
  personId: line.personId,
  ...line.snapshot.subject,
  fields: known?.fields ?? [],
  dataFields: line.dataFields,
})

/** The same guided pass over a line that is in the cart already. */
export const EditLine = ({ route, line, orderMethod, known, images, kept, draftKey, onSaved }: EditLineProps) => {
  const choices = images ?? ownImages(line)
  const person = useMemo(() => personOf(line, known), [line, known])
  const [first] = useState(() => withDraft([partOfLine(line, person)], kept, { images: choices }))

  const save = async ([part]: Part[], facts: readonly ImageFact[]) => {
    if (!part) return false
    const { jobId } = route
    const { lineId } = line
    const snapshot = withPicturesOf(line.snapshot, snapshotOf(part, person, facts))
    const answer = await customiseLine(local, stamp, { jobId, orderMethod, lineId, snapshot, content: contentOf(part) })
    if (answer.ok) onSaved()
    else toastError([answer.sentence])
    return answer.ok
  }

  return (
    <Customiser
      {...{ first, person, draftKey }}
      images={choices}
      known={line.snapshot.images}
      back={urls.cart(route)}
      submitWords="Save changes"
      onSubmit={save}
    />
  )
}
