import { expect, test } from 'vitest'
import { readClaims } from '#client/staff/kit/session/claims.ts'
import { createSession, type SessionDependencies } from '#client/staff/kit/session/create-session.ts'
import type { TokenPair } from '#contract/system/auth.ts'
import type { CallResult } from '#local/transport/request.ts'

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const createToken = (expiresAtSecond: number, claims: object = {}) =>
  `h.${base64({ nameid: '7', name: 'Olive Öwner', email: 'o@x.test', exp: expiresAtSecond, ...claims })}.s`
const createTokenPair = (expiresAtSecond: number, refreshToken: string): TokenPair => ({
  token: createToken(expiresAtSecond),
  refreshToken,
  expiration: new Date(expiresAtSecond * 1000).toISOString(),
})

const createStorage = (initial: Record<string, string> = {}) => {
  const values = new Map(Object.entries(initial))
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
  return { values, storage }
}

const setUp = (tabStorage: ReturnType<typeof createStorage>, responses: CallResult<TokenPair>[] = []) => {
  const usedRefreshTokens: string[] = []
  const idempotencyKeys: string[] = []
  const claimChanges: unknown[] = []
  let expirations = 0
  let lastTask: Promise<unknown> = Promise.resolve()
  const dependencies: SessionDependencies = {
    storage: tabStorage.storage,
    now: () => 1_000_000,
    refresh: async (refreshToken, key) => {
      usedRefreshTokens.push(refreshToken)
      idempotencyKeys.push(key)
      return responses.shift() ?? { ok: false, status: 'unreachable', errors: ['no connection'] }
    },
    newKey: () => `key ${new Set(idempotencyKeys).size + 1}`,
    runExclusively: (work) => {
      const task = lastTask.then(work)
      lastTask = task.catch(() => undefined)
      return task
    },
    onClaims: (claims) => void claimChanges.push(claims),
    onExpired: () => {
      expirations += 1
    },
  }
  return {
    dependencies,
    session: createSession(dependencies),
    usedRefreshTokens,
    idempotencyKeys,
    claimChanges,
    countExpirations: () => expirations,
  }
}

const ok = (data: TokenPair): CallResult<TokenPair> => ({ ok: true, status: 200, data })
const invalid: CallResult<TokenPair> = { ok: false, status: 401, errors: ['Invalid token'], problem: 'invalid-token' }

test('a stored token is reused until it expires', async () => {
  const { session, usedRefreshTokens } = setUp(createStorage({ authToken: createToken(2000), refreshToken: 'r1' }))
  expect(await session.token()).toBe(createToken(2000))
  expect(usedRefreshTokens).toEqual([])
})

test('an expired token is refreshed once for concurrent calls', async () => {
  const tabStorage = createStorage({ authToken: createToken(900), refreshToken: 'r1' })
  const { session, usedRefreshTokens } = setUp(tabStorage, [ok(createTokenPair(2000, 'r2'))])
  const tokens = await Promise.all([session.token(), session.token(), session.token()])
  expect(new Set(tokens)).toEqual(new Set([createToken(2000)]))
  expect(usedRefreshTokens).toEqual(['r1'])
  expect(tabStorage.values.get('refreshToken')).toBe('r2')
})

test('two tabs never use the same refresh token', async () => {
  const tabStorage = createStorage({ refreshToken: 'r1' })
  const { dependencies, session, usedRefreshTokens } = setUp(tabStorage, [ok(createTokenPair(2000, 'r2'))])
  const otherTab = createSession(dependencies)
  expect(await Promise.all([session.token(), otherTab.token()])).toEqual([createToken(2000), createToken(2000)])
  expect(usedRefreshTokens).toEqual(['r1'])
})

test("'Invalid token' clears both stored tokens and redirects to the login", async () => {
  const tabStorage = createStorage({ authToken: createToken(900), refreshToken: 'used' })
  const { session, claimChanges, countExpirations } = setUp(tabStorage, [invalid])
  expect(await session.token()).toBeNull()
  expect(tabStorage.values.size).toBe(0)
  expect(countExpirations()).toBe(1)
  expect(claimChanges).toEqual([null])
})

test('an unreachable server does not end the session', async () => {
  const tabStorage = createStorage({ authToken: createToken(900), refreshToken: 'r1' })
  const { session, countExpirations } = setUp(tabStorage)
  expect(await session.token()).toBeNull()
  expect(tabStorage.values.get('refreshToken')).toBe('r1')
  expect(countExpirations()).toBe(0)
})

test('a refresh whose response was lost is retried with the same idempotency key, and the next refresh gets a new one', async () => {
  const tabStorage = createStorage({ authToken: createToken(900), refreshToken: 'r1' })
  const lostResponse: CallResult<TokenPair> = { ok: false, status: 'unreachable', errors: ['no connection'] }
  const { session, usedRefreshTokens, idempotencyKeys } = setUp(tabStorage, [
    lostResponse,
    ok(createTokenPair(900, 'r2')),
    ok(createTokenPair(2000, 'r3')),
  ])
  expect(await session.token()).toBeNull()
  await session.token()
  expect(await session.token()).toBe(createToken(2000))
  expect(usedRefreshTokens).toEqual(['r1', 'r1', 'r2'])
  expect(idempotencyKeys).toEqual(['key 1', 'key 1', 'key 2'])
  expect([...tabStorage.values.keys()].toSorted()).toEqual(['authToken', 'refreshToken'])
})

test('a signed-out session makes no request, and signing out clears both tokens', async () => {
  const signedOut = setUp(createStorage())
  expect(await signedOut.session.token()).toBeNull()
  expect(signedOut.usedRefreshTokens).toEqual([])
  const tabStorage = createStorage({ authToken: createToken(2000), refreshToken: 'r1' })
  setUp(tabStorage).session.clear()
  expect(tabStorage.values.size).toBe(0)
})

test('claims are decoded from the token, with Anonymous as default name and one permission or a list', () => {
  expect(readClaims(createToken(2000, { permission: 'studio.crud', studio_id: 3 }))).toEqual({
    userId: '7',
    name: 'Olive Öwner',
    email: 'o@x.test',
    permissions: ['studio.crud'],
    studioId: 3,
    expiresAt: 2_000_000,
  })
  const claimsWithPermissionList = readClaims(
    createToken(1, { name: undefined, permission: ['studio.crud', 'made.up'] }),
  )
  expect(claimsWithPermissionList).toMatchObject({ name: 'Anonymous', permissions: ['studio.crud'], studioId: null })
  expect(readClaims('nonsense')).toBeNull()
  expect(readClaims(null)).toBeNull()
})
