import { type Mutation, mutationVersion } from './mutation.ts'
import { isKnownKind } from './mutation-kinds.ts'

type Old = Readonly<Record<string, unknown>>

/** How to make the next version of a mutation out of each older one; `v` itself is counted up by whoever walks the chain. */
export type UpcastChain = Readonly<Record<number, (old: Old) => Old>>

const chain: UpcastChain = {
  // Services did not say what they were shown to cost.
  1: (old) => (old.do === 'service.set' ? { ...old, price: null } : old),
}

const isRecord = (value: unknown): value is Old => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Walks a chain from the version an object says it has to the newest; a gap, or no such version, is 'unknown-version'. */
export const upcastAlong = (steps: UpcastChain, newest: number, found: unknown): Old | 'unknown-version' => {
  if (!isRecord(found) || !Number.isInteger(found.v)) return 'unknown-version'
  let here = found
  while (here.v !== newest) {
    const step = steps[Number(here.v)]
    if (!step) return 'unknown-version'
    here = { ...step(here), v: Number(here.v) + 1 }
  }
  return here
}

/**
 * A stored or received mutation of any version we still read, as today's. Only version and kind are looked at: whoever reads holds the
 * result against the contract's struct. A kind that this build does not know comes from another version too.
 */
export const upcastMutation = (found: unknown): Mutation | 'unknown-version' => {
  const read = upcastAlong(chain, mutationVersion, found)
  return read !== 'unknown-version' && isKnownKind(read.do) ? (read as Mutation) : 'unknown-version' // the contract's struct checks the rest
}
