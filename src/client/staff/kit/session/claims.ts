import { type Permission, permissions } from '#contract/shapes/call.ts'

/** Claims of a user's access token (section 3). */
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

const decode = (token: string): unknown => {
  const middle = token.split('.')[1] ?? ''
  const base64 = middle.replace(/-/g, '+').replace(/_/g, '/')
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)

/**
 * Decodes a token without verifying it; only the server verifies. Null if it is malformed. The permission claim is one value or a list.
 */
export const readClaims = (token: string | null): Claims | null => {
  if (!token) return null
  try {
    const payload = decode(token)
    if (typeof payload !== 'object' || payload === null) return null
    const claim = (name: string): unknown => Reflect.get(payload, name)
    const studioId = Number(claim('studio_id') ?? Number.NaN)
    return {
      userId: String(claim('nameid') ?? ''),
      name: text(claim('name')) ?? 'Anonymous',
      email: text(claim('email')),
      permissions: [claim('permission') ?? []].flat().filter(isPermission),
      studioId: Number.isInteger(studioId) ? studioId : null,
      expiresAt: Number(claim('exp') ?? 0) * 1000,
    }
  } catch {
    return null
  }
}
