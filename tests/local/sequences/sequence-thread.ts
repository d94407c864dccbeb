import './simulated-platform.ts'
import { registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { type Mutant, mutated } from './engine-mutants.ts'
import { planOf } from './sequence-plan.ts'

/**
 * `count` sequences, whose seeds start at `from` in steps of `every`. `mutant`: a fault to add to the engine, or null.
 */
export type Slice = { from: number; every: number; count: number; mutant: Mutant | null }

export type SliceEnd =
  | { failure: null; editCount: number; faultCount: number; fewestEdits: number; fewestFaults: number }
  | { failure: { seed: number; what: string; trace: string[] }; after: number }

const { from, every, count, mutant } = workerData as Slice // posted by `inThread`

if (mutant)
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      return url.endsWith(`/${mutant.file}`) ? { ...loaded, source: mutated(mutant, String(loaded.source)) } : loaded
    },
  })

// Imported only after the hooks are registered.
const { play } = await import('./play-sequence.ts')
const { findFailure } = await import('./shrink-sequence.ts')

const run = async (): Promise<SliceEnd> => {
  const sum = {
    editCount: 0,
    faultCount: 0,
    fewestEdits: Number.POSITIVE_INFINITY,
    fewestFaults: Number.POSITIVE_INFINITY,
  }
  for (let index = 0; index < count; index += 1) {
    const seed = from + index * every
    const steps = planOf(seed)
    try {
      const { editCount, faultCount } = await play(seed, steps)
      sum.editCount += editCount
      sum.faultCount += faultCount
      sum.fewestEdits = Math.min(sum.fewestEdits, editCount)
      sum.fewestFaults = Math.min(sum.fewestFaults, faultCount)
    } catch {
      const failure = await findFailure(seed, steps, mutant === null)
      if (failure) return { failure, after: index + 1 }
      return { failure: { seed, what: 'a failure that cannot be reproduced', trace: [] }, after: index + 1 }
    }
  }
  return { failure: null, ...sum }
}

parentPort?.postMessage(await run())
process.exit()
