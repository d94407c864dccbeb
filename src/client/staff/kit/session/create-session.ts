import type { TokenPair } from '#contract/system/auth.ts'
import type { CallFailure, CallResult } from '#local/transport/request.ts'
import { type Claims, readClaims } from './claims.ts'

const storageKeys = { token: 'authToken', refresh: 'refreshToken', attempt: 'refreshAttempt' } as const

/** The server's message for a refresh token that is spent, revoked or unknown (section 8). */
export const invalidToken = 'Invalid token'

/** A token counts as expired this many milliseconds early, so that it does not expire in transit. */
const expiryMarginMs = 5_000

export type SessionDependencies = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  now: () => number
  /** All attempts with the same refresh token have the same idempotency key, so that a retry is not treated as a stolen token. */
  refresh: (refreshToken: string, idempotencyKey: string) => Promise<CallResult<TokenPair>>
  newKey: () => string
  /** Runs one refresh at a time across all tabs: using a refresh token twice ends the session. */
  runExclusively: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Called on every change: claims while signed in, null otherwise. */
  onClaims: (claims: Claims | null) => void
  /** Called when the session ended without a sign-out. */
  onExpired: () => void
}

export type Session = {
  claims: () => Claims | null
  store: (tokens: TokenPair) => void
  /**
   * A valid token, refreshed if needed; null if the user is signed out or the refresh failed. `rejectedToken` is a token that the server
   * rejected, so it is refreshed even if it has not expired by this device's clock.
   */
  token: (rejectedToken?: string) => Promise<string | null>
  /** The failure of the last refresh, if it left a signed-in user without a token; null after a success. */
  failure: () => CallFailure | null
  refreshToken: () => string | null
  clear: () => void
}

/** The session of this device (section 4). Stores `authToken` and `refreshToken`, and runs one refresh at a time. */
export const createSession = ({
  storage,
  now,
  refresh,
  newKey,
  runExclusively,
  onClaims,
  onExpired,
}: SessionDependencies): Session => {
  let pendingRefresh: Promise<string | null> | null = null
  let failure: CallFailure | null = null
  const storedToken = () => storage.getItem(storageKeys.token)
  const refreshToken = () => storage.getItem(storageKeys.refresh)
  const validToken = (rejectedToken?: string) => {
    const token = storedToken()
    if (token === rejectedToken) return null
    return (readClaims(token)?.expiresAt ?? 0) - expiryMarginMs > now() ? token : null
  }
  const store = (tokens: TokenPair) => {
    storage.setItem(storageKeys.token, tokens.token)
    storage.setItem(storageKeys.refresh, tokens.refreshToken)
    storage.removeItem(storageKeys.attempt)
    onClaims(readClaims(tokens.token))
  }
  const clear = () => {
    storage.removeItem(storageKeys.token)
    storage.removeItem(storageKeys.refresh)
    storage.removeItem(storageKeys.attempt)
    onClaims(null)
  }
  const renewTokens = async (rejectedToken?: string): Promise<string | null> => {
    // Another tab may have refreshed the token while this one waited for the lock.
    const currentToken = validToken(rejectedToken)
    const usedRefreshToken = refreshToken()
    if (currentToken || !usedRefreshToken) return currentToken
    const idempotencyKey = storage.getItem(storageKeys.attempt) ?? newKey()
    storage.setItem(storageKeys.attempt, idempotencyKey)
    const answer = await refresh(usedRefreshToken, idempotencyKey)
    // If the user signed out meanwhile, the response must not sign in the next user.
    if (refreshToken() !== usedRefreshToken) return null
    failure = answer.ok ? null : answer
    if (answer.ok) {
      store(answer.data)
      return answer.data.token
    }
    if (answer.problem === 'invalid-token' || answer.errors.includes(invalidToken)) {
      // Redirects to the login before the claims are cleared, because guarded screens redirect by themselves without claims.
      onExpired()
      clear()
    }
    return null
  }
  const token = async (rejectedToken?: string) => {
    const currentToken = validToken(rejectedToken)
    if (currentToken) return currentToken
    pendingRefresh ??= runExclusively(() => renewTokens(rejectedToken)).finally(() => {
      pendingRefresh = null
    })
    return pendingRefresh
  }
  const claims = () => (refreshToken() ? readClaims(storedToken()) : null)
  return { claims, store, token, failure: () => failure, refreshToken, clear }
}
