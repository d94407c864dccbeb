import { makeVariants, type VariantsResult } from './image-variants.ts'
import { drawWatermark, type Mark, type Watermark } from './watermark.ts'

/** Makes the variants of an original with a watermark. Stops early if possible when `signal` aborts. */
export type RenderVariants = (original: Uint8Array, mark: Mark, signal?: AbortSignal) => Promise<VariantsResult>

/** The number of cached watermarks. The images of a shoot come in sequence and share one watermark. */
const maxCachedWatermarks = 4

const createWatermarkCache = (): ((mark: Mark) => Promise<Watermark>) => {
  const watermarks = new Map<string, Promise<Watermark>>()
  return (mark) => {
    const watermark = watermarks.get(mark.key) ?? drawWatermark(mark)
    watermarks.delete(mark.key)
    watermarks.set(mark.key, watermark)
    for (const oldest of [...watermarks.keys()].slice(0, -maxCachedWatermarks)) watermarks.delete(oldest)
    return watermark
  }
}

/** Renders in this thread, and draws each watermark once. */
export const createRenderer = (): RenderVariants => {
  const getWatermark = createWatermarkCache()
  return async (original, mark) => makeVariants(original, { watermark: await getWatermark(mark) })
}
