/**
 * What may happen to a request on its way. `refuse`: the connection is reset before a byte arrives; `cut-request`: half of its body
 * arrives; `cut-answer`: it is done, and no byte of its answer comes back; `cut-midway`: half of the answer does; `hang`: nothing passes
 * any more, and the connection stays open; `hang-answer`: the same once it is done; `maintenance`: the line itself says 503. `delay`: it
 * waits so many milliseconds first. `meanwhile`: like `cut-answer`, with something done while the finished answer waits.
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

/** Decides what becomes of each request, in the order they come. */
export type FaultPlan = (asked: RequestTarget) => NetworkFault

export const noFaults: FaultPlan = () => 'none'
export const refuseAll: FaultPlan = () => 'refuse'

/** The request by which a device sends its cart. */
export const syncRequest = /^POST .*\/cart\/sync$/

const isMatch = (meant: RegExp, { method, path }: RequestTarget): boolean => meant.test(`${method} ${path}`)

/** These faults, one for each request that is meant (`POST /path` matched), then none. */
export const faultsInOrder = (faults: readonly NetworkFault[], meant = /./): FaultPlan => {
  const left = [...faults]
  return (asked) => (isMatch(meant, asked) ? (left.shift() ?? 'none') : 'none')
}

/** The same fault so many times. */
export const repeated = (count: number, fault: NetworkFault): NetworkFault[] =>
  Array.from({ length: count }, () => fault)

/** A repeatable chance from 0 to 1. */
export type RandomSource = () => number

/** The same seed gives the same chances (mulberry32). */
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
 * Each fault with its odds, for the requests that are meant; what is left of 1 is none. The same seed and the same requests give the
 * same faults.
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
