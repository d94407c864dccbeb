import type { FastifyInstance } from 'fastify'
import { object, type } from 'superstruct'
import { describe, expect, it } from 'vitest'
import type { AccessRule, AnyCall } from '#contract/shapes/call.ts'
import { Id, Nothing } from '#contract/shapes/primitives.ts'
import { ensureSession } from '#server/access/sessions/sessions.ts'
import { signAccessToken } from '#server/access/tokens/access-token.ts'
import type { Deps } from '#server/deps.ts'
import { readSettings } from '#server/env.ts'
import { mount } from '#server/http/mount.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createTestSession, manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { virtualTime } from '#support/server/virtual-time.ts'
import { addOrder } from '#tests/server/discovery/job-fixtures.ts'

const createCall = (who: AccessRule) =>
  ({
    method: 'GET',
    path: '/api/test/jobs/:jobId/access',
    who,
    params: object({ jobId: Id }),
    query: Nothing,
    body: Nothing,
    answer: type({}),
    problems: [],
  }) satisfies AnyCall

const openSessionCall = { ...createCall('anyone'), path: '/api/test/session', params: Nothing } satisfies AnyCall

const addJob = async (deps: Deps, slug: string): Promise<{ studioId: number; jobId: number }> => {
  const { studio, job } = given(deps)
  return await job(await studio({ slug }))
}

