import type { TokenPair } from '#contract/system/auth.ts'
import type { CallFailure, CallResult } from '#local/transport/request.ts'
import { type Claims, readClaims } from './claims.ts'

const keys = { token: 'authToken', refresh: 'refreshToken', attempt: 'refreshAttempt' } as const

/** The server's message for a refresh token that is spent, revoked or unknown (section 8). */
export const invalidToken = 'Invalid token'

/** Milliseconds before its expiry at which a token counts as expired, so that it does not expire in transit. */
const haste = 5_000

export type SessionDependencies = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  now: () => number
  /** `key` is an idempotency key: it stays the same until there is a response. A retry with it is not treated as a stolen token. */
  refresh: (refreshToken: string, key: string) => Promise<CallResult<TokenPair>>
  newKey: () => string
  /** Runs one refresh at a time across all tabs: using a refresh token twice ends the session. */
  runExclusively: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Called on every change: claims while signed in, null otherwise. */
  onClaims: (claims: Claims | null) => void
  /** Called when the session ended without a sign-out. */
  onExpired: () => void
}

export type Session = {
  claims: () => Claims | null
  keep: (pair: TokenPair) => void
  /**
   * A valid token, refreshed if needed; null if the user is signed out or the server cannot be reached. `refused` is a token the server
   * rejected, whatever this device's clock says about its expiry.
   */
  token: (refused?: string) => Promise<string | null>
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
  runExclusively: alone,
  onClaims: tell,
  onExpired: expired,
}: SessionDependencies): Session => {
  let running: Promise<string | null> | null = null
  let failure: CallFailure | null = null
  const stored = () => storage.getItem(keys.token)
  const refreshToken = () => storage.getItem(keys.refresh)
  const good = (refused?: string) => {
    const token = stored()
    if (token === refused) return null
    return (readClaims(token)?.expiresAt ?? 0) - haste > now() ? token : null
  }
  const keep = (pair: TokenPair) => {
    storage.setItem(keys.token, pair.token)
    storage.setItem(keys.refresh, pair.refreshToken)
    storage.removeItem(keys.attempt)
    tell(readClaims(pair.token))
  }
  const clear = () => {
    storage.removeItem(keys.token)
    storage.removeItem(keys.refresh)
    storage.removeItem(keys.attempt)
    tell(null)
  }
  const renew = async (refused?: string): Promise<string | null> => {
    // Another tab may have refreshed the token while this one waited for the lock.
    const already = good(refused)
    const spend = refreshToken()
    if (already || !spend) return already
    const key = storage.getItem(keys.attempt) ?? newKey()
    storage.setItem(keys.attempt, key)
    const answer = await refresh(spend, key)
    // Signed out meanwhile: the response must not sign in the next user.
    if (refreshToken() !== spend) return null
    failure = answer.ok ? null : answer
    if (answer.ok) {
      keep(answer.data)
      return answer.data.token
    }
    if (answer.problem === 'invalid-token' || answer.errors.includes(invalidToken)) {
      // Redirects to the login before the claims are cleared, because guarded screens redirect by themselves without them.
      expired()
      clear()
    }
    return null
  }
  const token = async (refused?: string) => {
    const already = good(refused)
    if (already) return already
    running ??= alone(() => renew(refused)).finally(() => {
      running = null
    })
    return running
  }
  const claims = () => (refreshToken() ? readClaims(stored()) : null)
  return { claims, keep, token, failure: () => failure, refreshToken, clear }
}
