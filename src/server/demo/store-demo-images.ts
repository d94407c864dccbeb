import { createHash } from 'node:crypto'
import pMap from 'p-map'
import type { Deps } from '../deps.ts'
import { type StoredOriginal, storeOriginal, storeVariants, type VariantColumns } from '../images/store/image-files.ts'
import type { Files } from '../ports/files.ts'
import type { DemoCalendar } from './demo-calendar.ts'
import { type DemoImageDraft, type PictureDay, pictureDays } from './demo-image-drafts.ts'
import { type RenderedDay, type RenderedDemo, readDemoImage } from './render-demo-images.ts'
import { type Logo, riverside, type StudioDraft, summit } from './seed-studios.ts'

/** An image whose files are all stored. */
export type StoredDemoImage = Pick<DemoImageDraft, 'fileName' | 'owner' | 'position'> & {
  original: StoredOriginal
  columns: VariantColumns
}

/** All images of the demo, stored and ready. */
export type StoredDemo = Record<keyof RenderedDemo, StoredDemoImage[]> & { logos: { riverside: Logo; summit: Logo } }

/** Images stored at the same time. The number is high, because storing mostly waits for the disk. */
const concurrentFiles = 8

const cameraTime = (morning: Date, seconds: number | undefined): string | undefined =>
  seconds === undefined ? undefined : new Date(morning.getTime() + seconds * 1000).toISOString().slice(0, 19)

/**
 * Stores a job's images, in separate files for each subject, and returns them in the order of the drafts. File names are
 * derived from the content, so seeding after an abort overwrites the same files.
 */
const storeDay = (
  files: Files,
  { folder, day, drafts }: PictureDay,
  { rendered, calendar }: { rendered: RenderedDay; calendar: DemoCalendar },
): Promise<StoredDemoImage[]> => {
  const morning = calendar.morning(day)
  const storeImage = async ({ imageFile, fileName, owner, position, ...draft }: DemoImageDraft) => {
    const renderedImage = rendered.get(imageFile)
    if (!renderedImage) throw new Error(`The demo has no image ${imageFile}`)
    const original = await storeOriginal(files, {
      folder: `${folder}/${draft.folder}`,
      bytes: renderedImage.bytes,
      image: { ...renderedImage.image, takenAt: cameraTime(morning, draft.seconds) },
    })
    const columns = await storeVariants(files, original.originalKey, renderedImage.variants)
    return { fileName, owner, position, original, columns }
  }
  return pMap(drafts, storeImage, { concurrency: concurrentFiles })
}

const storeLogo = async (files: Files, { slug, logo }: StudioDraft): Promise<Logo> => {
  const svg = await readDemoImage(`logo-${slug}.svg`)
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 16)
  const key = `demo/${slug}/logo-${hash}.svg`
  await files.put(key, svg)
  return { key, hash, ...logo }
}

/** Stores all images and logos of the demo. */
export const storeDemo = async (
  { files }: Pick<Deps, 'files'>,
  { rendered, calendar }: { rendered: RenderedDemo; calendar: DemoCalendar },
): Promise<StoredDemo> => {
  const { spring, rapids, hawks, classPortraits } = pictureDays
  return {
    logos: { riverside: await storeLogo(files, riverside), summit: await storeLogo(files, summit) },
    spring: await storeDay(files, spring, { rendered: rendered.spring, calendar }),
    rapids: await storeDay(files, rapids, { rendered: rendered.rapids, calendar }),
    hawks: await storeDay(files, hawks, { rendered: rendered.hawks, calendar }),
    classPortraits: await storeDay(files, classPortraits, { rendered: rendered.classPortraits, calendar }),
  }
}
