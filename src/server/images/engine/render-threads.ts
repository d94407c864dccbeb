import { Piscina } from 'piscina'
import type { Log } from '#server/database/database.ts'
import type { RenderPrint } from '../print/print-here.ts'
import type { ChromaKey } from './chroma-key.ts'
import type { Compose } from './compose-image.ts'
import type { RenderRequest } from './render-thread.ts'
import type { RenderVariants } from './render-variants.ts'

/** One image per core of the smallest machine: more would only wait for each other. */
export const renderThreadCount = 2
/** Long enough for the next upload of a shoot; then the threads' memory is released. */
const idleMilliseconds = 30_000

/** Threads that render, and how to stop them: what is being rendered then fails. An aborted image ends its thread. */
export type RenderThreads = {
  readonly render: RenderVariants
  readonly print: RenderPrint
  readonly compose: Compose
  readonly keyGreen: ChromaKey
  readonly stop: () => Promise<void>
}

/**
 * Renders in threads, started when needed. Decoded pixels make V8 collect garbage about once per image: that is short in a thread's small
 * heap, but in the server's heap it would delay every request.
 */
export const startRenderThreads = (log: Log): RenderThreads => {
  const pool = new Piscina({
    filename: new URL('./render-thread.ts', import.meta.url).href,
    name: 'renderHere' satisfies keyof typeof import('./render-thread.ts'),
    minThreads: 0,
    maxThreads: renderThreadCount,
    idleTimeout: idleMilliseconds,
  })
  // An idle thread died. A thread that dies at work fails its image, which is retried.
  pool.on('error', (problem) => log.error({ err: problem }, 'a thread that renders pictures died'))
  return {
    render: (original, markName, signal) =>
      pool.run({ original, markName } satisfies RenderRequest, { ...(signal && { signal }) }),
    print: (job) => pool.run(job, { name: 'printHere' satisfies keyof typeof import('./render-thread.ts') }),
    compose: (job, signal) =>
      pool.run(job, {
        name: 'composeHere' satisfies keyof typeof import('./render-thread.ts'),
        ...(signal && { signal }),
      }),
    keyGreen: (original, signal) =>
      pool.run(original, {
        name: 'keyHere' satisfies keyof typeof import('./render-thread.ts'),
        ...(signal && { signal }),
      }),
    stop: () => pool.destroy(),
  }
}
