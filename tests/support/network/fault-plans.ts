/**
 * A fault of one request. `refuse`: the connection is reset before a byte arrives. `cut-request`: half of its body arrives. `cut-answer`:
 * it is processed, and its response is lost. `cut-midway`: it is processed, and half of its response arrives. `hang`: it never arrives, and
 * the connection stays open. `hang-answer`: it is processed, its response never arrives, and the connection stays open. `maintenance`: the
 * proxy responds 503. `until`: the request waits for this promise. `meanwhile`: like `cut-answer`, but the callback runs before the response
 * is dropped.
 */
export type NetworkFault =
  | 'none'
  | 'refuse'
  | 'cut-request'
  | 'cut-answer'
  | 'cut-midway'
  | 'hang'
  | 'hang-answer'
  | 'maintenance'
  | { until: Promise<unknown> }
  | { meanwhile: () => Promise<void> }

export type RequestTarget = { method: string; path: string }

/** Decides the fault of each request, in the order of arrival. */
export type FaultPlan = (target: RequestTarget) => NetworkFault

export const noFaults: FaultPlan = () => 'none'
export const refuseAll: FaultPlan = () => 'refuse'

/** The request that syncs a device's cart. */
export const syncRequest = /^POST .*\/cart\/sync$/

const isMatch = (pattern: RegExp, { method, path }: RequestTarget): boolean => pattern.test(`${method} ${path}`)

/** One of these faults for each request that matches `POST /path`, then none. */
export const faultsInOrder = (faults: readonly NetworkFault[], pattern = /./): FaultPlan => {
  const remaining = [...faults]
  return (target) => (isMatch(pattern, target) ? (remaining.shift() ?? 'none') : 'none')
}

/** The same fault `count` times. */
export const repeated = (count: number, fault: NetworkFault): NetworkFault[] =>
  Array.from({ length: count }, () => fault)

/** Returns repeatable random numbers from 0 to 1. */
export type RandomSource = () => number

/** The same seed gives the same numbers (mulberry32). */
export const seededRandom = (seed: number): RandomSource => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export type FaultOdds = readonly { fault: NetworkFault; chance: number }[]

/**
 * Draws a fault by its odds for each matching request. The rest up to 1 is no fault. The same seed and the same requests give the same
 * faults.
 */
export const randomFaults = (seed: number, odds: FaultOdds, pattern = /./): FaultPlan => {
  const random = seededRandom(seed)
  return (target) => {
    if (!isMatch(pattern, target)) return 'none'
    let remainder = random()
    for (const { fault, chance } of odds) {
      remainder -= chance
      if (remainder < 0) return fault
    }
    return 'none'
  }
}
