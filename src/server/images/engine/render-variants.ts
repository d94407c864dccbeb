import { makeVariants, type VariantsResult } from './image-variants.ts'
import { drawWatermark, type Watermark } from './watermark.ts'

/** Makes the variants of an original, watermarked with a name; stops early, where it can, when `signal` aborts. */
export type RenderVariants = (original: Uint8Array, markName: string, signal?: AbortSignal) => Promise<VariantsResult>

/** How many watermarks are cached: a shoot's images come in sequence and share one. */
const mostMarks = 4

const markKeeper = (): ((name: string) => Promise<Watermark>) => {
  const drawn = new Map<string, Promise<Watermark>>()
  return (name) => {
    const kept = drawn.get(name) ?? drawWatermark(name)
    drawn.delete(name)
    drawn.set(name, kept)
    for (const oldest of [...drawn.keys()].slice(0, -mostMarks)) drawn.delete(oldest)
    return kept
  }
}

/** Renders in this thread, and draws each watermark once. */
export const createRenderer = (): RenderVariants => {
  const markOf = markKeeper()
  return async (original, markName) => makeVariants(original, { watermark: await markOf(markName) })
}
