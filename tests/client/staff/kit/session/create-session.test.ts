import { expect, test } from 'vitest'
import { readClaims } from '#client/staff/kit/session/claims.ts'
import { createSession, type SessionDependencies } from '#client/staff/kit/session/create-session.ts'
import type { TokenPair } from '#contract/system/auth.ts'
import type { CallResult } from '#local/transport/request.ts'

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenUntil = (second: number, more: object = {}) =>
  `h.${base64({ nameid: '7', name: 'Olive Öwner', email: 'o@x.test', exp: second, ...more })}.s`
const pairUntil = (second: number, refreshToken: string): TokenPair => ({
  token: tokenUntil(second),
  refreshToken,
  expiration: new Date(second * 1000).toISOString(),
})

const keptIn = (first: Record<string, string> = {}) => {
  const kept = new Map(Object.entries(first))
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  return { kept, storage }
}

const setUp = (kept: ReturnType<typeof keptIn>, answers: CallResult<TokenPair>[] = []) => {
  const spent: string[] = []
  const keys: string[] = []
  const told: unknown[] = []
  let expired = 0
  let tail: Promise<unknown> = Promise.resolve()
  const ways: SessionDependencies = {
    storage: kept.storage,
    now: () => 1_000_000,
    refresh: async (refreshToken, key) => {
      spent.push(refreshToken)
      keys.push(key)
      return answers.shift() ?? { ok: false, status: 'unreachable', errors: ['no connection'] }
    },
    newKey: () => `key ${new Set(keys).size + 1}`,
    runExclusively: (work) => {
      const turn = tail.then(work)
      tail = turn.catch(() => undefined)
      return turn
    },
    onClaims: (claims) => void told.push(claims),
    onExpired: () => {
      expired += 1
    },
  }
  return { ways, session: createSession(ways), spent, keys, told, expired: () => expired }
}

const ok = (data: TokenPair): CallResult<TokenPair> => ({ ok: true, status: 200, data })
const invalid: CallResult<TokenPair> = { ok: false, status: 401, errors: ['Invalid token'], problem: 'invalid-token' }

test('a cached token is reused until it expires', async () => {
  const { session, spent } = setUp(keptIn({ authToken: tokenUntil(2000), refreshToken: 'r1' }))
  expect(await session.token()).toBe(tokenUntil(2000))
  expect(spent).toEqual([])
})

test('an expired token is refreshed once for concurrent calls', async () => {
  const kept = keptIn({ authToken: tokenUntil(900), refreshToken: 'r1' })
  const { session, spent } = setUp(kept, [ok(pairUntil(2000, 'r2'))])
  const tokens = await Promise.all([session.token(), session.token(), session.token()])
  expect(new Set(tokens)).toEqual(new Set([tokenUntil(2000)]))
  expect(spent).toEqual(['r1'])
  expect(kept.kept.get('refreshToken')).toBe('r2')
})

test('two tabs never use the same refresh token', async () => {
  const kept = keptIn({ refreshToken: 'r1' })
  const { ways, session, spent } = setUp(kept, [ok(pairUntil(2000, 'r2'))])
  const otherTab = createSession(ways)
  expect(await Promise.all([session.token(), otherTab.token()])).toEqual([tokenUntil(2000), tokenUntil(2000)])
  expect(spent).toEqual(['r1'])
})

test("'Invalid token' clears both stored tokens and redirects to the login", async () => {
  const kept = keptIn({ authToken: tokenUntil(900), refreshToken: 'spent' })
  const { session, told, expired } = setUp(kept, [invalid])
  expect(await session.token()).toBeNull()
  expect(kept.kept.size).toBe(0)
  expect(expired()).toBe(1)
  expect(told).toEqual([null])
})

test('an unreachable server does not end the session', async () => {
  const kept = keptIn({ authToken: tokenUntil(900), refreshToken: 'r1' })
  const { session, expired } = setUp(kept)
  expect(await session.token()).toBeNull()
  expect(kept.kept.get('refreshToken')).toBe('r1')
  expect(expired()).toBe(0)
})

test('a refresh whose response was lost is retried with the same idempotency key, and the next refresh gets a new one', async () => {
  const kept = keptIn({ authToken: tokenUntil(900), refreshToken: 'r1' })
  const lost: CallResult<TokenPair> = { ok: false, status: 'unreachable', errors: ['no connection'] }
  const { session, spent, keys } = setUp(kept, [lost, ok(pairUntil(900, 'r2')), ok(pairUntil(2000, 'r3'))])
  expect(await session.token()).toBeNull()
  await session.token()
  expect(await session.token()).toBe(tokenUntil(2000))
  expect(spent).toEqual(['r1', 'r1', 'r2'])
  expect(keys).toEqual(['key 1', 'key 1', 'key 2'])
  expect([...kept.kept.keys()].toSorted()).toEqual(['authToken', 'refreshToken'])
})

test('a signed-out session makes no request, and signing out clears both tokens', async () => {
  const empty = setUp(keptIn())
  expect(await empty.session.token()).toBeNull()
  expect(empty.spent).toEqual([])
  const kept = keptIn({ authToken: tokenUntil(2000), refreshToken: 'r1' })
  setUp(kept).session.clear()
  expect(kept.kept.size).toBe(0)
})

test('claims are decoded from the token, with Anonymous as default name and one permission or a list', () => {
  expect(readClaims(tokenUntil(2000, { permission: 'studio.crud', studio_id: 3 }))).toEqual({
    userId: '7',
    name: 'Olive Öwner',
    email: 'o@x.test',
    permissions: ['studio.crud'],
    studioId: 3,
    expiresAt: 2_000_000,
  })
  const many = readClaims(tokenUntil(1, { name: undefined, permission: ['studio.crud', 'made.up'] }))
  expect(many).toMatchObject({ name: 'Anonymous', permissions: ['studio.crud'], studioId: null })
  expect(readClaims('nonsense')).toBeNull()
  expect(readClaims(null)).toBeNull()
})
