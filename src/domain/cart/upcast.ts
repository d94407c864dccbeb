import { type Mutation, mutationVersion } from './mutation.ts'
import { isKnownKind } from './mutations.ts'

type PlainObject = Readonly<Record<string, unknown>>

/**
 * The steps from one version to the next, by the older version's number. A step does not change `v`: `upcastAlong`
 * increments it.
 */
export type UpcastChain = Readonly<Record<number, (old: PlainObject) => PlainObject>>

/** Empty, since version 1 is the only one. A new version adds the step from the version before it. */
const chain: UpcastChain = {}

const isRecord = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Applies the steps from the object's version to the newest; returns 'unknown-version' where a step is missing or `v`
 * is no integer.
 */
export const upcastAlong = (steps: UpcastChain, newest: number, stored: unknown): PlainObject | 'unknown-version' => {
  if (!isRecord(stored) || !Number.isInteger(stored.v)) return 'unknown-version'
  let current = stored
  while (current.v !== newest) {
    const step = steps[Number(current.v)]
    if (!step) return 'unknown-version'
    current = { ...step(current), v: Number(current.v) + 1 }
  }
  return current
}

/**
 * Up-casts a stored or received mutation to the current version. Checks the version and the kind only: the caller
 * validates the result with the contract's struct. A kind that this build does not know counts as another version.
 */
export const upcastMutation = (stored: unknown): Mutation | 'unknown-version' => {
  const upcast = upcastAlong(chain, mutationVersion, stored)
  return upcast !== 'unknown-version' && isKnownKind(upcast.do) ? (upcast as Mutation) : 'unknown-version' // the contract's struct validates the rest
}
