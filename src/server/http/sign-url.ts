import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { User } from '../access/tokens/access-token.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/** The query of a signed URL: the id of its user, the Unix second it expires at, and the signature of both. */
export type UrlSignature = { readonly by: string; readonly until: string; readonly seal: string }

type Checking = Pick<Deps, 'settings' | 'clock'>
/** `user` is the member of staff that the URL is for. */
export type UrlSigningDeps = Checking & { readonly user: Pick<User, 'id'> }

const lifeSeconds = 15 * 60
/** Seconds for which a URL stays the same, so that a browser can cache what it loads. */
const steadySeconds = 5 * 60
const sealBytes = 16

const sealOf = ({ settings }: Checking, what: string, { by, until }: Omit<UrlSignature, 'seal'>): Buffer =>
  createHmac('sha256', settings.secret).update(`${what}:${by}:${until}`).digest().subarray(0, sealBytes)

const secondsOf = ({ clock }: Checking): number => Math.floor(clock().getTime() / 1000)

/** The query of a URL that is valid for ten to fifteen minutes, for anyone who has it, while its user is staff: see `isByStaffOf`. */
export const signUrl = (deps: UrlSigningDeps, what: string): string => {
  const by = String(deps.user.id)
  const until = String(Math.floor(secondsOf(deps) / steadySeconds) * steadySeconds + lifeSeconds)
  return `by=${by}&until=${until}&seal=${sealOf(deps, what, { by, until }).toString('base64url')}`
}

/** Whether a signature for `what` was made here and has not expired; `over` is a grace period in seconds, by default none. */
export const isSignedUrl = (
  deps: Checking,
  { what, over = 0 }: { readonly what: string; readonly over?: number },
  { by, until, seal }: UrlSignature,
): boolean => {
  if (![by, until].every((number) => /^\d{1,12}$/.test(number)) || Number(until) + over <= secondsOf(deps)) return false
  const shown = Buffer.from(seal, 'base64url')
  return shown.length === sealBytes && timingSafeEqual(shown, sealOf(deps, what, { by, until }))
}

/** Reads the signature in a query; missing parts become empty, which is never valid. */
export const sealIn = ({ by = '', until = '', seal = '' }: Partial<UrlSignature>): UrlSignature => ({
  by: String(by),
  until: String(until),
  seal: String(seal),
})

/** Whether the user of a valid signature may still sign in and works at the studio, or is an administrator. */
export const isByStaffOf = async (db: Db, studioId: number, { by }: UrlSignature): Promise<boolean> => {
  const { rows } = await sql`
    select from users w join studios s on s.id = ${studioId}
     where w.id = ${by}::bigint and w.disabled_at is null
       and (w.role = 'administrator' or (w.studio_id = s.id and s.rspo_enabled))`.execute(db)
  return rows.length > 0
}
