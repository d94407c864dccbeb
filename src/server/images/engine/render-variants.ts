import { makeVariants, type VariantsResult } from './image-variants.ts'
import { drawWatermark, type Watermark } from './watermark.ts'

/** Makes the variants of an original, watermarked with a name. Stops early if possible when `signal` aborts. */
export type RenderVariants = (original: Uint8Array, markName: string, signal?: AbortSignal) => Promise<VariantsResult>

/** The number of cached watermarks. The images of a shoot come in sequence and share one watermark. */
const maxCachedWatermarks = 4

const createWatermarkCache = (): ((name: string) => Promise<Watermark>) => {
  const watermarks = new Map<string, Promise<Watermark>>()
  return (name) => {
    const watermark = watermarks.get(name) ?? drawWatermark(name)
    watermarks.delete(name)
    watermarks.set(name, watermark)
    for (const oldest of [...watermarks.keys()].slice(0, -maxCachedWatermarks)) watermarks.delete(oldest)
    return watermark
  }
}

/** Renders in this thread, and draws each watermark once. */
export const createRenderer = (): RenderVariants => {
  const getWatermark = createWatermarkCache()
  return async (original, markName) => makeVariants(original, { watermark: await getWatermark(markName) })
}
