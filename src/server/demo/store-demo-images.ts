import { createHash } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { type StoredOriginal, storeOriginal, storeVariants, type VariantColumns } from '../images/store/image-files.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import type { Files } from '../ports/files.ts'
import { type DemoImageDraft, type PictureDay, pictureDays } from './demo-image-drafts.ts'
import { type RenderedDay, type RenderedDemo, readDemoImage } from './render-demo-images.ts'
import type { DemoCalendar } from './seed-dates.ts'
import { type Logo, riverside, type StudioDraft, summit } from './seed-studios.ts'

/** An image whose files are all stored. */
export type StoredDemoImage = Pick<DemoImageDraft, 'fileName' | 'owner' | 'position'> & {
  original: StoredOriginal
  columns: VariantColumns
}

/** All images of the demo, stored and ready. */
export type StoredDemo = Record<keyof RenderedDemo, StoredDemoImage[]> & { logos: { riverside: Logo; summit: Logo } }

/** Storing waits mostly for the disk. */
const atOnce = 8

const takenAt = (morning: Date, seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : new Date(morning.getTime() + seconds * 1000).toISOString().slice(0, 19)

/**
 * Stores a job's images in the given order, each subject's in its own files. File names derive from the content, so seeding again after an
 * abort overwrites the same files and leaves none behind.
 */
const storeDay = (
  files: Files,
  { folder, day, drafts }: PictureDay,
  { rendered, calendar }: { rendered: RenderedDay; calendar: DemoCalendar },
): Promise<StoredDemoImage[]> => {
  const morning = calendar.morning(day)
  return mapConcurrently(drafts, atOnce, async ({ picture: name, fileName, owner, position, ...draft }) => {
    const made = rendered.get(name)
    if (!made) throw new Error(`The demo has no picture ${name}`)
    const original = await storeOriginal(files, {
      folder: `${folder}/${draft.folder}`,
      bytes: made.bytes,
      image: { ...made.picture, takenAt: takenAt(morning, draft.seconds) },
    })
    const columns = await storeVariants(files, original.originalKey, made.variants)
    return { fileName, owner, position, original, columns }
  })
}

const storeLogo = async (files: Files, { slug, logo }: StudioDraft): Promise<Logo> => {
  const svg = await readDemoImage(`logo-${slug}.svg`)
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 16)
  const key = `demo/${slug}/logo-${hash}.svg`
  await files.put(key, svg)
  return { key, hash, ...logo }
}

export const storeDemo = async (
  { files }: Pick<Deps, 'files'>,
  { rendered, calendar }: { rendered: RenderedDemo; calendar: DemoCalendar },
): Promise<StoredDemo> => {
  const { spring, rapids, hawks } = pictureDays
  return {
    logos: { riverside: await storeLogo(files, riverside), summit: await storeLogo(files, summit) },
    spring: await storeDay(files, spring, { rendered: rendered.spring, calendar }),
    rapids: await storeDay(files, rapids, { rendered: rendered.rapids, calendar }),
    hawks: await storeDay(files, hawks, { rendered: rendered.hawks, calendar }),
  }
}
