import { type Permission, permissions } from '#contract/shapes/call.ts'

/** The claims of a user's access token (section 3). */
export type Claims = {
  userId: string
  /** 'Anonymous' if the token has no name. */
  name: string
  email: string | null
  permissions: Permission[]
  studioId: number | null
  /** Milliseconds since the Unix epoch. */
  expiresAt: number
}

const isPermission = (value: unknown): value is Permission => permissions.some((permission) => permission === value)

const decodePayload = (token: string): unknown => {
  const encodedPayload = token.split('.')[1] ?? ''
  const base64 = encodedPayload.replace(/-/g, '+').replace(/_/g, '/')
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}

const nonBlankText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null

/**
 * Decodes a token without verifying it, which only the server does. Null if there is none or it is malformed. The permission claim is one
 * value or a list; unknown permissions are dropped.
 */
export const readClaims = (token: string | null): Claims | null => {
  if (!token) return null
  try {
    const payload = decodePayload(token)
    if (typeof payload !== 'object' || payload === null) return null
    const claim = (name: string): unknown => Reflect.get(payload, name)
    const studioId = Number(claim('studio_id') ?? Number.NaN)
    return {
      userId: String(claim('nameid') ?? ''),
      name: nonBlankText(claim('name')) ?? 'Anonymous',
      email: nonBlankText(claim('email')),
      permissions: [claim('permission') ?? []].flat().filter(isPermission),
      studioId: Number.isInteger(studioId) ? studioId : null,
      expiresAt: Number(claim('exp') ?? 0) * 1000,
    }
  } catch {
    return null
  }
}
