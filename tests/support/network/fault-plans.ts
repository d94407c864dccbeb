/**
 * A fault of one request. `refuse`: the connection is reset before a byte arrives. `cut-request`: half of its body arrives. `cut-answer`:
 * it is processed, and no byte of the response comes back. `cut-midway`: half of the response does. `hang`: no byte passes any more, and
 * the connection stays open. `hang-answer`: the same after it is processed. `maintenance`: the proxy itself responds 503. `delay`: the
 * request waits this many milliseconds. `meanwhile`: like `cut-answer`, with a callback that runs while the finished response waits.
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
  | { delay: number }
  | { meanwhile: () => Promise<void> }

export type RequestTarget = { method: string; path: string }

/** Decides the fault of each request, in the order of arrival. */
export type FaultPlan = (asked: RequestTarget) => NetworkFault

export const noFaults: FaultPlan = () => 'none'
export const refuseAll: FaultPlan = () => 'refuse'

/** The request that syncs a device's cart. */
export const syncRequest = /^POST .*\/cart\/sync$/

const isMatch = (meant: RegExp, { method, path }: RequestTarget): boolean => meant.test(`${method} ${path}`)

/** One of these faults for each request that matches `POST /path`, then none. */
export const faultsInOrder = (faults: readonly NetworkFault[], meant = /./): FaultPlan => {
  const left = [...faults]
  return (asked) => (isMatch(meant, asked) ? (left.shift() ?? 'none') : 'none')
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
export const randomFaults = (seed: number, odds: FaultOdds, meant = /./): FaultPlan => {
  const chance = seededRandom(seed)
  return (asked) => {
    if (!isMatch(meant, asked)) return 'none'
    let left = chance()
    for (const { fault, chance: share } of odds) {
      left -= share
      if (left < 0) return fault
    }
    return 'none'
  }
}
