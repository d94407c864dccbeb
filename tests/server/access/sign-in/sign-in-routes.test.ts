import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { hashPassword } from '#server/access/credentials/verify-password.ts'
import { readAccessToken } from '#server/access/tokens/access-token.ts'
import { purgeRefreshTokens } from '#server/access/tokens/refresh-tokens.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'

const password = 'correct horse battery staple'
const hash = hashPassword(password)
const hour = 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('signing in on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const { db } = deps
    const studio = { slug: 'riverside', name: 'Riverside Portraits' }
    const { id: studioId } = await db.insertInto('studios').values(studio).returning('id').executeTakeFirstOrThrow()
    const password_hash = await hash
    await db
      .insertInto('users')
      .values([
        {
          ...{ email: 'admin@fieldproof.test', name: 'Alex', role: 'administrator', password_hash },
          is_second_factor_exempt: true,
        },
        { email: 'owner@riverside.test', name: 'Olive', role: 'owner', studio_id: studioId, password_hash },
        { email: 'staff@riverside.test', name: 'Sam', role: 'staff', studio_id: studioId, password_hash },
        { email: 'invited@riverside.test', name: 'Ira', role: 'staff', studio_id: studioId },
        {
          email: 'gone@riverside.test',
          name: 'Gus',
          role: 'staff',
          studio_id: studioId,
          password_hash,
          disabled_at: deps.clock(),
        },
      ])
      .execute()
    const post = (path: string, payload: object, key?: string) =>
      app.inject({ method: 'POST', url: `/api/auth/${path}`, payload, headers: key ? { 'idempotency-key': key } : {} })
    const signIn = async (username: string) => (await post('login', { username, password })).json().data
    return { deps, studioId, post, signIn, ...time }
  }

  it('signing in returns a token pair with the user’s claims', async () => {
    const { deps, studioId, signIn } = await setUp()
    const admin = await signIn('admin@fieldproof.test')
    expect(admin).toEqual({
      token: expect.any(String),
      refreshToken: expect.any(String),
      expiration: '2027-04-15T10:15:00.000Z',
    })
    expect(decodeJwt(admin.token)).toEqual({
      nameid: '1',
      name: 'Alex',
      email: 'admin@fieldproof.test',
      permission: ['studio.crud', 'studio.admin.crud', 'studio.users.crud', 'studio.financials.read'],
      iat: expect.closeTo(1_807_783_200, -1), // with milliseconds
      exp: 1_807_784_100,
    })
    const staff = await signIn(' Staff@Riverside.test ')
    expect(decodeJwt(staff.token)).toMatchObject({ permission: 'studio.crud', studio_id: studioId })
    expect(await readAccessToken(deps, staff.token)).toEqual({
      issuedAt: expect.any(Date),
      id: 3,
      name: 'Sam',
      email: 'staff@riverside.test',
      permissions: ['studio.crud'],
      studioId,
    })
  })

  it.each([
    ['a wrong password', 'owner@riverside.test', 'wrong'],
    ['an unknown email address', 'nobody@riverside.test', password],
    ['the account of a user without a password', 'invited@riverside.test', password],
    ['the account of a disabled user', 'gone@riverside.test', password],
  ])('signing in with %s gets the same refusal', async (_, username, attempted) => {
    const { post } = await setUp()
    const answer = await post('login', { username, password: attempted })
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { errors: ['Failed to authenticate'], problem: 'authentication-failed' },
    ])
  })

  it('a refresh token is rotated at each use and stored only as a hash', async () => {
    const { deps, post, signIn } = await setUp()
    const first = await signIn('owner@riverside.test')
    const second = (await post('refresh', { refreshToken: first.refreshToken })).json().data
    const third = (await post('refresh', { refreshToken: second.refreshToken })).json().data
    expect(new Set([first, second, third].map((pair) => pair.refreshToken)).size).toBe(3)
    const storedTokens = JSON.stringify(await deps.db.selectFrom('refresh_tokens').selectAll().execute())
    expect(storedTokens).not.toContain(first.refreshToken)
    expect(storedTokens).not.toContain(third.refreshToken)
  })

  it('reuse of a spent refresh token revokes all tokens of that sign-in', async () => {
    const { post, signIn } = await setUp()
    const first = await signIn('owner@riverside.test')
    const otherSignIn = await signIn('owner@riverside.test')
    const second = (await post('refresh', { refreshToken: first.refreshToken }, 'one')).json().data
    const stolen = await post('refresh', { refreshToken: first.refreshToken }, 'two')
    expect([stolen.statusCode, stolen.json()]).toEqual([401, { errors: ['Invalid token'], problem: 'invalid-token' }])
    expect((await post('refresh', { refreshToken: second.refreshToken })).statusCode).toBe(401)
    expect((await post('refresh', { refreshToken: otherSignIn.refreshToken })).statusCode).toBe(200)
  })

  it('a refresh request that is sent twice gets the same answer', async () => {
    const { post, signIn } = await setUp()
    const { refreshToken } = await signIn('owner@riverside.test')
    const [firstAnswer, secondAnswer] = await Promise.all([
      post('refresh', { refreshToken }, 'k'),
      post('refresh', { refreshToken }, 'k'),
    ])
    expect(firstAnswer.json().data.refreshToken).toBe(secondAnswer.json().data.refreshToken)
    const next = (await post('refresh', { refreshToken: firstAnswer.json().data.refreshToken })).json().data
    expect(next.refreshToken).toEqual(expect.any(String))
    expect((await post('refresh', { refreshToken }, 'k')).statusCode).toBe(401)
  })

  it('a refresh token is accepted once even if several requests present it at the same time', async () => {
    const { post, signIn } = await setUp()
    const { refreshToken } = await signIn('owner@riverside.test')
    const answers = await Promise.all(Array.from({ length: 4 }, () => post('refresh', { refreshToken })))
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
  })

  it('a sign-in ends when the user signs out, when it expires, or when the account is disabled', async () => {
    const { deps, post, signIn, advance } = await setUp()
    const [signedOut, expired, disabled] = [
      await signIn('owner@riverside.test'),
      await signIn('staff@riverside.test'),
      await signIn('admin@fieldproof.test'),
    ]
    expect((await post('logout', { refreshToken: signedOut.refreshToken })).json()).toEqual({ data: {} })
    expect((await post('logout', { refreshToken: 'unknown token' })).statusCode).toBe(200)
    expect((await post('refresh', { refreshToken: signedOut.refreshToken })).statusCode).toBe(401)
    await deps.db.updateTable('users').set({ disabled_at: deps.clock() }).where('name', '=', 'Alex').execute()
    expect((await post('refresh', { refreshToken: disabled.refreshToken })).statusCode).toBe(401)
    advance(31 * 24 * hour)
    expect((await post('refresh', { refreshToken: expired.refreshToken })).statusCode).toBe(401)
    await purgeRefreshTokens(deps)
    expect(await deps.db.selectFrom('refresh_tokens').selectAll().execute()).toEqual([])
  })

  it('ten wrong passwords slow the account down, and the right password still works', async () => {
    const { post, clock } = await setUp()
    for (let guess = 0; guess < 10; guess += 1)
      await post('login', { username: 'owner@riverside.test', password: 'no' })
    const startedAt = clock().getTime()
    const answer = await post('login', { username: 'owner@riverside.test', password })
    expect(answer.statusCode).toBe(200)
    expect(clock().getTime() - startedAt).toBe(2_000)
  })

  it('a token that is unsigned, signed with another key, without expiry or with invalid claims is refused', async () => {
    const { deps } = await setUp()
    const claims = { nameid: '1', name: 'Mallory', email: 'm@x.test', permission: 'studio.admin.crud' }
    const expiresAt = deps.clock().getTime() / 1000 + 60
    const sign = (secret: string, payload = claims as object, expires = true) => {
      const signing = new SignJWT({ ...payload }).setProtectedHeader({ alg: 'HS256' })
      if (expires) signing.setExpirationTime(expiresAt)
      return signing.sign(new TextEncoder().encode(secret))
    }
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const tokens = [
      `${encode({ alg: 'none' })}.${encode({ ...claims, exp: expiresAt })}.`,
      await sign('x'.repeat(40)),
      await sign(deps.settings.secret, claims, false),
      await sign(deps.settings.secret, { name: 'Mallory' }),
      await sign(deps.settings.secret, { ...claims, permission: 'everything' }),
    ]
    for (const token of tokens) expect(await readAccessToken(deps, token)).toBeUndefined()
  })
})
