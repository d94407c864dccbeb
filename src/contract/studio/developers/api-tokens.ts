import { array, boolean, enums, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import { apiScopes, apiTokenDays } from '#domain/developers/api-scopes.ts'
import { call } from '../../shapes/call.ts'
import { Id, Instant } from '../../shapes/primitives.ts'
import { listOf, pageQuery } from '../../shapes/responses.ts'
import { owners, readProblems, studioParams, studioPath } from '../../shapes/staff-call.ts'

/** A personal access token for the API. Its text is only in the answer of the call that creates it. */
export const ApiToken = type({
  id: integer(),
  name: string(),
  /** The last characters of the token, by which it is recognized. */
  hint: string(),
  scopes: array(enums(apiScopes)),
  createdBy: string(),
  createdAt: Instant,
  expiresAt: Instant,
  isExpired: boolean(),
  /** Refused before its time: its owner has a new password since, was signed out everywhere or may not sign in. */
  isEnded: boolean(),
  /** Up to a minute old. */
  lastUsedAt: nullable(Instant),
})
export type ApiToken = Infer<typeof ApiToken>

/** The studio's tokens that are not revoked, of all its owners, newest first. */
export const listApiTokens = call({
  method: 'GET',
  path: `${studioPath}/tokens`,
  who: owners,
  params: object(studioParams),
  query: object(pageQuery),
  answer: listOf(ApiToken),
  problems: readProblems,
})

/** Creates a token of the signed-in owner. `token` is shown this once. A retry with the same idempotency key gets the same token. */
export const postApiToken = call({
  ...listApiTokens,
  method: 'POST',
  query: object({}),
  body: object({
    name: size(string(), 1, 60),
    scopes: size(array(enums(apiScopes)), 1, apiScopes.length),
    days: enums(apiTokenDays),
  }),
  answer: type({ token: string(), apiToken: ApiToken }),
  problems: [...readProblems, 'refused'],
})

/** Revokes a token: its next request is refused. */
export const deleteApiToken = call({
  method: 'DELETE',
  path: `${studioPath}/tokens/:tokenId`,
  who: owners,
  params: object({ ...studioParams, tokenId: Id }),
  answer: type({}),
  problems: readProblems,
})
