import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../deps.ts'
import type { Variant } from './variants.ts'

/** A variant of a studio's picture; `hash` is of its bytes. */
export type StaffPicture = {
  readonly studioId: number
  readonly imageId: number
  readonly variant: Variant
  readonly hash: string
}

/** What stands behind the `?` of such an address: the second it ends with, and whose word that is. */
export type StaffSeal = { readonly until: string; readonly seal: string }

type Sealing = Pick<Deps, 'settings' | 'clock'>

const lifeSeconds = 15 * 60
/** An address stays the same for so long, so that a list that is asked for again is not drawn again. */
const steadySeconds = 5 * 60
const sealBytes = 16

const sealOf = ({ settings }: Sealing, { studioId, imageId, variant, hash }: StaffPicture, until: number): Buffer =>
  createHmac('sha256', settings.secret)
    .update(`staff-picture:${studioId}:${imageId}:${variant}:${hash}:${until}`)
    .digest()
    .subarray(0, sealBytes)

const secondsOf = ({ clock }: Sealing): number => Math.floor(clock().getTime() / 1000)

/**
 * Where staff see a picture of their studio, for ten to fifteen minutes (section 8). Made only for who may see it: the address is
 * good in anybody's hands.
 */
export const staffAddress = (deps: Sealing, picture: StaffPicture): string => {
  const until = Math.floor(secondsOf(deps) / steadySeconds) * steadySeconds + lifeSeconds
  const { studioId, imageId, variant, hash } = picture
  const seal = sealOf(deps, picture, until).toString('base64url')
  return `/photos/staff/${studioId}/${imageId}/${variant}-${hash}?until=${until}&seal=${seal}`
}

/** Whether an address was made here, and is not over. */
export const isSealed = (deps: Sealing, picture: StaffPicture, { until, seal }: StaffSeal): boolean => {
  if (!/^\d{1,12}$/.test(until) || Number(until) <= secondsOf(deps)) return false
  const shown = Buffer.from(seal, 'base64url')
  return shown.length === sealBytes && timingSafeEqual(shown, sealOf(deps, picture, Number(until)))
}
