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
import { createTestSession, manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { virtualTime } from '#support/server/virtual-time.ts'
import { addOrder } from '../../discovery/job-fixtures.ts'

const door = (who: AccessRule) =>
  ({
    method: 'GET',
    path: '/api/test/jobs/:jobId/door',
    who,
    params: object({ jobId: Id }),
    query: Nothing,
    body: Nothing,
    answer: type({}),
    problems: [],
  }) satisfies AnyCall

const entrance = { ...door('anyone'), path: '/api/test/entrance', params: Nothing } satisfies AnyCall

const giveJob = async ({ db }: Deps, slug: string): Promise<{ studioId: number; jobId: number }> => {
  const studio = await db.insertInto('studios').values({ slug, name: slug }).returning('id').executeTakeFirstOrThrow()
  const job = { studio_id: studio.id, name: 'Spring' }
  const { id } = await db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('job_links').values({ job_id: id, studio_id: studio.id }).execute()
  return { studioId: studio.id, jobId: id }
}

describe.each(enginesFor(import.meta.filename))('authorization by session, job and user on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (who: AccessRule, own: Partial<Deps> = {}) => {
    const time = manualClock()
    const deps = testDeps(database(), { ...time, ...own })
    const app = await testApp(deps)
    const seen: unknown[] = []
    mount(app, deps, door(who), async (asked) => {
      const { session, job, user } = asked as unknown as Record<string, unknown>
      seen.push({ session, job, user })
      return {}
    })
    mount(app, deps, entrance, async ({ request, reply }) => await ensureSession(deps, request, reply))
    return { deps, app, seen, advance: time.advance }
  }
  const knock = async (app: FastifyInstance, jobId: number, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url: `/api/test/jobs/${jobId}/door`, headers })
    return answer.statusCode === 200 ? 200 : `${answer.statusCode} ${answer.json().problem}`
  }

  it('a session call needs a known session that has not ended or expired', async () => {
    const { deps, app, seen, advance } = await begin('session')
    const { id, headers } = await createTestSession(deps)
    expect(await knock(app, 1)).toBe('401 session-unknown')
    expect(await knock(app, 1, { cookie: 'fieldproof_session=AAAAAAAAAAAAAAAAAAAAAA' })).toBe('401 session-unknown')
    expect(await knock(app, 1, { cookie: 'fieldproof_session=x' })).toBe('401 session-unknown')
    expect(await knock(app, 1, headers)).toBe(200)
    expect(seen).toEqual([{ session: { id } }])
    advance(25 * 60 * 60 * 1000)
    expect(await knock(app, 1, headers)).toBe('401 session-unknown')
  })

  it('a job call needs a session with a live grant other than an order’s', async () => {
    const { deps, app, seen } = await begin('job')
    const [mine, other] = [await giveJob(deps, 'riverside'), await giveJob(deps, 'summit')]
    const [parent, stranger] = [await createTestSession(deps), await createTestSession(deps)]
    const grant = (jobKey: typeof mine, own: object, letter: string) => ({
      studio_id: jobKey.studioId,
      job_id: jobKey.jobId,
      session_id: parent.id,
      kind: 'job' as const,
      grant_id: letter.repeat(22),
      ...own,
    })
    await deps.db
      .insertInto('session_grants')
      .values([
        grant(mine, { expires_at: new Date(deps.clock().getTime() + 1000) }, 'a'),
        grant(other, { revoked_at: deps.clock() }, 'b'),
        grant(other, { kind: 'gallery', expires_at: deps.clock() }, 'c'),
        grant(other, { kind: 'order', order_id: await addOrder(deps, other) }, 'd'),
      ])
      .execute()
    expect(await knock(app, mine.jobId)).toBe('401 session-unknown')
    expect(await knock(app, mine.jobId, stranger.headers)).toBe('403 code-needed')
    expect(await knock(app, other.jobId, parent.headers)).toBe('403 code-needed')
    expect(await knock(app, 999, parent.headers)).toBe('404 not-found')
    expect(await knock(app, mine.jobId, parent.headers)).toBe(200)
    expect(seen).toEqual([{ session: { id: parent.id }, job: mine }])
  })

  it('a user call needs a signed-in user, with the permission where one is required', async () => {
    const { deps, app, seen, advance } = await begin({ holds: ['studio.admin.crud', 'studio.users.crud'] })
    const { studioId } = await giveJob(deps, 'riverside')
    const people = ([2, 3] as const).map((id) => ({
      ...{ id, email: `${id}@riverside.test`, name: 'Sam', role: id === 2 ? ('owner' as const) : ('staff' as const) },
      studio_id: studioId,
    }))
    await deps.db.insertInto('users').values(people).execute()
    const staff = {
      id: 3,
      name: 'Sam',
      email: 'staff@riverside.test',
      permissions: ['studio.crud'],
      studioId,
    } as const
    const owner = { ...staff, id: 2, permissions: ['studio.crud', 'studio.users.crud'] } as const
    const bearer = async (user: Parameters<typeof signAccessToken>[1], by: Deps = deps) => ({
      authorization: `Bearer ${(await signAccessToken(by, user)).token}`,
    })
    const forger = { ...deps, settings: { ...deps.settings, secret: 'another secret of the same length' } }
    expect(await knock(app, 1)).toBe('401 not-signed-in')
    expect(await knock(app, 1, { authorization: 'Bearer a.b.c' })).toBe('401 not-signed-in')
    expect(await knock(app, 1, await bearer(owner, forger))).toBe('401 not-signed-in')
    expect(await knock(app, 1, await bearer(staff))).toBe('403 not-allowed')
    const token = await bearer(owner)
    expect(await knock(app, 1, token)).toBe(200)
    expect(seen).toEqual([{ user: owner }])
    advance(15 * 60 * 1000)
    expect(await knock(app, 1, token)).toBe('401 not-signed-in')
  })

  it('the session cookie is unreadable to scripts, unguessable, set once, and renewed', async () => {
    const { deps, app, advance } = await begin('session')
    const first = await app.inject('/api/test/entrance')
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
    const kept = await deps.db.selectFrom('session_keys').selectAll().execute()
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(cookie?.value)

    advance(300 * 24 * 60 * 60 * 1000)
    const again = await app.inject({ url: '/api/test/entrance', cookies: { fieldproof_session: cookie?.value ?? '' } })
    expect(again.json()).toMatchObject({ data: { created: false } })
    expect(again.cookies[0]).toMatchObject({ value: cookie?.value, maxAge: 34_560_000 })
    advance(300 * 24 * 60 * 60 * 1000)
    expect(await knock(app, 1, { cookie: `fieldproof_session=${cookie?.value}` })).toBe(200)
  })

  it('a made-up session token is never accepted', async () => {
    const { app } = await begin('session')
    const made = 'AAAAAAAAAAAAAAAAAAAAAA'
    const answer = await app.inject({ url: '/api/test/entrance', cookies: { fieldproof_session: made } })
    expect(answer.cookies[0]?.value).not.toBe(made)
  })

  it('600 sessions begin at one address in ten minutes at once, later ones every two seconds', async () => {
    const time = virtualTime()
    const { deps, app } = await begin('session', { clock: time.clock, wait: time.wait, semaphore: time.lines })
    const earlier = {
      kind: 'address',
      key: 'session 192.0.2.1',
      failures: 595,
      window_started_at: time.clock(),
    } as const
    await deps.db.insertInto('guess_counters').values(earlier).execute()
    const open = (remoteAddress: string) => async () => {
      const started = time.clock().getTime()
      const { statusCode } = await app.inject({ url: '/api/test/entrance', remoteAddress })
      expect(statusCode).toBe(200)
      return time.clock().getTime() - started
    }
    const here = Array.from({ length: 8 }, () => open('192.0.2.1'))
    const took = await time.together([...here, open('198.51.100.7')])
    expect(took.at(-1)).toBe(0)
    expect(took.slice(0, -1).toSorted((one, other) => one - other)).toEqual([0, 0, 0, 0, 0, 2_000, 4_000, 6_000])
  })

  it('the cookie is sent over https only, where there is https', async () => {
    const settings = readSettings({ NODE_ENV: 'test', PUBLIC_URL: 'https://fieldproof.test/', SECRET: 's'.repeat(32) })
    const { app } = await begin('session', { settings })
    expect((await app.inject('/api/test/entrance')).cookies[0]?.secure).toBe(true)
  })
})
