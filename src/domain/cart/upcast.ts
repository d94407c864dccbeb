import { type Mutation, mutationVersion } from './mutation.ts'
import { isKnownKind } from './mutation-kinds.ts'

type Old = Readonly<Record<string, unknown>>

/** The step from each older version to the next one, by the older version. A step leaves `v` alone: `upcastAlong` increments it. */
export type UpcastChain = Readonly<Record<number, (old: Old) => Old>>

/** Empty, since version 1 is the only one. A new version adds the step from the version before it. */
const chain: UpcastChain = {}

const isRecord = (value: unknown): value is Old => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies the steps from the object's version to the newest; returns 'unknown-version' where a step is missing or `v` is no integer. */
export const upcastAlong = (steps: UpcastChain, newest: number, found: unknown): Old | 'unknown-version' => {
  if (!isRecord(found) || !Number.isInteger(found.v)) return 'unknown-version'
  let current = found
  while (current.v !== newest) {
    const step = steps[Number(current.v)]
    if (!step) return 'unknown-version'
    current = { ...step(current), v: Number(current.v) + 1 }
  }
  return current
}

/**
 * Up-casts a stored or received mutation to the current version. Checks the version and the kind only: the caller validates the result
 * with the contract's struct. A kind that this build does not know counts as another version.
 */
export const upcastMutation = (found: unknown): Mutation | 'unknown-version' => {
  const read = upcastAlong(chain, mutationVersion, found)
  return read !== 'unknown-version' && isKnownKind(read.do) ? (read as Mutation) : 'unknown-version' // the contract's struct validates the rest
}
