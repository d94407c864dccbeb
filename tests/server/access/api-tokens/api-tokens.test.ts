import { describe, expect, it } from 'vitest'
import { purgeApiTokens } from '#server/access/api-tokens/api-tokens.ts'
import { hashOf } from '#server/http/hash.ts'
import { maxTokenRequests } from '#server/http/rate-limit.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createSignInFixtures, password } from '../sign-in/sign-in-fixtures.ts'

const day = 24 * 60 * 60 * 1000
const draft = { name: 'Accounting', scopes: ['orders:read', 'jobs:read', 'jobs:write'], days: 30 }

describe.each(enginesFor(import.meta.filename))('API tokens on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createSignInFixtures(database())
    const { deps, request, tokenOf, studioId, userId } = fixtures
    const base = `/api/studioadmin/studios/${studioId}`
    const create = async (body: object = draft, options: { email?: string; key?: string } = {}) =>
      request('POST', `${base}/tokens`, {
        ...{ body, token: await tokenOf(options.email ?? 'owner@riverside.test') },
        ...(options.key && { key: options.key }),
      })
    const list = async () =>
      (await request('GET', `${base}/tokens`, { token: await tokenOf('owner@riverside.test') })).data
    const listJobs = async (token: string) => (await request('GET', `${base}/jobs`, { token })).status
    const update = async (columns: object) =>
      deps.db
        .updateTable('users')
        .set(columns)
        .where('id', '=', await userId('owner@riverside.test'))
        .execute()
    const asOtherOwner = async (method: 'PUT', path: string, body: object) => {
      const email = 'dora@riverside.test'
      const isKnown = await deps.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
      if (!isKnown) await given(deps).user(studioId, { email, name: 'Dora', role: 'owner' })
      return await request(method, `${base}/${path}`, { token: await tokenOf(email), body })
    }
    return { ...fixtures, base, create, list, listJobs, update, asOtherOwner }
  }

  it('a token is shown once, stored as a hash, and makes the calls of its scopes until it is revoked', async () => {
    const { deps, create, list, listJobs, request, base, tokenOf } = await setUp()
    const { status, data } = await create()
    expect([status, data.token]).toEqual([200, expect.stringMatching(/^fp_[\w-]{43}$/)])
    const listed = { ...draft, createdBy: 'Olive', hint: data.token.slice(-4), isExpired: false, lastUsedAt: null }
    const { days: _, ...columns } = listed
    expect(data.apiToken).toMatchObject(columns)
    expect(JSON.stringify([...(await allRows(deps.db))])).not.toContain(data.token)
    expect(await deps.db.selectFrom('api_tokens').select('token_hash').execute()).toEqual([
      { token_hash: hashOf(data.token) },
    ])
    expect(await list()).toEqual([data.apiToken])

    expect(await listJobs(data.token)).toBe(200)
    expect((await list())[0].lastUsedAt).toBe(deps.clock().toISOString())
    expect(await listJobs(`${data.token.slice(0, -1)}${data.token.endsWith('A') ? 'B' : 'A'}`)).toBe(401)
    expect(await request('GET', `${base}/reports/payouts`, { token: data.token })).toMatchObject({
      status: 403,
      errors: ['This token does not have the scope reports:read'],
    })

    const owner = await tokenOf('owner@riverside.test')
    expect((await request('DELETE', `${base}/tokens/${data.apiToken.id}`, { token: owner })).status).toBe(200)
    expect(await listJobs(data.token)).toBe(401)
    expect(await list()).toEqual([])
    expect((await request('DELETE', `${base}/tokens/${data.apiToken.id}`, { token: owner })).status).toBe(404)
  })

  it('a token ends when it expires, and is deleted 90 days later', async () => {
    const { deps, create, list, listJobs, advance } = await setUp()
    const { data } = await create()
    advance(30 * day - 1)
    expect(await listJobs(data.token)).toBe(200)
    advance(1)
    expect(await listJobs(data.token)).toBe(401)
    expect(await list()).toMatchObject([{ name: 'Accounting', isExpired: true }])
    advance(90 * day)
    await purgeApiTokens(deps)
    expect(await list()).toHaveLength(1)
    advance(1)
    await purgeApiTokens(deps)
    expect(await list()).toEqual([])
  })

  it('the tokens of a user who is disabled or whose sign-ins were ended stop at once; a lost role takes its permissions', async () => {
    const { create, listJobs, update, request, base, advance, deps } = await setUp()
    const { data } = await create({ ...draft, scopes: ['jobs:read', 'reports:read'] })
    const readPayouts = async () => (await request('GET', `${base}/reports/payouts`, { token: data.token })).status
    expect([await listJobs(data.token), await readPayouts()]).toEqual([200, 200])
    await update({ role: 'staff' })
    expect([await listJobs(data.token), await readPayouts()]).toEqual([200, 403])
    await update({ role: 'owner', disabled_at: deps.clock() })
    expect(await listJobs(data.token)).toBe(401)
    await update({ disabled_at: null })
    expect(await listJobs(data.token)).toBe(200)
    advance(1)
    await update({ sessions_ended_at: deps.clock() })
    expect(await listJobs(data.token)).toBe(401)
  })

  type Fixtures = Awaited<ReturnType<typeof setUp>>
  const endings: readonly [string, (fixtures: Fixtures) => Promise<{ status: number }>][] = [
    [
      'an administrator signs its owner out everywhere',
      async ({ request, tokenOf, userId }) => {
        const url = `/api/admin/users/${await userId('owner@riverside.test')}/end-sessions`
        return await request('POST', url, { token: await tokenOf('admin@fieldproof.test'), body: {} })
      },
    ],
    [
      'its owner sets a new password by a link',
      async ({ post, newestToken }) => {
        await post('forgot-password', { email: 'owner@riverside.test' })
        return await post('reset-password', { token: await newestToken(), password: `new ${password}` })
      },
    ],
    [
      'its owner changes their password',
      async ({ request, signIn }) => {
        const { token, refreshToken } = (await signIn('owner@riverside.test')).data
        const body = { currentPassword: password, newPassword: `new ${password}`, refreshToken }
        return await request('POST', '/api/account/password', { token, body })
      },
    ],
    [
      'its owner was disabled and may sign in again',
      async ({ asOtherOwner, userId }) => {
        const path = `users/${await userId('owner@riverside.test')}`
        const user = { name: 'Olive', role: 'owner' }
        await asOtherOwner('PUT', path, { ...user, isDisabled: true })
        return await asOtherOwner('PUT', path, { ...user, isDisabled: false })
      },
    ],
  ]
  it.each(endings)('a token ends, is shown as ended and takes no place when %s', async (_, end) => {
    const fixtures = await setUp()
    const { create, list, listJobs, advance } = fixtures
    const { data } = await create()
    advance(1)
    expect((await end(fixtures)).status).toBe(200)
    expect(await listJobs(data.token)).toBe(401)
    advance(1)
    expect(await list()).toMatchObject([{ name: 'Accounting', isEnded: true, isExpired: false }])
    const { data: next } = await create()
    expect(await listJobs(next.token)).toBe(200)
    expect((await list()).map(({ isEnded }: { isEnded: boolean }) => isEnded)).toEqual([false, true])
  })

  it('only owners create and revoke tokens, each for their own studio', async () => {
    const { create, request, base, tokenOf, otherStudioId } = await setUp()
    expect((await create(draft, { email: 'staff@riverside.test' })).status).toBe(403)
    expect((await create(draft, { email: 'owner@summit.test' })).status).toBe(404)
    expect((await create(draft, { email: 'admin@fieldproof.test' })).status).toBe(403)
    const { data } = await create()
    const url = `/api/studioadmin/studios/${otherStudioId}`
    const otherOwner = await tokenOf('owner@summit.test')
    expect((await request('GET', `${url}/jobs`, { token: data.token })).status).toBe(404)
    const { id } = data.apiToken
    expect((await request('DELETE', `${url}/tokens/${id}`, { token: otherOwner })).status).toBe(404)
    expect((await request('DELETE', `${base}/tokens/${id}`, { token: otherOwner })).status).toBe(404)
    expect((await request('POST', `${base}/tokens`, { body: draft, token: data.token })).status).toBe(403)
  })

  it('a repeated request gets the same token, and another request another one', async () => {
    const { create, list } = await setUp()
    const [first, repeated] = [await create(draft, { key: 'a' }), await create(draft, { key: 'a' })]
    expect(repeated.data).toEqual(first.data)
    expect((await create(draft, { key: 'b' })).data.token).not.toBe(first.data.token)
    expect(await list()).toHaveLength(2)
  })

  it('a token needs a name, scopes and one of the offered days, and a studio has at most 50', async () => {
    const { create } = await setUp()
    expect(await create({ ...draft, name: '  ' })).toMatchObject({ status: 422, fields: { name: [expect.anything()] } })
    for (const change of [{ scopes: [] }, { scopes: ['users:write'] }, { days: 31 }])
      expect((await create({ ...draft, ...change })).status).toBe(400)
    for (let count = 0; count < 50; count += 1) expect((await create()).status).toBe(200)
    expect(await create()).toMatchObject({ status: 422, errors: [expect.stringContaining('50 tokens')] })
  })

  it('the audit trail names the token that made a change, and who created and revoked it', async () => {
    const { deps, create, request, base, tokenOf, studioId, userId } = await setUp()
    const { data } = await create()
    const { jobId } = await given(deps).job(studioId)
    expect(
      (await request('POST', `${base}/jobs/${jobId}/archive`, { token: data.token, body: { version: 1 } })).status,
    ).toBe(200)
    await request('DELETE', `${base}/tokens/${data.apiToken.id}`, { token: await tokenOf('owner@riverside.test') })
    const entries = await deps.db
      .selectFrom('audit_log')
      .select(['action', 'user_id', 'detail'])
      .orderBy('id')
      .execute()
    const user_id = await userId('owner@riverside.test')
    const apiToken = `Accounting (fp_…${data.token.slice(-4)})`
    expect(entries).toEqual([
      {
        ...{ action: 'api-token.made', user_id },
        detail: { name: 'Accounting', scopes: draft.scopes.join(', '), days: 30 },
      },
      { action: 'job.archived', user_id, detail: expect.objectContaining({ apiToken }) },
      { action: 'api-token.revoked', user_id, detail: { name: 'Accounting' } },
    ])
  })

  it('a token may send 600 requests in a minute, from any address, and others are not affected', async () => {
    const { app, create, base } = await setUp()
    const [{ data }, { data: other }] = [await create(draft, { key: 'a' }), await create(draft, { key: 'b' })]
    const send = (token: string, address: string) =>
      app.inject({
        ...{ method: 'GET', url: `${base}/jobs`, remoteAddress: address },
        headers: { authorization: `Bearer ${token}` },
      })
    for (let count = 0; count < maxTokenRequests; count += 1) await send(data.token, `10.0.0.${count % 250}`)
    const answer = await send(data.token, '10.0.1.1')
    expect([answer.statusCode, answer.json().problem]).toEqual([429, 'slow-down'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send(other.token, '10.0.0.1')).statusCode).toBe(200)
  })
})
