import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Permission } from '#contract/shapes/call.ts'
import { rolesWith } from '../access/authorization/role-permissions.ts'
import type { User } from '../access/tokens/access-token.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/**
 * The query of a signed URL: `by` is the id of its user, `until` the Unix second it expires at, `seal` the signature of
 * both and of the text that identifies the URL.
 */
export type UrlSignature = { readonly by: string; readonly until: string; readonly seal: string }

type SignatureDeps = Pick<Deps, 'settings' | 'clock'>
/** `user` is the member of staff that the URL is for. */
export type UrlSigningDeps = SignatureDeps & { readonly user: Pick<User, 'id'> }

const maxLifeSeconds = 15 * 60
/** Seconds for which a URL stays the same, so that a browser can cache what it loads. */
const stableSeconds = 5 * 60
const signatureBytes = 16

const computeSignature = (
  { settings }: SignatureDeps,
  text: string,
  { by, until }: Omit<UrlSignature, 'seal'>,
): Buffer => createHmac('sha256', settings.secret).update(`${text}:${by}:${until}`).digest().subarray(0, signatureBytes)

const currentSeconds = ({ clock }: SignatureDeps): number => Math.floor(clock().getTime() / 1000)

/**
 * Signs the text that identifies a URL, and returns the query for it. Anyone who has the URL can use it for 10 to 15
 * minutes, while its user is staff (`isSignedByStaff`).
 */
export const signUrl = (deps: UrlSigningDeps, text: string): string => {
  const by = String(deps.user.id)
  const until = String(Math.floor(currentSeconds(deps) / stableSeconds) * stableSeconds + maxLifeSeconds)
  return `by=${by}&until=${until}&seal=${computeSignature(deps, text, { by, until }).toString('base64url')}`
}

/** Whether a signature of this text is valid and has not expired. `graceSeconds` extends its life; default: none. */
export const isSignedUrl = (
  deps: SignatureDeps,
  { text, graceSeconds = 0 }: { readonly text: string; readonly graceSeconds?: number },
  { by, until, seal }: UrlSignature,
): boolean => {
  if (![by, until].every((number) => /^\d{1,12}$/.test(number)) || Number(until) + graceSeconds <= currentSeconds(deps))
    return false
  const received = Buffer.from(seal, 'base64url')
  return received.length === signatureBytes && timingSafeEqual(received, computeSignature(deps, text, { by, until }))
}

/** Reads the signature from a query. Missing parts become empty, which is never valid. */
export const signatureFromQuery = ({ by = '', until = '', seal = '' }: Partial<UrlSignature>): UrlSignature => ({
  by: String(by),
  until: String(until),
  seal: String(seal),
})

/** Who may use a signed URL. */
export type SignedAccess = {
  /** The studio whose staff may use it; null for administrators only. */
  readonly studioId: number | null
  /** The permission that its user must still have; by default any member of staff may use it. */
  readonly permission?: Permission
}

/**
 * Whether the user of a valid signature is still enabled and has the permission, and either is an administrator or works at this studio and
 * the studio is enabled.
 */
const isByStaffOf = async (db: Db, access: SignedAccess, { by }: UrlSignature): Promise<boolean> => {
  const { studioId, permission } = access
  const roles = rolesWith(permission === undefined ? [] : [permission])
  const { rows } = await sql`
    select from users w left join studios s on s.id = w.studio_id
     where w.id = ${by}::bigint and w.disabled_at is null and w.role = any(${roles}::text[])
       and (w.role = 'administrator' or (w.studio_id = ${studioId}::bigint and (s.rspo_enabled or s.is_open_until_deletion)))`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether a signature of this text is valid, has not expired, and its user may still see what belongs to this studio. */
export const isSignedByStaff = async (
  deps: SignatureDeps & { readonly db: Db },
  signed: SignedAccess & { readonly text: string; readonly graceSeconds?: number },
  signature: UrlSignature,
): Promise<boolean> => isSignedUrl(deps, signed, signature) && (await isByStaffOf(deps.db, signed, signature))
