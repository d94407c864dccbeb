import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../deps.ts'

/** What stands behind the `?` of a sealed address: the second it ends with, and whose word that is. */
export type Seal = { readonly until: string; readonly seal: string }

export type Sealing = Pick<Deps, 'settings' | 'clock'>

const lifeSeconds = 15 * 60
/** An address stays the same for so long, so that what is asked for again is not fetched again. */
const steadySeconds = 5 * 60
const sealBytes = 16

const sealOf = ({ settings }: Sealing, what: string, until: number): Buffer =>
  createHmac('sha256', settings.secret).update(`${what}:${until}`).digest().subarray(0, sealBytes)

const secondsOf = ({ clock }: Sealing): number => Math.floor(clock().getTime() / 1000)

/** The end of an address that is good for ten to fifteen minutes, in anybody's hands: made only for who may see `what` it names. */
export const sealFor = (deps: Sealing, what: string): string => {
  const until = Math.floor(secondsOf(deps) / steadySeconds) * steadySeconds + lifeSeconds
  return `until=${until}&seal=${sealOf(deps, what, until).toString('base64url')}`
}

/** Whether a seal is one for `what` that was made here, and is `over` for less than so many seconds: without them, not at all. */
export const isSealedFor = (
  deps: Sealing,
  { what, over = 0 }: { readonly what: string; readonly over?: number },
  { until, seal }: Seal,
): boolean => {
  if (!/^\d{1,12}$/.test(until) || Number(until) + over <= secondsOf(deps)) return false
  const shown = Buffer.from(seal, 'base64url')
  return shown.length === sealBytes && timingSafeEqual(shown, sealOf(deps, what, Number(until)))
}
