import { describe, expect, it } from 'vitest'
import type { Deps } from '../../../src/server/deps.ts'
import { purgeGuessCounts } from '../../../src/server/http/guess-counts.ts'
import { type Attempt, guard } from '../../../src/server/http/guessing.ts'
import { Lines } from '../../../src/server/http/lines.ts'
import { Problem } from '../../../src/server/http/problem.ts'
import { engines, freshDatabase } from '../../support/database.ts'
import { giveSession, handClock, testDeps } from '../../support/server.ts'

const hall = '203.0.113.7'
const hit = async () => 'found'
const miss = async () => undefined

const failAt = (deps: Deps, kind: 'address' | 'session', key: string, failures: number) =>
  deps.db.insertInto('guess_counters').values({ kind, key, failures, window_started_at: deps.clock() }).execute()

describe.each(engines)('guessing on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = () => {
    const time = handClock()
    const deps = testDeps(database(), time)
    const took = async (attempt: Attempt, work: () => Promise<string | undefined>) => {
      const started = deps.clock().getTime()
      const result = await guard(deps, attempt, work)
      return { result, seconds: (deps.clock().getTime() - started) / 1000 }
    }
    return { deps, took, advance: time.advance }
  }

  it('lets 300 parents behind one address in within a minute, two typos each', async () => {
    const { deps } = begin()
    const started = deps.clock().getTime()
    const arrive = async () => {
      const attempt = { kind: 'code', session: await giveSession(deps), address: hall } as const
      await guard(deps, attempt, miss)
      await guard(deps, attempt, miss)
      return await guard(deps, attempt, hit)
    }
    const all = await Promise.all(Array.from({ length: 300 }, arrive))
    expect(all.every((found) => found === 'found')).toBe(true)
    // The clock adds up what they wait one by one; in truth they wait at the same time.
    expect(deps.clock().getTime() - started).toBeLessThan(60_000)
  })

  it('makes 10,000 guesses take hours and tells nothing', async () => {
    const { deps } = begin()
    const started = deps.clock().getTime()
    const heard = new Set<unknown>()
    for (let guess = 0; guess < 10_000; guess += 1) heard.add(await guard(deps, { kind: 'code', address: hall }, miss))
    expect([...heard]).toEqual([undefined])
    expect(deps.clock().getTime() - started).toBeGreaterThan(2 * 60 * 60 * 1000)
  }, 120_000)

  it('slows a session after ten failures and lets it go on', async () => {
    const { deps, took } = begin()
    const attempt = { kind: 'code', session: await giveSession(deps), address: hall } as const
    for (let guess = 0; guess < 10; guess += 1) expect((await took(attempt, miss)).seconds).toBeLessThan(1)
    expect(await took(attempt, miss)).toEqual({ result: undefined, seconds: 2 })
    expect(await took(attempt, hit)).toEqual({ result: 'found', seconds: 2 })
  })

  it('forgets failures after their time, target by target', async () => {
    const { deps, took, advance } = begin()
    const session = await giveSession(deps)
    const attempt = { kind: 'order', session, targets: ['FP-12345678'], address: hall } as const
    for (let guess = 0; guess < 10; guess += 1) await guard(deps, attempt, miss)
    advance(11 * 60_000)
    expect((await took(attempt, hit)).seconds).toBe(2)
    expect((await took({ ...attempt, targets: ['FP-87654321'] }, hit)).seconds).toBeLessThan(1)
    advance(50 * 60_000)
    expect((await took(attempt, hit)).seconds).toBeLessThan(1)
    advance(61 * 60_000)
    await purgeGuessCounts(deps)
    expect(await deps.db.selectFrom('guess_counters').selectAll().execute()).toEqual([])
  })

  it('never counts a success', async () => {
    const { deps, took } = begin()
    const attempt = { kind: 'sign-in', targets: ['owner@riverside.test'], address: hall } as const
    for (let tries = 0; tries < 30; tries += 1) await guard(deps, attempt, hit)
    expect((await took(attempt, hit)).seconds).toBeLessThan(1)
  })

  it('takes as long for a hit as for a miss', async () => {
    const { took } = begin()
    const attempt = { kind: 'code', address: hall } as const
    expect((await took(attempt, hit)).seconds).toBe((await took(attempt, miss)).seconds)
  })

  it('is slow for a crowded address, except for who has a grant', async () => {
    const { deps, took } = begin()
    const [stranger, parent] = [await giveSession(deps), await giveSession(deps)]
    await giveGrant(deps, parent.id)
    await failAt(deps, 'address', hall, 601)
    expect((await took({ kind: 'code', session: stranger, address: hall }, hit)).seconds).toBe(2)
    expect((await took({ kind: 'code', session: parent, address: hall }, hit)).seconds).toBeLessThan(1)
    expect((await took({ kind: 'code', session: stranger, address: '203.0.113.8' }, hit)).seconds).toBeLessThan(1)
  })

  it('counts for every server, not for one process', async () => {
    const { deps, took } = begin()
    const session = await giveSession(deps)
    await failAt(deps, 'session', String(session.id), 9)
    const other = { ...deps, lines: new Lines() }
    await guard(other, { kind: 'code', session, address: hall }, miss)
    expect((await took({ kind: 'code', session, address: hall }, miss)).seconds).toBe(2)
  })

  it('turns a burst away instead of letting it be quicker than the count', async () => {
    const { deps } = begin()
    let tried = 0
    const work = async () => {
      tried += 1
      return undefined
    }
    const attempt = { kind: 'code', session: await giveSession(deps), address: hall } as const
    const answers = await Promise.all(Array.from({ length: 100 }, () => guard(deps, attempt, work)))
    const turnedAway = answers.filter((answer) => answer instanceof Problem)
    expect(turnedAway.length).toBe(100 - tried)
    expect(tried).toBe(5)
  })

  it('never locks the rightful person out while others hammer at their account', async () => {
    const { deps } = begin()
    const attempt = (address: string) => ({ kind: 'sign-in', targets: ['owner@riverside.test'], address }) as const
    const attackers = Array.from({ length: 40 }, (_, n) => attempt(`198.51.100.${n}`))
    const flood = attackers.flatMap((one) => Array.from({ length: 20 }, () => guard(deps, one, miss)))
    const started = deps.clock().getTime()
    expect(await guard(deps, attempt(hall), hit)).toBe('found')
    // One turn of two seconds for each address that was there before.
    expect(deps.clock().getTime() - started).toBeLessThan(41 * 2_050)
    await Promise.all(flood)
  })
})

const giveGrant = async (deps: Deps, sessionId: number): Promise<void> => {
  const studio = await deps.db
    .insertInto('studios')
    .values({ slug: 'riverside', name: 'Riverside Portraits' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const job = await deps.db
    .insertInto('jobs')
    .values({ studio_id: studio.id, name: 'Spring' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await deps.db
    .insertInto('session_grants')
    .values({ studio_id: studio.id, session_id: sessionId, job_id: job.id, kind: 'job', grant_id: 'g'.repeat(22) })
    .execute()
}
