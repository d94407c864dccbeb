import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Slice, SliceEnd } from './sequence-thread.ts'

/** Runs a slice in its own thread, with its own modules, platform and heap. */
export const inThread = (slice: Slice): Promise<SliceEnd> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sequence-thread.ts', import.meta.url), {
      workerData: slice,
      // Most objects of a sequence are short-lived: in a smaller young generation, collecting them would take a fifth
      // of the time.
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
      execArgv: [],
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread ended without a result')))
  })

/** Runs sequences in as many threads as there are cores. */
export const inThreads = (from: number, count: number): Promise<SliceEnd[]> => {
  const threads = Math.min(count, availableParallelism())
  const slices = Array.from({ length: threads }, (_, index) => ({ from: from + index, every: threads, mutant: null }))
  return Promise.all(slices.map((slice) => inThread({ ...slice, count: Math.ceil(count / threads) })))
}
