import { useMemo, useState } from 'react'
import type { Image } from '#contract/shapes/image-structs.ts'
import type { CartPackage, SnapshotImage } from '#domain/cart/cart.ts'
import { withSnapshotImages } from '#domain/cart/line-content.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { customiseLine } from '#local/cart.ts'
import { database, stamp } from '#platform/database.ts'
import { type CartPackageRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import type { PackageSubject } from '../package-context.ts'
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
  loadedSubject: PackageSubject | undefined
  images: readonly Image[] | undefined
  draft: unknown
  draftKey: string
  onSaved: () => void
}

/** The images stored in the line itself, for when no others are available. */
const imagesOfLine = (line: CartPackage): Image[] => {
  const nodes = line.cartPackageItems.flatMap((item) => item.imageNodes)
  const groupImageIds = new Set(nodes.map((node) => node.groupImageId))
  const replacementIds = new Set(nodes.map((node) => node.replacementImageId))
  const imagesOfSubject = line.snapshot.images.filter((image) => image.greenScreenId === undefined)
  return imagesOfSubject.map(({ imageId, thumbnailUrl, width, height, hasAlpha = false }) => ({
    id: imageId,
    type: replacementIds.has(imageId)
      ? 'replacement'
      : groupImageIds.has(imageId)
        ? 'hosted-group'
        : 'hosted-individual',
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

const toPackageSubject = (line: CartPackage, loadedSubject: PackageSubject | undefined): PackageSubject => ({
  subjectId: line.subjectId,
  personId: line.personId,
  ...line.snapshot.subject,
  fields: loadedSubject?.fields ?? [],
  dataFields: line.dataFields,
})

/** Edits an existing cart line in the same guided flow. */
export const EditCartPackage = ({
  route,
  line,
  orderMethod,
  loadedSubject,
  images,
  draft,
  draftKey,
  onSaved,
}: EditCartPackageProps) => {
  const selectableImages = images ?? imagesOfLine(line)
  const subject = useMemo(() => toPackageSubject(line, loadedSubject), [line, loadedSubject])
  const [initialParts] = useState(() =>
    applyDraft([customisedPackageFromLine(line, subject)], draft, { images: selectableImages }),
  )

  const save = async ([part]: CustomisedPackage[], snapshotImages: readonly SnapshotImage[]) => {
    if (!part) return false
    const { jobId } = route
    const { lineId } = line
    const snapshot = withSnapshotImages(line.snapshot, toLineSnapshot(part, subject, snapshotImages))
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
      {...{ initialParts, subject, draftKey }}
      images={selectableImages}
      lineImages={line.snapshot.images}
      backUrl={urls.cart(route)}
      submitLabel="Save changes"
      onSubmit={save}
    />
  )
}
