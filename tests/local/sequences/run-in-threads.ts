import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Slice, SliceEnd } from './sequence-thread.ts'

/** Plays a slice in a thread of its own: a module graph, a platform and a heap that nobody else has. */
export const inThread = (slice: Slice): Promise<SliceEnd> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sequence-thread.ts', import.meta.url), {
      workerData: slice,
      // Most of what a sequence makes is of no use a moment later: in a small room that costs a fifth of the time.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
      execArgv: [],
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread ended without a word')))
  })

/** The same over as many threads as there are cores: nothing but cores makes ten thousand sequences short. */
export const inThreads = (from: number, count: number): Promise<SliceEnd[]> => {
  const threads = Math.min(count, availableParallelism())
  const slices = Array.from({ length: threads }, (_, index) => ({ from: from + index, every: threads, mutant: null }))
  return Promise.all(slices.map((slice) => inThread({ ...slice, count: Math.ceil(count / threads) })))
}
