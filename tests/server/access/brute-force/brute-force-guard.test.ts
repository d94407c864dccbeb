import { describe, expect, it } from 'vitest'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { searchSubjects } from '#contract/customer/find-subjects.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { bruteForceGuard, type GuessAttempt } from '#server/access/brute-force/brute-force-guard.ts'
import { purgeFailureCounts } from '#server/access/brute-force/failure-counts.ts'
import { KeyedSemaphore } from '#server/access/brute-force/keyed-semaphore.ts'
import type { Deps } from '#server/deps.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { Problem } from '#server/http/problem.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession, manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { virtualTime } from '#support/server/virtual-time.ts'
import { customerClient } from '../../discovery/customer-client.ts'
import { addJob, seedJobs } from '../../discovery/job-fixtures.ts'

const hall = '203.0.113.7'
const hit = async () => 'found'
const miss = async () => undefined

/** The long run counts every miss; the short one begins close to each limit. */
const isLong = process.env.LONG === '1'
const guesses = isLong ? 10_000 : 2_000
const grantedSessions = isLong ? 101 : 21
const guessesEach = isLong ? 30 : 10
const grantedGuesses = (grantedSessions - 1) * guessesEach
const recentMisses = isLong ? 1 : 590
const earlierMisses = isLong ? 1 : 810
const earlier = [
  { failures: recentMisses, minutesAgo: 1 },
  { failures: earlierMisses, minutesAgo: 60 },
]

const failAt = (deps: Deps, kind: 'address' | 'session' | 'target', key: string, failures: number) =>
  deps.db.insertInto('guess_counters').values({ kind, key, failures, window_started_at: deps.clock() }).execute()

