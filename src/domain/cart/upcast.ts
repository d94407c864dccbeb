import { type Mutation, mutationVersion } from './mutation.ts'
import { isKnownKind } from './mutation-kinds.ts'

type Old = Readonly<Record<string, unknown>>

/** Builds the next version of a mutation from each older one; `upcastAlong` increments `v`. */
export type UpcastChain = Readonly<Record<number, (old: Old) => Old>>

const chain: UpcastChain = {
  // Version 1 had no shown price on services.
  1: (old) => (old.do === 'service.set' ? { ...old, price: null } : old),
}

const isRecord = (value: unknown): value is Old => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Up-casts an object from its `v` to the newest version; returns 'unknown-version' for a missing step or an invalid
 * `v`.
 */
export const upcastAlong = (steps: UpcastChain, newest: number, value: unknown): Old | 'unknown-version' => {
  if (!isRecord(value) || !Number.isInteger(value.v)) return 'unknown-version'
  let current = value
  while (current.v !== newest) {
    const step = steps[Number(current.v)]
    if (!step) return 'unknown-version'
    current = { ...step(current), v: Number(current.v) + 1 }
  }
  return current
}

/**
 * Up-casts a stored or received mutation of any version we still read. Checks version and kind only: the caller
 * validates the result against the contract's struct. A kind that this build does not know counts as an unknown
 * version.
 */
export const upcastMutation = (value: unknown): Mutation | 'unknown-version' => {
  const read = upcastAlong(chain, mutationVersion, value)
  return read !== 'unknown-version' && isKnownKind(read.do) ? (read as Mutation) : 'unknown-version' // the contract's struct checks the rest
}
