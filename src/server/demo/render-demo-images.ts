import { readFile } from 'node:fs/promises'
import pMap from 'p-map'
import { Piscina } from 'piscina'
import type { VariantsResult } from '../images/engine/image-variants.ts'
import { createRenderer, type RenderVariants } from '../images/engine/render-variants.ts'
import { type Mark, nameMark } from '../images/engine/watermark.ts'
import { type InspectedImage, inspectHeader } from '../images/inspection/inspect-image.ts'
import { type PictureDay, type PictureDayName, pictureDays } from './demo-image-drafts.ts'

/** A file of the folder `pictures`, and its variants for customers. */
export type RenderedDemoImage = {
  readonly bytes: Uint8Array
  readonly image: InspectedImage
  readonly variants: Extract<VariantsResult, { ok: true }>
}

/** The images of a job by file name. */
export type RenderedDay = ReadonlyMap<string, RenderedDemoImage>

/** Every image of the demo, ready to be stored. */
export type RenderedDemo = Readonly<Record<PictureDayName, RenderedDay>>

/** Reads a file of the folder `pictures`. */
export const readDemoImage = (name: string): Promise<Buffer> => readFile(new URL(`./pictures/${name}`, import.meta.url))

/** Images rendered at the same time: the number of cores of the smallest supported machine. */
const concurrentImages = 2

const renderImage = async (name: string, mark: Mark, render: RenderVariants): Promise<RenderedDemoImage> => {
  const bytes = await readDemoImage(name)
  // Reads only the header, because rendering the variants decodes the whole image.
  const inspection = await inspectHeader(bytes)
  const variants = inspection.ok ? await render(bytes, mark) : inspection
  if (!inspection.ok || !variants.ok) throw new Error(`${name} of the demo was rejected`, { cause: variants })
  return { bytes, image: inspection.image, variants }
}

/** Renders each file once, however many subjects share it. */
const renderDay = async ({ studio, drafts }: PictureDay, render: RenderVariants): Promise<RenderedDay> => {
  const names = new Set(drafts.map(({ imageFile }) => imageFile))
  const renderNamed = async (name: string) => [name, await renderImage(name, nameMark(studio.name), render)] as const
  return new Map(await pMap(names, renderNamed, { concurrency: concurrentImages }))
}

/** Renders the variants of every image. Takes seconds. */
export const renderDemo = async (): Promise<RenderedDemo> => {
  const render = createRenderer()
  const spring = await renderDay(pictureDays.spring, render)
  return {
    spring,
    // The pupils of both jobs share files.
    classPortraits: spring,
    rapids: await renderDay(pictureDays.rapids, render),
    hawks: await renderDay(pictureDays.hawks, render),
  }
}

/** Renders in a separate thread, while the first start of a server creates its database. */
export const renderDemoInThread = async (): Promise<RenderedDemo> => {
  const pool = new Piscina<undefined, RenderedDemo>({ filename: import.meta.url, name: renderDemo.name, maxThreads: 1 })
  try {
    return await pool.run(undefined)
  } finally {
    await pool.destroy()
  }
}