describe.each(enginesFor(import.meta.filename))('the brute-force guard on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const took = async (attempt: GuessAttempt, work: () => Promise<string | undefined>) => {
      const started = deps.clock().getTime()
      const result = await bruteForceGuard(deps, attempt, work)
      return { result, seconds: (deps.clock().getTime() - started) / 1000 }
    }
    return { deps, took, advance: time.advance }
  }

  it('300 parents behind one address enter their codes within a minute, with two typos each', async () => {
    const { deps } = begin()
    const started = deps.clock().getTime()
    const arrive = async () => {
      const attempt = { kind: 'code', session: await createTestSession(deps), address: hall } as const
      await bruteForceGuard(deps, attempt, miss)
      await bruteForceGuard(deps, attempt, miss)
      return await bruteForceGuard(deps, attempt, hit)
    }
    const all = await Promise.all(Array.from({ length: 300 }, arrive))
    expect(all.every((found) => found === 'found')).toBe(true)
    // The fake clock adds up waits that run in parallel in reality.
    expect(deps.clock().getTime() - started).toBeLessThan(60_000)
  })

  it(`${guesses} guesses are slowed and reveal nothing, however close they come`, async () => {
    const { deps } = begin()
    const app = await testApp(deps)
    const { other } = await seedJobs(deps)
    await addJob(deps, { studioId: other.studioId, code: 'ELSEWHERE' })
    const nearMisses: [studio: string, code: string][] = [
      ['riverside', 'ELSEWHERE'], // right at another studio
      ['summit', 'RAPIDS'],
      ['summit', 'ADALVL'], // a subject's own code, next to one of the same name at this studio
      ['riverside', 'HIDDEN'], // right, of a hidden subject
      ['riverside', 'SPRINGS'], // a letter more, a letter less, another letter
      ['riverside', 'ADALV'],
      ['riverside', 'SPRUNG'],
    ]
    const guesser = customerClient(app, hall)
    const started = deps.clock().getTime()
    const heard = new Map<string, number>()
    const took = new Map<number, Set<string>>()
    for (let guess = 0; guess < guesses; guess += 1) {
      const [slug, code] = nearMisses[guess % 10] ?? ['riverside', `G${guess}`]
      const before = deps.clock().getTime()
      const answer = JSON.stringify(await guesser.ask(redeemCode, { params: { slug }, query: { code } }))
      heard.set(answer, (heard.get(answer) ?? 0) + 1)
      const waited = deps.clock().getTime() - before
      took.set(waited, (took.get(waited) ?? new Set()).add(guess % 10 < nearMisses.length ? 'near' : 'far'))
    }
    const miss = { status: 404, errors: ['We do not know this code. Please look at it again'], problem: 'not-found' }
    expect([...heard]).toEqual([[JSON.stringify(miss), guesses]])
    // Fast for the first failures, then slow, for near and far guesses alike.
    expect([...took]).toEqual([
      [50, new Set(['near', 'far'])],
      [2_000, new Set(['near', 'far'])],
    ])
    expect(guesser.hasCookie()).toBe(false)
    expect(deps.clock().getTime() - started).toBeGreaterThan((guesses / 5_000) * 60 * 60 * 1000)
    // The same guesser gets another answer for the right code, so the answers above could have differed.
    expect((await guesser.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })).status).toBe(
      200,
    )
  }, 120_000)

  it('a name that is right in another job, or a search token of another job, reveals nothing about a subject', async () => {
    const { deps } = begin()
    const app = await testApp(deps)
    const { studioId, spring, team, ada, kai, hidden, stranger } = await seedJobs(deps)
    const gym = await addJob(deps, { studioId, code: 'GYMFALL' })
    const parent = customerClient(app, hall)
    await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'GYMFALL' } })
    const search = (firstName: string, lastName: string) =>
      parent.ask(searchSubjects, { params: { jobId: gym.jobId }, query: { firstName, lastName } })
    const nobody = await search('Zebulon', 'Quartermain')
    expect(nobody).toEqual({ status: 200, data: [] })
    expect(await search('Ada', 'Lovelace')).toEqual(nobody)
    expect(await search('Alma', 'Lowe')).toEqual(nobody)
    const confirm = (subjectId: number, of: { jobId: number }) =>
      parent.ask(confirmSubject, {
        params: { jobId: gym.jobId },
        body: { subjectId, proof: createSearchToken(deps, { jobId: of.jobId, subjectId }) },
      })
    const noSuch = await confirm(999_999, gym)
    expect(noSuch).toMatchObject({ status: 404, problem: 'not-found' })
    const near: [number, { jobId: number }][] = [
      [ada, spring],
      [ada, gym],
      [kai, team],
      [hidden, spring],
      [stranger, gym],
    ]
    for (const [subjectId, of] of near) expect(await confirm(subjectId, of)).toEqual(noSuch)
  })

  it('a session is slowed after ten failures and not blocked', async () => {
    const { deps, took } = begin()
    const attempt = { kind: 'code', session: await createTestSession(deps), address: hall } as const
    for (let guess = 0; guess < 10; guess += 1) expect((await took(attempt, miss)).seconds).toBeLessThan(1)
    expect(await took(attempt, miss)).toEqual({ result: undefined, seconds: 2 })
    expect(await took(attempt, hit)).toEqual({ result: 'found', seconds: 2 })
  })

  it('failures expire after their window, target by target', async () => {
    const { deps, took, advance } = begin()
    const session = await createTestSession(deps)
    const attempt = { kind: 'order', session, targets: ['FP-12345678'], address: hall } as const
    for (let guess = 0; guess < 10; guess += 1) await bruteForceGuard(deps, attempt, miss)
    advance(11 * 60_000)
    expect((await took(attempt, hit)).seconds).toBe(2)
    expect((await took({ ...attempt, targets: ['FP-87654321'] }, hit)).seconds).toBeLessThan(1)
    advance(50 * 60_000)
    expect((await took(attempt, hit)).seconds).toBeLessThan(1)
    advance(25 * 60 * 60_000)
    await purgeFailureCounts(deps)
    expect(await deps.db.selectFrom('guess_counters').selectAll().execute()).toEqual([])
  })

  it('a success is never counted', async () => {
    const { deps, took } = begin()
    const attempt = { kind: 'sign-in', targets: ['owner@riverside.test'], address: hall } as const
    for (let tries = 0; tries < 30; tries += 1) await bruteForceGuard(deps, attempt, hit)
    expect((await took(attempt, hit)).seconds).toBeLessThan(1)
  })

  it('a hit takes as long as a miss', async () => {
    const { took } = begin()
    const attempt = { kind: 'code', address: hall } as const
    expect((await took(attempt, hit)).seconds).toBe((await took(attempt, miss)).seconds)
  })

  it('a crowded address is slow, except for sessions with a grant', async () => {
    const { deps, took } = begin()
    const [stranger, parent] = [await createTestSession(deps), await createTestSession(deps)]
    await giveGrant(deps, parent.id)
    const order = { kind: 'order', grant: 'any', targets: ['FP-12345678'] } as const
    await failAt(deps, 'address', `order ${hall}`, 601)
    expect((await took({ ...order, session: stranger, address: hall }, hit)).seconds).toBe(2)
    expect((await took({ ...order, session: parent, address: hall }, hit)).seconds).toBeLessThan(1)
    expect((await took({ ...order, session: stranger, address: '203.0.113.8' }, hit)).seconds).toBeLessThan(1)
  })

  it(`${grantedGuesses} wrong codes of sessions with a grant are paced, and the right code of another session goes ahead`, async () => {
    const time = virtualTime()
    const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.lines })
    const now = () => time.clock().getTime()
    const sessions = await Promise.all(Array.from({ length: grantedSessions }, () => createTestSession(deps)))
    const [family, ...guessers] = sessions
    await giveGrant(deps, ...sessions.map(({ id }) => id))
    for (const { failures, minutesAgo } of earlier) {
      const window_started_at = new Date(now() - minutesAgo * 60_000)
      const row = { kind: 'address', key: `code ${hall}`, failures, window_started_at } as const
      await deps.db.insertInto('guess_counters').values(row).execute()
    }
    const startedAt = now()
    const missedAt: number[] = []
    const guesser = (session: { id: number }) => async () => {
      for (let guess = 0; guess < guessesEach; guess += 1) {
        expect(
          await bruteForceGuard(deps, { kind: 'code', grant: 'any', session, address: hall }, miss),
        ).toBeUndefined()
        missedAt.push(now() - startedAt)
      }
      return 0
    }
    const rightful = async () => {
      await time.wait(5_000)
      const arrivedAt = now()
      expect(await bruteForceGuard(deps, { kind: 'code', grant: 'any', session: family, address: hall }, hit)).toBe(
        'found',
      )
      return (now() - arrivedAt) / 1000
    }
    const seconds = await time.together([...guessers.map(guesser), rightful])
    const atOnce = missedAt.filter((at) => at < 1_000).length
    const last = Math.max(...missedAt) / 1000
    process.stdout.write(
      `  ${engine.name}: ${missedAt.length} wrong codes, ${atOnce} at once, the last after ${last} s; the right one after ${seconds.at(-1)} s\n`,
    )
    // Eight may be counted at the same time, and ten more take the first places of the queue.
    expect(atOnce).toBeLessThanOrEqual(601 - recentMisses + 10 + 8)
    const missesAtTen = 1_500 - recentMisses - earlierMisses
    // Misses of the first minutes expire ten minutes later: then as many are answered at once again.
    expect(last).toBeGreaterThanOrEqual(Math.min((missedAt.length - missesAtTen - 30) * 2, 25 * 60))
    expect(seconds.at(-1)).toBeLessThanOrEqual(3)
  }, 600_000)

  it('no grant exempts a hand-over from the limit of an address, and for promotions only a grant of the same job does', async () => {
    const { deps, took } = begin()
    const session = await createTestSession(deps)
    const { studioId, jobId } = await giveGrant(deps, session.id)
    for (const kind of ['hand-over', 'promotion']) await failAt(deps, 'address', `${kind} ${hall}`, 601)
    const secondsOf = async (attempt: Pick<GuessAttempt, 'kind' | 'grant'>) =>
      (await took({ ...attempt, session, address: hall }, hit)).seconds
    expect(await secondsOf({ kind: 'hand-over' })).toBe(2)
    expect(await secondsOf({ kind: 'promotion', grant: { studioId, jobId } })).toBeLessThan(1)
    expect(await secondsOf({ kind: 'promotion', grant: { studioId, jobId: jobId + 1 } })).toBe(2)
    expect(await secondsOf({ kind: 'promotion', grant: { studioId: studioId + 1, jobId } })).toBe(2)
  })

  /** Seconds that `count` sessions with a grant take for one wrong promotion each, at an address with these misses before. */
  const missTogether = async (count: number, before: { failures: number; minutesAgo: number }): Promise<number> => {
    const time = virtualTime()
    const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.lines })
    const sessions = await Promise.all(Array.from({ length: count }, () => createTestSession(deps)))
    const job = await giveGrant(deps, ...sessions.map(({ id }) => id))
    const window_started_at = new Date(time.clock().getTime() - before.minutesAgo * 60_000)
    const row = { kind: 'address', key: `promotion ${hall}`, failures: before.failures, window_started_at } as const
    await deps.db.insertInto('guess_counters').values(row).execute()
    const startedAt = time.clock().getTime()
    await time.together(
      sessions.map((session) => async () => {
        return await bruteForceGuard(deps, { kind: 'promotion', grant: job, session, address: hall }, miss)
      }),
    )
    return (time.clock().getTime() - startedAt) / 1000
  }

  it('promotions are slowed for a day after 1,500 misses at an address, even if the last ten minutes had few', async () => {
    expect(await missTogether(10, { failures: 1_500, minutesAgo: 60 })).toBeGreaterThanOrEqual(18)
  })

  it('promotions are answered at once where neither ten minutes nor a day had many misses', async () => {
    expect(await missTogether(10, { failures: 1_400, minutesAgo: 60 })).toBeLessThan(1)
  })

  it.each(['with', 'without'])(
    '300 families %s per session get in within a minute although others missed 1,500 codes from their address an hour ago',
    async (has) => {
      const time = virtualTime()
      const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.lines })
      const window_started_at = new Date(time.clock().getTime() - 60 * 60_000)
      const row = { kind: 'address', key: `code ${hall}`, failures: 1_500, window_started_at } as const
      await deps.db.insertInto('guess_counters').values(row).execute()
      const families = await Promise.all(
        Array.from({ length: 300 }, async () => (has === 'with' ? await createTestSession(deps) : undefined)),
      )
      const startedAt = time.clock().getTime()
      const enter = (session: { id: number } | undefined) => async () => {
        const attempt = { kind: 'code', grant: 'any', session, address: hall } as const
        await bruteForceGuard(deps, attempt, miss)
        await bruteForceGuard(deps, attempt, miss)
        return await bruteForceGuard(deps, attempt, hit)
      }
      const found = await time.together(families.map(enter))
      expect(found.every((one) => one === 'found')).toBe(true)
      expect(time.clock().getTime() - startedAt).toBeLessThan(60_000)
    },
  )

  it('sessions with a grant for the job get ten promotion attempts a second past the limit of an address', async () => {
    expect(await missTogether(40, { failures: 601, minutesAgo: 1 })).toBeGreaterThanOrEqual(3)
  })

  it('the first attempts at an account go ahead at an address past its limit, later ones do not', async () => {
    const { deps, took } = begin()
    await failAt(deps, 'address', `sign-in ${hall}`, 601)
    const attempt = { kind: 'sign-in', targets: ['staff@riverside.test'], address: hall } as const
    for (let guess = 0; guess < 3; guess += 1) expect((await took(attempt, miss)).seconds).toBeLessThan(1)
    expect((await took(attempt, miss)).seconds).toBe(2)
    expect((await took({ ...attempt, targets: ['owner@riverside.test'] }, hit)).seconds).toBeLessThan(1)
    // For other kinds each attempt has a target of its own.
    await failAt(deps, 'address', `order ${hall}`, 601)
    expect((await took({ kind: 'order', targets: ['FP-12345678'], address: hall }, miss)).seconds).toBe(2)
  })

  it('failures count across server processes', async () => {
    const { deps, took } = begin()
    const session = await createTestSession(deps)
    await failAt(deps, 'session', `code ${session.id}`, 9)
    const other = { ...deps, lines: new KeyedSemaphore((_milliseconds, run) => queueMicrotask(run)) }
    await bruteForceGuard(other, { kind: 'code', session, address: hall }, miss)
    expect((await took({ kind: 'code', session, address: hall }, miss)).seconds).toBe(2)
  })

  it('a burst is rejected and cannot outrun the count', async () => {
    const { deps } = begin()
    let tried = 0
    const work = async () => {
      tried += 1
      return undefined
    }
    const attempt = { kind: 'code', session: await createTestSession(deps), address: hall } as const
    const answers = await Promise.all(Array.from({ length: 100 }, () => bruteForceGuard(deps, attempt, work)))
    const turnedAway = answers.filter((answer) => answer instanceof Problem)
    expect(turnedAway.length).toBe(100 - tried)
    expect(tried).toBe(5)
  })

  it('the rightful user is never locked out while others guess at their account', async () => {
    const { deps } = begin()
    const attempt = (address: string) => ({ kind: 'sign-in', targets: ['owner@riverside.test'], address }) as const
    const attackers = Array.from({ length: 40 }, (_, n) => attempt(`198.51.100.${n}`))
    const flood = attackers.flatMap((one) => Array.from({ length: 20 }, () => bruteForceGuard(deps, one, miss)))
    const started = deps.clock().getTime()
    expect(await bruteForceGuard(deps, attempt(hall), hit)).toBe('found')
    // Behind the running attempt: addresses without failures go first.
    expect(deps.clock().getTime() - started).toBeLessThan(2 * 2_050 + 50)
    await Promise.all(flood)
  })

  it('the rightful user is never locked out while a /48 of unused /64s guesses at their account', async () => {
    const { deps } = begin()
    const attempt = (address: string) => ({ kind: 'sign-in', targets: ['owner@riverside.test'], address }) as const
    const unused = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => attempt(`2001:db8:1:${(from + n).toString(16)}::/64`))
    for (const attacker of unused(0, 12)) await bruteForceGuard(deps, attacker, miss)
    const started = deps.clock().getTime()
    const before = unused(100, 20).map((attacker) => bruteForceGuard(deps, attacker, miss))
    const owner = bruteForceGuard(deps, attempt('2001:db8:2:1::/64'), hit)
    const after = unused(200, 20).map((attacker) => bruteForceGuard(deps, attacker, miss))
    expect(await owner).toBe('found')
    expect(deps.clock().getTime() - started).toBeLessThan(2 * 2_050 + 50)
    await Promise.all([...before, ...after])
  })
})

const giveGrant = async (deps: Deps, ...sessionIds: number[]): Promise<JobKey> => {
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
    .values(
      sessionIds.map((sessionId) => ({
        ...{ studio_id: studio.id, session_id: sessionId, job_id: job.id, kind: 'job' as const },
        grant_id: String(sessionId).padStart(22, 'g'),
      })),
    )
    .execute()
  return { studioId: studio.id, jobId: job.id }
}