describe.each(enginesFor(import.meta.filename))('authorization by session, job and user on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (who: AccessRule, overrides: Partial<Deps> = {}) => {
    const time = manualClock()
    const deps = testDeps(database(), { ...time, ...overrides })
    const app = await testApp(deps)
    const contexts: unknown[] = []
    mount(app, deps, createCall(who), async (input) => {
      const { session, job, user } = input as unknown as Record<string, unknown>
      contexts.push({ session, job, user })
      return {}
    })
    mount(app, deps, openSessionCall, async ({ request, reply }) => await ensureSession(deps, request, reply))
    return { deps, app, contexts, advance: time.advance }
  }
  const requestJob = async (app: FastifyInstance, jobId: number, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url: `/api/test/jobs/${jobId}/access`, headers })
    return answer.statusCode === 200 ? 200 : `${answer.statusCode} ${answer.json().problem}`
  }

  it('a session call needs a known session that has not expired', async () => {
    const { deps, app, contexts, advance } = await setUp('session')
    const { id, headers } = await createTestSession(deps)
    expect(await requestJob(app, 1)).toBe('401 session-unknown')
    expect(await requestJob(app, 1, { cookie: 'fieldproof_session=AAAAAAAAAAAAAAAAAAAAAA' })).toBe(
      '401 session-unknown',
    )
    expect(await requestJob(app, 1, { cookie: 'fieldproof_session=x' })).toBe('401 session-unknown')
    expect(await requestJob(app, 1, headers)).toBe(200)
    expect(contexts).toEqual([{ session: { id } }])
    advance(25 * 60 * 60 * 1000)
    expect(await requestJob(app, 1, headers)).toBe('401 session-unknown')
  })

  it('a job call needs a session with a live grant other than an order’s', async () => {
    const { deps, app, contexts } = await setUp('job')
    const [grantedJob, otherJob] = [await addJob(deps, 'riverside'), await addJob(deps, 'summit')]
    const [session, stranger] = [await createTestSession(deps), await createTestSession(deps)]
    const grant = (jobKey: typeof grantedJob, overrides: object, letter: string) => ({
      studio_id: jobKey.studioId,
      job_id: jobKey.jobId,
      session_id: session.id,
      kind: 'job' as const,
      grant_id: letter.repeat(22),
      ...overrides,
    })
    await deps.db
      .insertInto('session_grants')
      .values([
        grant(grantedJob, { expires_at: new Date(deps.clock().getTime() + 1000) }, 'a'),
        grant(otherJob, { revoked_at: deps.clock() }, 'b'),
        grant(otherJob, { kind: 'gallery', expires_at: deps.clock() }, 'c'),
        grant(otherJob, { kind: 'order', order_id: await addOrder(deps, otherJob) }, 'd'),
      ])
      .execute()
    expect(await requestJob(app, grantedJob.jobId)).toBe('401 session-unknown')
    expect(await requestJob(app, grantedJob.jobId, stranger.headers)).toBe('403 code-needed')
    expect(await requestJob(app, otherJob.jobId, session.headers)).toBe('403 code-needed')
    expect(await requestJob(app, 999, session.headers)).toBe('404 not-found')
    expect(await requestJob(app, grantedJob.jobId, session.headers)).toBe(200)
    expect(contexts).toEqual([{ session: { id: session.id }, job: grantedJob }])
  })

  it('a user call needs a signed-in user, with the permission if the call requires one', async () => {
    const { deps, app, contexts, advance } = await setUp({ holds: ['studio.admin.crud', 'studio.users.crud'] })
    const { studioId } = await addJob(deps, 'riverside')
    const users = ([2, 3] as const).map((id) => ({
      ...{ id, email: `${id}@riverside.test`, name: 'Sam', role: id === 2 ? ('owner' as const) : ('staff' as const) },
      studio_id: studioId,
    }))
    await deps.db.insertInto('users').values(users).execute()
    const staff = {
      id: 3,
      name: 'Sam',
      email: 'staff@riverside.test',
      permissions: ['studio.crud'],
      studioId,
    } as const
    const owner = { ...staff, id: 2, permissions: ['studio.crud', 'studio.users.crud'] } as const
    const bearer = async (user: Parameters<typeof signAccessToken>[1], signer: Deps = deps) => ({
      authorization: `Bearer ${(await signAccessToken(signer, user)).token}`,
    })
    const forger = { ...deps, settings: { ...deps.settings, secret: 'another secret of the same length' } }
    expect(await requestJob(app, 1)).toBe('401 not-signed-in')
    expect(await requestJob(app, 1, { authorization: 'Bearer a.b.c' })).toBe('401 not-signed-in')
    expect(await requestJob(app, 1, await bearer(owner, forger))).toBe('401 not-signed-in')
    expect(await requestJob(app, 1, await bearer(staff))).toBe('403 not-allowed')
    const token = await bearer(owner)
    expect(await requestJob(app, 1, token)).toBe(200)
    expect(contexts).toEqual([{ user: { ...owner, issuedAt: expect.any(Date) } }])
    advance(15 * 60 * 1000)
    expect(await requestJob(app, 1, token)).toBe('401 not-signed-in')
  })

  it('the session cookie is hidden from scripts, stored only as a hash, and renewed when the session is opened again', async () => {
    const { deps, app, advance } = await setUp('session')
    const first = await app.inject('/api/test/session')
    expect(first.json()).toMatchObject({ data: { created: true } })
    const [cookie] = first.cookies
    expect(cookie).toMatchObject({
      name: 'fieldproof_session',
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: 34_560_000,
    })
    expect(cookie?.secure).toBeUndefined()
    expect(cookie?.value).toMatch(/^[\w-]{22}$/)
    const storedKeys = await deps.db.selectFrom('session_keys').selectAll().execute()
    expect(storedKeys).toHaveLength(1)
    expect(JSON.stringify(storedKeys)).not.toContain(cookie?.value)

    advance(300 * 24 * 60 * 60 * 1000)
    const renewed = await app.inject({ url: '/api/test/session', cookies: { fieldproof_session: cookie?.value ?? '' } })
    expect(renewed.json()).toMatchObject({ data: { created: false } })
    expect(renewed.cookies[0]).toMatchObject({ value: cookie?.value, maxAge: 34_560_000 })
    advance(300 * 24 * 60 * 60 * 1000)
    expect(await requestJob(app, 1, { cookie: `fieldproof_session=${cookie?.value}` })).toBe(200)
  })

  it('a made-up session token is replaced by a new one', async () => {
    const { app } = await setUp('session')
    const madeUpToken = 'AAAAAAAAAAAAAAAAAAAAAA'
    const answer = await app.inject({ url: '/api/test/session', cookies: { fieldproof_session: madeUpToken } })
    expect(answer.cookies[0]?.value).not.toBe(madeUpToken)
  })

  it('one address may open 600 sessions in ten minutes without delay, and then one every two seconds', async () => {
    const time = virtualTime()
    const { deps, app } = await setUp('session', { clock: time.clock, wait: time.wait, semaphore: time.semaphore })
    const failureCounter = {
      kind: 'address',
      key: 'session 192.0.2.1',
      failures: 595,
      window_started_at: time.clock(),
    } as const
    await deps.db.insertInto('guess_counters').values(failureCounter).execute()
    const openAt = (remoteAddress: string) => async () => {
      const started = time.clock().getTime()
      const { statusCode } = await app.inject({ url: '/api/test/session', remoteAddress })
      expect(statusCode).toBe(200)
      return time.clock().getTime() - started
    }
    const sameAddress = Array.from({ length: 8 }, () => openAt('192.0.2.1'))
    const waits = await time.runConcurrently([...sameAddress, openAt('198.51.100.7')])
    expect(waits.at(-1)).toBe(0)
    expect(waits.slice(0, -1).toSorted((left, right) => left - right)).toEqual([0, 0, 0, 0, 0, 2_000, 4_000, 6_000])
  })

  it('the cookie is limited to https if the public URL uses https', async () => {
    const settings = readSettings({ NODE_ENV: 'test', PUBLIC_URL: 'https://fieldproof.test/', SECRET: 's'.repeat(32) })
    const { app } = await setUp('session', { settings })
    expect((await app.inject('/api/test/session')).cookies[0]?.secure).toBe(true)
  })
})
