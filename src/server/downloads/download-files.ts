import { createHash } from 'node:crypto'
import { downloadFileName, uniqueFileNames } from '#domain/catalogue/downloads.ts'

/** A composition: a cut-out on a background, made once. */
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

/** A composition still to be made; `sources` identifies the bytes it is made of. */
export type MissingComposition = {
  readonly imageId: number
  readonly backgroundId: number
  readonly sources: string
  readonly originalKey: string
  readonly backgroundKey: string
}

/** Identifies the sources of a composition: it changes where either image is replaced. */
const sourcesOf = (file: FileRow, background: BackgroundRow): string =>
  createHash('sha256')
    .update([file.key, file.contentHash, background.key, background.contentHash].join(' '))
    .digest('hex')

/** `background` names the background where an image is delivered on several. */
type DeliveredImage = Omit<DownloadFile, 'name'> & { background: string | null }

const thumbnailOf = ({ key, thumbHash, thumbWidth, thumbHeight }: FileRow): Thumbnail | null =>
  thumbHash !== null && thumbWidth !== null && thumbHeight !== null
    ? { originalKey: key, hash: thumbHash, width: thumbWidth, height: thumbHeight }
    : null

const asItIs = (file: FileRow): DeliveredImage => {
  const { id, key, contentType, contentHash, bytes, width, height, madeAt } = file
  const facts = { key, contentType, contentHash, bytes, width, height, background: null }
  return { ...facts, id: String(id), madeAt: new Date(madeAt), thumbnail: thumbnailOf(file) }
}

const composed = (file: FileRow, made: CompositionRow, background: string | null): DeliveredImage => {
  const { backgroundId, key, contentHash, bytes, width, height, thumbHash, thumbWidth, thumbHeight } = made
  return {
    id: `${file.id}-${backgroundId}`,
    background,
    ...{ key, contentHash, bytes, width, height },
    contentType: 'image/jpeg',
    madeAt: new Date(file.madeAt),
    thumbnail: { originalKey: file.key, hash: thumbHash, width: thumbWidth, height: thumbHeight },
  }
}

/** The files delivered for an image: itself, or its cut-out on each chosen background; `toMake` lists the missing compositions. */
export const deliverableFiles = (
  file: FileRow,
  backgrounds: readonly BackgroundRow[],
): { ready: DeliveredImage[]; toMake: MissingComposition[] } => {
  if (!file.hasAlpha || backgrounds.length === 0) return { ready: [asItIs(file)], toMake: [] }
  const several = backgrounds.length > 1
  const found = backgrounds.map((background) => {
    const sources = sourcesOf(file, background)
    const made = file.compositions.find((one) => one.backgroundId === background.id && one.sources === sources)
    const { key: originalKey, id: imageId } = file
    const { key: backgroundKey, id: backgroundId } = background
    if (!made) return { made: [], toMake: [{ imageId, backgroundId, sources, originalKey, backgroundKey }] }
    return { made: [composed(file, made, several ? background.name : null)], toMake: [] }
  })
  return { ready: found.flatMap(({ made }) => made), toMake: found.flatMap(({ toMake }) => toMake) }
}

/** The subject and studio that files are named after. */
type FileNameParts = { readonly subjectName: string; readonly studioSlug: string }

/** The files with their download names: one number per image, the same on all its backgrounds. */
export const withFileNames = (
  delivered: readonly DeliveredImage[][],
  { subjectName, studioSlug }: FileNameParts,
): DownloadFile[] => {
  const numbered = delivered.flatMap((files, at) => files.map((file) => ({ file, number: at + 1 })))
  const names = uniqueFileNames(
    numbered.map(({ file: { background, contentType }, number }) =>
      downloadFileName({ person: subjectName, studioSlug, number, background, contentType }),
    ),
  )
  return numbered.map(({ file: { background: _, ...file } }, at) => ({ ...file, name: names[at] ?? '' }))
}
