import { type Infer, object, size, string, type } from 'superstruct'
import type { AnyCall } from './call.ts'
import { Instant, Nothing } from './primitives.ts'

/** What signing in gives (section 3): `expiration` is the access token's, ISO 8601 UTC. */
export const TokenPair = type({ token: string(), refreshToken: string(), expiration: Instant })
export type TokenPair = Infer<typeof TokenPair>

export const logIn = {
  method: 'POST',
  path: '/api/auth/login',
  who: 'anyone',
  params: Nothing,
  query: Nothing,
  body: object({ username: size(string(), 1, 254), password: size(string(), 1, 1000) }),
  answer: TokenPair,
  problems: ['authentication-failed'],
} satisfies AnyCall

/** Spends a refresh token and gives the next pair. A spent one shown again revokes its whole family: 'Invalid token'. */
export const refresh = {
  ...logIn,
  path: '/api/auth/refresh',
  body: object({ refreshToken: size(string(), 1, 500) }),
  problems: ['invalid-token'],
} satisfies AnyCall

/** Revokes the refresh token's family; says the same for a token that is not known. */
export const logOut = {
  ...refresh,
  path: '/api/auth/logout',
  answer: type({}),
  problems: [],
} satisfies AnyCall
