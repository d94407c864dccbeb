import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Permission } from '#contract/shapes/call.ts'
import { isOpenToStaff, type OpenAccess, openAccessOf } from '../access/authorization/open-access.ts'
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
  /** Whether it shows photos of children as they are: an administrator needs the consent for that. */
  readonly showsPhotos?: true
}

/** How the user of a signed URL sees the photos of children. */
export type ImageSight = 'sharp' | 'blurred'

type Signed = SignedAccess & { readonly text: string; readonly graceSeconds?: number }
type SightDeps = SignatureDeps & { readonly db: Db }

/**
 * How the user of a valid signature sees the photos of this studio; undefined if they may not see what belongs to it. They must be enabled and
 * have the permission, and either work at the studio, which must be enabled, or be an administrator with open access to it. Administrators
 * need no access to what belongs to the platform.
 */
const sightOf = async (
  { db, clock }: SightDeps,
  { studioId, permission }: SignedAccess,
  { by }: UrlSignature,
): Promise<ImageSight | undefined> => {
  const roles = rolesWith(permission === undefined ? [] : [permission])
  const now = clock()
  const access = openAccessOf({ studioId, userId: sql<number>`w.id`, now })
  const { rows } = await sql<{ isAdministrator: boolean; access: OpenAccess | null }>`
    select w.role = 'administrator' as "isAdministrator", ${access} as access
      from users w left join studios s on s.id = w.studio_id
     where w.id = ${by}::bigint and w.disabled_at is null and w.role = any(${roles}::text[])
       and (w.role = 'administrator' or (w.studio_id = ${studioId}::bigint and ${isOpenToStaff(now)}))`.execute(db)
  const [user] = rows
  if (!user) return undefined
  if (!user.isAdministrator || studioId === null) return 'sharp'
  return user.access ? (user.access.hasSharpPhotos ? 'sharp' : 'blurred') : undefined
}

/** How the user of a signature of this text may see photos; undefined if it is not valid, has expired, or they may see nothing of this studio. */
export const signedSight = async (
  deps: SightDeps,
  signed: Signed,
  signature: UrlSignature,
): Promise<ImageSight | undefined> =>
  isSignedUrl(deps, signed, signature) ? await sightOf(deps, signed, signature) : undefined

/** Whether a signature of this text is valid, has not expired, and its user may still see what belongs to this studio. */
export const isSignedByStaff = async (deps: SightDeps, signed: Signed, signature: UrlSignature): Promise<boolean> => {
  const sight = await signedSight(deps, signed, signature)
  return sight === 'sharp' || (sight === 'blurred' && !signed.showsPhotos)
}
