import { openPixels, type Pixels, pixelsOf } from '../engine/image-engine.ts'
import type { Area } from './print-area.ts'

/** One layer of a print: decoded pixels, opaque if they have three channels, or an SVG of our own making. */
export type Layer = { readonly area: Area; readonly content: Pixels | Buffer }

/** The colour where there is no layer. */
export const paperColour = '#ffffff'
const whiteByte = 0xff

const isOpaque = (content: Pixels | Buffer): content is Pixels => 'channels' in content && content.channels === 3

/**
 * Composes layers on white paper of the given size, the first at the bottom. The engine would blend the whole print for
 * each layer; here opaque layers are copied and transparent ones blended in their own area only.
 */
export const onPaper = async (
  layers: readonly Layer[],
  { width, height }: { width: number; height: number },
): Promise<Pixels> => {
  const paper: Pixels = { data: Buffer.alloc(width * height * 3, whiteByte), width, height, channels: 3 }
  for (const { area, content } of layers)
    copyRows(isOpaque(content) ? content : await blendWithPaper(paper, { area, content }), { paper, area })
  return paper
}

const blendWithPaper = async (paper: Pixels, { area, content }: Layer): Promise<Pixels> => {
  const backdrop = await pixelsOf(openPixels(paper).extract(area))
  const layer = Buffer.isBuffer(content) ? { input: content } : { input: content.data, raw: content }
  return await pixelsOf(
    openPixels(backdrop)
      .composite([{ ...layer, left: 0, top: 0 }])
      .removeAlpha(),
  )
}

const copyRows = ({ data, width, height }: Pixels, { paper, area }: { paper: Pixels; area: Area }): void => {
  for (let row = 0; row < height; row += 1) {
    const targetStart = ((area.top + row) * paper.width + area.left) * 3
    data.copy(paper.data, targetStart, row * width * 3, (row + 1) * width * 3)
  }
}
