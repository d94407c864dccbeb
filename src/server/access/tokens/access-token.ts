import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { errors, jwtVerify, SignJWT } from 'jose'
import {
  array,
  create,
  enums,
  integer,
  min,
  nullable,
  optional,
  StructError,
  size,
  string,
  type,
  union,
} from 'superstruct'
import { type Permission, permissions } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'

/** The signed-in user according to their access token, which is at most fifteen minutes old. */
export type User = {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly permissions: readonly Permission[]
  /** The only studio they see; null for administrators of the platform. */
  readonly studioId: number | null
  /** When the token was signed. */
  readonly issuedAt?: Date
}

const lifeMinutes = 15
const PermissionName = enums(permissions)

/** Section 3: name, e-mail address, name identifier, permission (one value or a list), studio_id. */
const Claims = type({
  nameid: size(string(), 1, 20),
  name: string(),
  email: string(),
  permission: optional(union([PermissionName, array(PermissionName)])),
  studio_id: optional(nullable(min(integer(), 1))),
})

type Signing = Pick<Deps, 'clock' | 'settings'>

const keyOf = ({ settings }: Signing): Uint8Array => new TextEncoder().encode(settings.secret)

/** Signs an access token; `expires` is its end. */
export const signAccessToken = async (deps: Signing, user: User): Promise<{ token: string; expires: Date }> => {
  // With milliseconds, so that a token signed just after all sign-ins ended is not taken for an older one.
  const issued = deps.clock().getTime() / 1000
  const expires = Math.floor(issued) + lifeMinutes * 60
  const [firstPermission, ...otherPermissions] = user.permissions
  const claims = {
    nameid: String(user.id),
    name: user.name,
    email: user.email,
    ...(firstPermission && { permission: otherPermissions.length > 0 ? user.permissions : firstPermission }),
    ...(user.studioId !== null && { studio_id: user.studioId }),
  }
  const signing = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setIssuedAt(issued)
  return { token: await signing.setExpirationTime(expires).sign(keyOf(deps)), expires: new Date(expires * 1000) }
}

/** The token of a request’s `Authorization` header, of either kind; undefined without one. */
export const bearerTokenOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^Bearer ([\w.-]+)$/i.exec(headers.authorization ?? '')?.[1]

/** The user of a valid access token that this server signed; undefined for any other token. */
export const readAccessToken = async (deps: Signing, token: string): Promise<User | undefined> => {
  try {
    const options = { algorithms: ['HS256'], currentDate: deps.clock(), requiredClaims: ['exp'] }
    const { payload } = await jwtVerify(token, keyOf(deps), options)
    const claims = create(payload, Claims)
    return {
      id: Number(claims.nameid),
      name: claims.name,
      email: claims.email,
      permissions: [claims.permission ?? []].flat(),
      studioId: claims.studio_id ?? null,
      ...(payload.iat !== undefined && { issuedAt: new Date(Math.round(payload.iat * 1000)) }),
    }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof StructError) return undefined
    throw error
  }
}

/**
 * The secret of a link, derived from the nonce of the job that mails it. The queue stores no secret, and the database
 * only its hash.
 */
export const linkToken = (
  { settings }: Pick<Deps, 'settings'>,
  purpose: 'password-reset' | 'invitation',
  nonce: string,
): string =>
  createHmac('sha256', settings.secret)
    .update(JSON.stringify([purpose, nonce]))
    .digest('base64url')
