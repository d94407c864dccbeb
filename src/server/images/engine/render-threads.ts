import { Piscina } from 'piscina'
import type { Log } from '#server/database/database.ts'
import type { RenderPrint } from '../print/print-here.ts'
import type { ChromaKey } from './chroma-key.ts'
import type { Compose } from './compose-image.ts'
import type { RenderRequest } from './render-thread.ts'
import type { RenderVariants } from './render-variants.ts'

/** One picture a core of the smallest machine: more at once only wait for each other. */
export const renderThreadCount = 2
/** Long enough for the next upload of a shoot; then their memory is given back. */
const idleMilliseconds = 30_000

/** Threads that render, and their end. What was being rendered when they are stopped fails. An aborted picture ends its thread. */
export type RenderThreads = {
  readonly render: RenderVariants
  readonly print: RenderPrint
  readonly compose: Compose
  readonly keyGreen: ChromaKey
  readonly stop: () => Promise<void>
}

/**
 * Renders in threads of their own, started when there is something to render. Decoded pixels make V8 collect its garbage about
 * once a picture: in a thread's small heap that takes a moment, in the server's it would hold up everybody's requests.
 */
export const startRenderThreads = (log: Log): RenderThreads => {
  const pool = new Piscina({
    filename: new URL('./render-thread.ts', import.meta.url).href,
    name: 'renderHere' satisfies keyof typeof import('./render-thread.ts'),
    minThreads: 0,
    maxThreads: renderThreadCount,
    idleTimeout: idleMilliseconds,
  })
  // A thread that dies while it has nothing to do; one at work fails its picture, which is tried again.
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
