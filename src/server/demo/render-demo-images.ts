import { readFile } from 'node:fs/promises'
import { Piscina } from 'piscina'
import type { VariantsResult } from '../images/engine/image-variants.ts'
import { createRenderer, type RenderVariants } from '../images/engine/render-variants.ts'
import { type InspectedImage, inspectHeader } from '../images/inspection/inspect-image.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { type PictureDay, type PictureDayName, pictureDays } from './demo-image-drafts.ts'

/** A file of `pictures`, and its variants for customers. */
export type RenderedDemoImage = {
  readonly bytes: Uint8Array
  readonly picture: InspectedImage
  readonly variants: Extract<VariantsResult, { ok: true }>
}

/** The images of a job by file name. */
export type RenderedDay = ReadonlyMap<string, RenderedDemoImage>

/** Every image of the demo, ready to be stored. */
export type RenderedDemo = Readonly<Record<PictureDayName, RenderedDay>>

/** Reads a file of `pictures`. */
export const readDemoImage = (name: string): Promise<Buffer> => readFile(new URL(`./pictures/${name}`, import.meta.url))

/** As many at once as the smallest supported machine has cores. */
const atOnce = 2

const renderOne = async (name: string, markName: string, render: RenderVariants): Promise<RenderedDemoImage> => {
  const bytes = await readDemoImage(name)
  // The header is enough here: making the variants decodes the whole image.
  const inspection = await inspectHeader(bytes)
  const variants = inspection.ok ? await render(bytes, markName) : inspection
  if (!inspection.ok || !variants.ok) throw new Error(`${name} of the demo was refused`, { cause: variants })
  return { bytes, picture: inspection.image, variants }
}

/** Renders each file once, however many subjects share it. */
const renderDay = async ({ studio, drafts }: PictureDay, render: RenderVariants): Promise<RenderedDay> => {
  const names = new Set(drafts.map(({ picture }) => picture))
  return new Map(
    await mapConcurrently(names, atOnce, async (name) => [name, await renderOne(name, studio.name, render)] as const),
  )
}

/** Makes the variants of every image. Takes seconds. */
export const renderDemo = async (): Promise<RenderedDemo> => {
  const render = createRenderer()
  return {
    spring: await renderDay(pictureDays.spring, render),
    rapids: await renderDay(pictureDays.rapids, render),
    hawks: await renderDay(pictureDays.hawks, render),
  }
}

/** Renders in a thread of its own, while a first start creates its database. */
export const renderDemoAside = async (): Promise<RenderedDemo> => {
  const pool = new Piscina<undefined, RenderedDemo>({ filename: import.meta.url, name: renderDemo.name, maxThreads: 1 })
  try {
    return await pool.run(undefined)
  } finally {
    await pool.destroy()
  }
}
