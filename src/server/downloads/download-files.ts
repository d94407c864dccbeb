import { createHash } from 'node:crypto'
import { downloadFileName, uniqueFileNames } from '#domain/catalogue/downloads.ts'

/** A composition: a cut-out on a background, rendered once. */
type CompositionRow = {
  backgroundId: number
  sources: string
  key: string
  contentHash: string
  bytes: number
  width: number
  height: number
  thumbHash: string
  thumbWidth: number
  thumbHeight: number
}

export type FileRow = {
  id: number
  key: string
  contentType: string
  contentHash: string | null
  bytes: number
  width: number
  height: number
  hasAlpha: boolean
  thumbHash: string | null
  thumbWidth: number | null
  thumbHeight: number | null
  madeAt: string
  compositions: CompositionRow[]
}

export type BackgroundRow = { id: number; name: string | null; key: string; contentHash: string | null }

/** The thumbnail of a file, stored next to the original. */
type Thumbnail = {
  readonly originalKey: string
  readonly hash: string
  readonly width: number
  readonly height: number
}

/** An image to download. `id` and `name` are unique within its link; `name` is a safe file name. */
export type DownloadFile = {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly contentType: string
  readonly contentHash: string | null
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly madeAt: Date
  readonly thumbnail: Thumbnail | null
}

/** A composition that is not rendered yet. `sources` identifies the images it is composed of. */
export type MissingComposition = {
  readonly imageId: number
  readonly backgroundId: number
  readonly sources: string
  readonly originalKey: string
  readonly backgroundKey: string
}

/** Identifies the sources of a composition. The hash changes when either image is replaced. */
const hashSources = (file: FileRow, background: BackgroundRow): string =>
  createHash('sha256')
    .update([file.key, file.contentHash, background.key, background.contentHash].join(' '))
    .digest('hex')

/** A file without its final name. `background` is the name of its background, if the image is delivered on several. */
type DeliveredImage = Omit<DownloadFile, 'name'> & { background: string | null }

const thumbnailOf = ({ key, thumbHash, thumbWidth, thumbHeight }: FileRow): Thumbnail | null =>
  thumbHash !== null && thumbWidth !== null && thumbHeight !== null
    ? { originalKey: key, hash: thumbHash, width: thumbWidth, height: thumbHeight }
    : null

const deliverOriginal = (file: FileRow): DeliveredImage => {
  const { id, key, contentType, contentHash, bytes, width, height, madeAt } = file
  const fileDetails = { key, contentType, contentHash, bytes, width, height, background: null }
  return { ...fileDetails, id: String(id), madeAt: new Date(madeAt), thumbnail: thumbnailOf(file) }
}

const deliverComposition = (file: FileRow, composition: CompositionRow, background: string | null): DeliveredImage => {
  const { backgroundId, key, contentHash, bytes, width, height, thumbHash, thumbWidth, thumbHeight } = composition
  return {
    id: `${file.id}-${backgroundId}`,
    background,
    ...{ key, contentHash, bytes, width, height },
    contentType: 'image/jpeg',
    madeAt: new Date(file.madeAt),
    thumbnail: { originalKey: file.key, hash: thumbHash, width: thumbWidth, height: thumbHeight },
  }
}

/**
 * The files to deliver for an image: the image itself, or its cut-out on each chosen background, with the missing
 * compositions.
 */
export const deliverableFiles = (
  file: FileRow,
  backgrounds: readonly BackgroundRow[],
): { ready: DeliveredImage[]; missing: MissingComposition[] } => {
  if (!file.hasAlpha || backgrounds.length === 0) return { ready: [deliverOriginal(file)], missing: [] }
  const hasSeveral = backgrounds.length > 1
  const results = backgrounds.map((background) => {
    const sources = hashSources(file, background)
    const composition = file.compositions.find(
      (candidate) => candidate.backgroundId === background.id && candidate.sources === sources,
    )
    const { key: originalKey, id: imageId } = file
    const { key: backgroundKey, id: backgroundId } = background
    if (!composition) return { ready: [], missing: [{ imageId, backgroundId, sources, originalKey, backgroundKey }] }
    return { ready: [deliverComposition(file, composition, hasSeveral ? background.name : null)], missing: [] }
  })
  return { ready: results.flatMap(({ ready }) => ready), missing: results.flatMap(({ missing }) => missing) }
}

/** The subject and studio that files are named after. */
type FileNameParts = { readonly subjectName: string; readonly studioSlug: string }

/** Adds download names to files. Each image has one number, which is the same on all its backgrounds. */
export const withFileNames = (
  delivered: readonly DeliveredImage[][],
  { subjectName, studioSlug }: FileNameParts,
): DownloadFile[] => {
  const numberedFiles = delivered.flatMap((files, index) => files.map((file) => ({ file, number: index + 1 })))
  const names = uniqueFileNames(
    numberedFiles.map(({ file: { background, contentType }, number }) =>
      downloadFileName({ person: subjectName, studioSlug, number, background, contentType }),
    ),
  )
  return numberedFiles.map(({ file: { background: _, ...file } }, index) => ({ ...file, name: names[index] ?? '' }))
}
