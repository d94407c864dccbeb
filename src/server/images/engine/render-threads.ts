import { Piscina } from 'piscina'
import type { Log } from '#server/database/database.ts'
import type { CropImage } from '../print/crop-image.ts'
import type { PrintItem } from '../print/print-file.ts'
import type { ChromaKey } from './chroma-key.ts'
import type { Compose } from './compose-image.ts'
import type { ImageSource } from './image-engine.ts'
import type { RenderRequest } from './render-thread.ts'
import type { RenderVariants } from './render-variants.ts'

/** One image per core of the smallest machine: more would only wait for each other. */
export const renderThreadCount = 2
/** After this time without work, the memory of the threads is released. The next upload of a shoot comes sooner. */
const idleMs = 30_000

/** Threads that render, and how to stop them. An image that is being rendered then fails; aborting an image ends its thread. */
export type RenderThreads = {
  readonly render: RenderVariants
  readonly renderPrint: PrintItem
  readonly cropImage: CropImage
  readonly compose: Compose
  readonly keyGreen: ChromaKey
  readonly stop: () => Promise<void>
}

/**
 * Moves the bytes of a file to the thread. Copying an original makes V8 collect garbage in the server's heap more often. A small buffer shares
 * its memory with others, so it is copied.
 */
const movedBytes = (source: ImageSource): { transferList: ArrayBuffer[] } =>
  typeof source !== 'string' && source.buffer instanceof ArrayBuffer && source.byteLength === source.buffer.byteLength
    ? { transferList: [source.buffer] }
    : { transferList: [] }

/**
 * Renders in threads, which start when they are needed. Decoded pixels make V8 collect garbage about once per image: that is quick in the
 * small heap of a thread, but in the server's heap it would delay every request.
 */
export const startRenderThreads = (log: Log): RenderThreads => {
  const pool = new Piscina({
    filename: new URL('./render-thread.ts', import.meta.url).href,
    name: 'renderInThread' satisfies keyof typeof import('./render-thread.ts'),
    minThreads: 0,
    maxThreads: renderThreadCount,
    idleTimeout: idleMs,
  })
  // Only an idle thread is reported here. A thread that dies during a task fails its image, which is retried.
  pool.on('error', (problem) => log.error({ err: problem }, 'a rendering thread died'))
  return {
    render: (original, mark, signal) =>
      pool.run({ original, mark } satisfies RenderRequest, { ...(signal && { signal }) }),
    renderPrint: (job) => pool.run(job, { name: 'printItem' satisfies keyof typeof import('./render-thread.ts') }),
    cropImage: (job) =>
      pool.run(job, {
        name: 'cropImage' satisfies keyof typeof import('./render-thread.ts'),
        ...movedBytes(job.source),
      }),
    compose: (job, signal) =>
      pool.run(job, {
        name: 'composeImage' satisfies keyof typeof import('./render-thread.ts'),
        ...(signal && { signal }),
      }),
    keyGreen: (original, signal) =>
      pool.run(original, {
        name: 'cutOutSubject' satisfies keyof typeof import('./render-thread.ts'),
        ...(signal && { signal }),
      }),
    stop: () => pool.destroy(),
  }
}
