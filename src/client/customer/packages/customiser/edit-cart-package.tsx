import { useMemo, useState } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { withSnapshotImages } from '#domain/cart/line-images.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { customiseLine } from '#local/cart.ts'
import { database, stamp } from '#platform/database.ts'
import { type CartPackageRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import type { PackageSubject } from '../package-subject.ts'
import { applyDraft } from './customise-draft.ts'
import {
  type CustomisedPackage,
  customisedPackageFromLine,
  toLineContent,
  toLineSnapshot,
} from './customised-package.ts'
import { Customiser } from './customiser.tsx'

type EditCartPackageProps = {
  route: CartPackageRoute
  line: CartPackage
  orderMethod: OrderMethod
  /** The subject with their images, if available. */
  known: PackageSubject | undefined
  images: readonly Image[] | undefined
  draft: unknown
  draftKey: string
  onSaved: () => void
}

/** The images stored in the line itself, for when no others are available. */
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

const personOf = (line: CartPackage, known: PackageSubject | undefined): PackageSubject => ({
  subjectId: line.subjectId,
  personId: line.personId,
  ...line.snapshot.subject,
  fields: known?.fields ?? [],
  dataFields: line.dataFields,
})

/** The same guided flow for an existing cart line. */
export const EditCartPackage = ({
  route,
  line,
  orderMethod,
  known,
  images,
  draft,
  draftKey,
  onSaved,
}: EditCartPackageProps) => {
  const choices = images ?? ownImages(line)
  const person = useMemo(() => personOf(line, known), [line, known])
  const [first] = useState(() => applyDraft([customisedPackageFromLine(line, person)], draft, { images: choices }))

  const save = async ([part]: CustomisedPackage[], images: readonly SnapshotImage[]) => {
    if (!part) return false
    const { jobId } = route
    const { lineId } = line
    const snapshot = withSnapshotImages(line.snapshot, toLineSnapshot(part, person, images))
    const result = await customiseLine(database, stamp, {
      jobId,
      orderMethod,
      lineId,
      snapshot,
      content: toLineContent(part),
    })
    if (result.ok) onSaved()
    else toastError([result.message])
    return result.ok
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
