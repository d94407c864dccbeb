import type { Sharp } from 'sharp'
import { openPixels, openSvg, pixelsOf } from '#server/images/engine/image-engine.ts'
import type { Scene } from './scene.ts'
import { type Backdrop, scenery } from './scenery.ts'

/** A picture's width and height, in pixels or in a drawing's own units. */
export type Size = { width: number; height: number }

/** A drawing and the size of its own coordinates. */
export type Drawing = { content: string; view: Size }

const SKETCH = 420

/**
 * A backdrop for a drawing, filling its view. It is out of focus, so it is drawn small, blurred there, and enlarged with
 * the drawing: a fraction of the work.
 */
export const backdropBehind = async (name: Backdrop, { width, height }: Size): Promise<string> => {
  const { blur, draw }: Scene = scenery[name]
  const high = (1000 * height) / width
  const sketch = { width: SKETCH, height: Math.round((SKETCH * height) / width) }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${sketch.width}" height="${sketch.height}" viewBox="0 0 1000 ${high}" preserveAspectRatio="none">${draw(high)}</svg>`
  const { data } = await pixelsOf(
    openSvg(svg)
      .flatten({ background: '#fff' })
      .blur(0.3 + (blur * SKETCH) / 2000),
  ).then((pixels) => openPixels(pixels).png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true }))
  // One sketched pixel too wide on each side, so that no edge fades into nothing.
  const spill = width / SKETCH
  return `<image href="data:image/png;base64,${data.toString('base64')}" x="${-spill}" y="${-spill}" width="${width + 2 * spill}" height="${height + 2 * spill}" preserveAspectRatio="none"/>`
}

const open = ({ content, view }: Drawing, { width, height }: Size): Sharp =>
  openSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${view.width} ${view.height}">${content}</svg>`,
  )

/** How a camera stores a picture: which way it was held (EXIF 1, 3, 6 or 8), what it is, and when. */
export type Camera = { orientation: 1 | 3 | 6 | 8; model: string; takenAt: Date }

const turnBack = { 1: 0, 3: 180, 6: 270, 8: 90 } as const

const exifDate = (at: Date): string => at.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ')

/** The drawing as a camera's JPEG, turned the way it was held, with the tags cameras write. */
export const photograph = (drawing: Drawing, size: Size, { orientation, model, takenAt }: Camera): Promise<Buffer> => {
  const [make = model] = model.split(' ')
  const taken = exifDate(takenAt)
  return open(drawing, size)
    .flatten({ background: '#fff' })
    .rotate(turnBack[orientation])
    .withExif({
      IFD0: { Make: make, Model: model, Software: 'Fieldproof demo drawing', DateTime: taken },
      IFD2: { DateTimeOriginal: taken, LensModel: '85mm f/1.8', ISOSpeedRatings: '200' },
    })
    .withMetadata({ orientation })
    .jpeg({ quality: 88, optimiseCoding: false })
    .toBuffer()
}

/** The drawing on nothing, as a WebP with alpha; quick rather than small. */
export const cutOut = (drawing: Drawing, size: Size): Promise<Buffer> =>
  open(drawing, size).webp({ quality: 90, alphaQuality: 90, effort: 0 }).toBuffer()
