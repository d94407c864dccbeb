import type { TokenPair } from '#contract/system/auth.ts'
import type { CallFailure, CallResult } from '#local/transport/request.ts'
import { type Claims, readClaims } from './claims.ts'

const keys = { token: 'authToken', refresh: 'refreshToken', attempt: 'refreshAttempt' } as const

/** What the server says to a refresh token that is spent, revoked or unknown (section 8). */
export const invalidToken = 'Invalid token'

/** Milliseconds by which a token counts as expired early, so that it does not expire on the way. */
const haste = 5_000

export type SessionDependencies = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  now: () => number
  /**
   * `key` names the attempt: it stays the same until there is an answer. A refresh token that was spent while the answer got lost is
   * the same attempt once more, and no stolen one.
   */
  refresh: (refreshToken: string, key: string) => Promise<CallResult<TokenPair>>
  newKey: () => string
  /** One at a time over all tabs: a refresh token shown twice ends the whole session. */
  runExclusively: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Told of every change: claims while signed in, null when not. */
  onClaims: (claims: Claims | null) => void
  /** The session ended without anybody wishing it. */
  onExpired: () => void
}

export type Session = {
  claims: () => Claims | null
  keep: (pair: TokenPair) => void
  /**
   * A token that is still good, refreshed where needed; null when nobody is signed in or the server can't be asked. `refused` is one
   * the server no longer takes, whatever this device's clock says of it.
   */
  token: (refused?: string) => Promise<string | null>
  /** The failure of the last refresh, where a signed-in user has no token because of it; null after a success. */
  failure: () => CallFailure | null
  refreshToken: () => string | null
  clear: () => void
}

/** The signed-in session of this device (section 4): `authToken` and `refreshToken` are kept, one refresh runs at a time. */
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
    // Another tab may have been first while this one waited its turn.
    const already = good(refused)
    const spend = refreshToken()
    if (already || !spend) return already
    const key = storage.getItem(keys.attempt) ?? newKey()
    storage.setItem(keys.attempt, key)
    const answer = await refresh(spend, key)
    // Signed out meanwhile: the answer does not belong to the next user.
    if (refreshToken() !== spend) return null
    failure = answer.ok ? null : answer
    if (answer.ok) {
      keep(answer.data)
      return answer.data.token
    }
    if (answer.problem === 'invalid-token' || answer.errors.includes(invalidToken)) {
      // The way to the login first: screens that only the signed-in may see leave by themselves once nobody is.
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
