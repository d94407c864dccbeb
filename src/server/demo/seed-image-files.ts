import { createHash } from 'node:crypto'
import { makeVariants } from '../images/engine/image-variants.ts'
import { drawWatermark, type Watermark } from '../images/engine/watermark.ts'
import type { ImageRejection } from '../images/inspection/image-rejection.ts'
import { inspectHeader } from '../images/inspection/inspect-image.ts'
import { type StoredOriginal, storeOriginal, storeVariants, type VariantColumns } from '../images/store/image-files.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import type { Files } from '../ports/files.ts'
import { drawGroup } from './drawings/group.ts'
import { drawStudioLogo } from './drawings/logo.ts'
import type { Size } from './drawings/paint.ts'
import { type CutOutBrief, drawBackground, drawCutOut, drawPortrait } from './drawings/portrait.ts'
import type { Backdrop } from './drawings/scenery.ts'
import { sittingOf } from './drawings/sitting.ts'
import { fullName } from './seed-roster.ts'
import type { Logo, StudioDraft } from './seed-studios.ts'
import type { PhotographedSubject } from './seed-subjects.ts'

/** Whose picture it is, by the names of the drafts. */
export type DrawnImageOwner = { person: string } | { group: string } | { background: string }

/** A picture to draw: where its files go, and how. */
export type ImageDraft = {
  folder: string
  fileName: string
  owner: DrawnImageOwner
  position: number
  draw: () => Promise<Buffer>
}

/** A drawn picture whose files are all stored. */
export type DrawnImage = Omit<ImageDraft, 'draw' | 'folder'> & { original: StoredOriginal; columns: VariantColumns }

/** How large to draw: the demo's pictures are full size, a test's are small. */
export type Drawing = { folder: string; from: Date; side: number }

const sizeOf = ({ side }: Drawing, orientation: 'portrait' | 'landscape'): Size => {
  const short = Math.round(side * 0.8)
  return orientation === 'portrait' ? { width: short, height: side } : { width: side, height: short }
}

const minutes = (from: Date, count: number): Date => new Date(from.getTime() + count * 60_000)

const fileNumber = (count: number): string => String(4100 + count)

/** The sittings of an event, one person a minute; cut-outs are what is left of a picture before a green screen. */
export const sittings = (
  people: readonly PhotographedSubject[],
  drawing: Drawing,
  kind: 'portrait' | 'cut-out',
): ImageDraft[] =>
  people.flatMap((person, place) =>
    sittingOf(person.sitter, { from: minutes(drawing.from, place), count: person.imageCount }).map((brief, index) => {
      const size = sizeOf(drawing, brief.orientation)
      const name = `IMG_${fileNumber(place * 6 + index)}`
      const cutOut: CutOutBrief = { ...person.sitter, pose: brief.pose, orientation: brief.orientation, size }
      return {
        folder: `${drawing.folder}/${name.toLowerCase()}`,
        fileName: kind === 'portrait' ? `${name}.jpg` : `${name}.webp`,
        owner: { person: fullName(person) },
        position: index + 1,
        draw: () => (kind === 'portrait' ? drawPortrait({ ...brief, size }) : drawCutOut(cutOut)),
      }
    }),
  )

/** A picture of each group. */
export const groupImages = (
  people: readonly PhotographedSubject[],
  drawing: Drawing,
  backdrops: readonly [Backdrop, ...Backdrop[]],
): ImageDraft[] =>
  [...new Set(people.map(({ group }) => group))].map((group, index) => ({
    folder: `${drawing.folder}/group-${index + 1}`,
    fileName: `${group.replace(/[^\w]+/g, '-')}.jpg`,
    owner: { group },
    position: 1,
    draw: () =>
      drawGroup({
        people: people.filter((person) => person.group === group).map(({ sitter }) => sitter),
        backdrop: backdrops[index % backdrops.length] ?? backdrops[0],
        camera: { takenAt: minutes(drawing.from, 90 + index) },
        size: sizeOf(drawing, 'landscape'),
      }),
  }))

/** Backgrounds for cut-outs. */
export const backgrounds = (
  named: readonly (readonly [name: string, backdrop: Backdrop])[],
  drawing: Drawing,
): ImageDraft[] =>
  named.map(([name, backdrop], index) => ({
    folder: `${drawing.folder}/background-${backdrop}`,
    fileName: `${backdrop}.jpg`,
    owner: { background: name },
    position: index + 1,
    draw: () => drawBackground(backdrop, 'portrait', sizeOf(drawing, 'portrait')),
  }))

const refused = ({ fileName }: ImageDraft, { message: sentence }: ImageRejection): Error =>
  new Error(`${fileName} of the demo was refused: ${sentence}`)

const drawOne = async (files: Files, watermark: Watermark, draft: ImageDraft): Promise<DrawnImage> => {
  const { folder, draw, ...rest } = draft
  const bytes = await draw()
  // The header is enough: making the variants decodes all of it.
  const inspection = await inspectHeader(bytes)
  if (!inspection.ok) throw refused(draft, inspection.refusal)
  const original = await storeOriginal(files, { folder, bytes, image: inspection.image })
  const made = await makeVariants(bytes, { watermark })
  if (!made.ok) throw refused(draft, made.refusal)
  return { ...rest, original, columns: await storeVariants(files, original.originalKey, made) }
}

/** As many at once as the machine of our least customer has cores. */
const atOnce = 2

/**
 * Draws and stores pictures, two at a time, in the order given. Their files are named after what they show, so a demo that was
 * cut off half way is drawn over the next time and leaves nothing behind.
 */
export const drawImages = async (
  files: Files,
  { studio, drafts, tell }: { studio: StudioDraft; drafts: readonly ImageDraft[]; tell: (done: number) => void },
): Promise<DrawnImage[]> => {
  const watermark = await drawWatermark(studio.name)
  let done = 0
  return await mapConcurrently(drafts, atOnce, async (draft) => {
    const drawn = await drawOne(files, watermark, draft)
    done += 1
    tell(done)
    return drawn
  })
}

/** Draws and stores a studio's logo. */
export const storeLogo = async (files: Files, { slug, name, accent }: StudioDraft): Promise<Logo> => {
  const { svg, width, height } = drawStudioLogo(name, accent)
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 16)
  const key = `demo/${slug}/logo-${hash}.svg`
  await files.put(key, Buffer.from(svg))
  return { key, hash, width, height }
}
