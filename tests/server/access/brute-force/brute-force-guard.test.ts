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
import { given } from '#support/server/given.ts'
import { createTestSession, manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { virtualTime } from '#support/server/virtual-time.ts'
import { customerClient } from '#tests/server/discovery/customer-client.ts'
import { seedJobs } from '#tests/server/discovery/job-fixtures.ts'

const schoolAddress = '203.0.113.7'
const hit = async () => 'found'
const miss = async () => undefined

/** The long run makes every wrong guess itself; the short run starts close to each limit. */
const isLong = process.env.LONG === '1'
const guesses = isLong ? 10_000 : 2_000
const grantedSessions = isLong ? 101 : 21
const guessesPerSession = isLong ? 30 : 10
const grantedGuesses = (grantedSessions - 1) * guessesPerSession
const recentMisses = isLong ? 1 : 590
const earlierMisses = isLong ? 1 : 810
const earlierFailures = [
  { failures: recentMisses, minutesAgo: 1 },
  { failures: earlierMisses, minutesAgo: 60 },
]

const insertFailures = (deps: Deps, kind: 'address' | 'session' | 'target', key: string, failures: number) =>
  deps.db.insertInto('guess_counters').values({ kind, key, failures, window_started_at: deps.clock() }).execute()

describe.each(enginesFor(import.meta.filename))('the brute-force guard on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const timeGuard = async (attempt: GuessAttempt, work: () => Promise<string | undefined>) => {
      const started = deps.clock().getTime()
      const result = await bruteForceGuard(deps, attempt, work)
      return { result, seconds: (deps.clock().getTime() - started) / 1000 }
    }
    return { deps, timeGuard, advance: time.advance }
  }

  it('300 parents behind one address enter their codes within a minute, with two typos each', async () => {
    const { deps } = setUp()
    const started = deps.clock().getTime()
    const enterCode = async () => {
      const attempt = { kind: 'code', session: await createTestSession(deps), address: schoolAddress } as const
      await bruteForceGuard(deps, attempt, miss)
      await bruteForceGuard(deps, attempt, miss)
      return await bruteForceGuard(deps, attempt, hit)
    }
    const results = await Promise.all(Array.from({ length: 300 }, enterCode))
    expect(results.every((result) => result === 'found')).toBe(true)
    // The fake clock adds up waits that run in parallel in reality.
    expect(deps.clock().getTime() - started).toBeLessThan(60_000)
  })

  it(`${guesses} guesses are slowed and reveal nothing, even if they are close to a valid code`, async () => {
    const { deps } = setUp()
    const app = await testApp(deps)
    const { other: otherStudioJob } = await seedJobs(deps)
    await given(deps).job(otherStudioJob.studioId, { code: 'ELSEWHERE' })
    const nearMisses: [studio: string, code: string][] = [
      ['riverside', 'ELSEWHERE'], // valid in another studio
      ['summit', 'RAPIDS'],
      ['summit', 'ADALVL'], // a subject's code of the other studio, where this studio has a subject of the same name
      ['riverside', 'HIDDEN'], // the code of a hidden subject
      ['riverside', 'SPRINGS'], // one letter added, removed or replaced
      ['riverside', 'ADALV'],
      ['riverside', 'SPRUNG'],
    ]
    const guessingClient = customerClient(app, schoolAddress)
    const started = deps.clock().getTime()
    const answerCounts = new Map<string, number>()
    const distancesByWait = new Map<number, Set<string>>()
    for (let guess = 0; guess < guesses; guess += 1) {
      const [slug, code] = nearMisses[guess % 10] ?? ['riverside', `G${guess}`]
      const guessedAt = deps.clock().getTime()
      const answer = JSON.stringify(await guessingClient.request(redeemCode, { params: { slug }, query: { code } }))
      answerCounts.set(answer, (answerCounts.get(answer) ?? 0) + 1)
      const waitedMs = deps.clock().getTime() - guessedAt
      distancesByWait.set(
        waitedMs,
        (distancesByWait.get(waitedMs) ?? new Set()).add(guess % 10 < nearMisses.length ? 'near' : 'far'),
      )
    }
    const miss = { status: 404, errors: ['We don’t know this code. Please check it'], problem: 'not-found' }
    expect([...answerCounts]).toEqual([[JSON.stringify(miss), guesses]])
    // The first failures are answered fast and later ones slowly, whether the guess was near or far.
    expect([...distancesByWait]).toEqual([
      [50, new Set(['near', 'far'])],
      [2_000, new Set(['near', 'far'])],
    ])
    expect(guessingClient.hasCookie()).toBe(false)
    expect(deps.clock().getTime() - started).toBeGreaterThan((guesses / 5_000) * 60 * 60 * 1000)
    // The same guesser gets another answer for the right code, so the answers above could have differed.
    expect(
      (await guessingClient.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })).status,
    ).toBe(200)
  }, 120_000)

  it('neither a subject’s name nor a search token of another job reveals anything in this job', async () => {
    const { deps } = setUp()
    const app = await testApp(deps)
    const { studioId, spring, team, ada, kai, hidden, stranger } = await seedJobs(deps)
    const gym = await given(deps).job(studioId, { code: 'GYMFALL' })
    const customer = customerClient(app, schoolAddress)
    await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code: 'GYMFALL' } })
    const search = (firstName: string, lastName: string) =>
      customer.request(searchSubjects, { params: { jobId: gym.jobId }, query: { firstName, lastName } })
    const unknownName = await search('Zebulon', 'Quartermain')
    expect(unknownName).toEqual({ status: 200, data: [] })
    expect(await search('Ada', 'Lovelace')).toEqual(unknownName)
    expect(await search('Alma', 'Lowe')).toEqual(unknownName)
    const confirm = (subjectId: number, job: { jobId: number }) =>
      customer.request(confirmSubject, {
        params: { jobId: gym.jobId },
        body: { subjectId, proof: createSearchToken(deps, { jobId: job.jobId, subjectId }) },
      })
    const unknownSubject = await confirm(999_999, gym)
    expect(unknownSubject).toMatchObject({ status: 404, problem: 'not-found' })
    const nearMisses: [number, { jobId: number }][] = [
      [ada, spring],
      [ada, gym],
      [kai, team],
      [hidden, spring],
      [stranger, gym],
    ]
    for (const [subjectId, job] of nearMisses) expect(await confirm(subjectId, job)).toEqual(unknownSubject)
  })

  it('a session is slowed after ten failures and not blocked', async () => {
    const { deps, timeGuard } = setUp()
    const attempt = { kind: 'code', session: await createTestSession(deps), address: schoolAddress } as const
    for (let guess = 0; guess < 10; guess += 1) expect((await timeGuard(attempt, miss)).seconds).toBeLessThan(1)
    expect(await timeGuard(attempt, miss)).toEqual({ result: undefined, seconds: 2 })
    expect(await timeGuard(attempt, hit)).toEqual({ result: 'found', seconds: 2 })
  })

  it('failures expire after their window and are counted for each target separately', async () => {
    const { deps, timeGuard, advance } = setUp()
    const session = await createTestSession(deps)
    const attempt = { kind: 'order', session, targets: ['FP-12345678'], address: schoolAddress } as const
    for (let guess = 0; guess < 10; guess += 1) await bruteForceGuard(deps, attempt, miss)
    advance(11 * 60_000)
    expect((await timeGuard(attempt, hit)).seconds).toBe(2)
    expect((await timeGuard({ ...attempt, targets: ['FP-87654321'] }, hit)).seconds).toBeLessThan(1)
    advance(50 * 60_000)
    expect((await timeGuard(attempt, hit)).seconds).toBeLessThan(1)
    advance(25 * 60 * 60_000)
    await purgeFailureCounts(deps)
    expect(await deps.db.selectFrom('guess_counters').selectAll().execute()).toEqual([])
  })

  it('a success is never counted', async () => {
    const { deps, timeGuard } = setUp()
    const attempt = { kind: 'sign-in', targets: ['owner@riverside.test'], address: schoolAddress } as const
    for (let attemptCount = 0; attemptCount < 30; attemptCount += 1) await bruteForceGuard(deps, attempt, hit)
    expect((await timeGuard(attempt, hit)).seconds).toBeLessThan(1)
  })

  it('a right guess takes as long as a wrong one', async () => {
    const { timeGuard } = setUp()
    const attempt = { kind: 'code', address: schoolAddress } as const
    expect((await timeGuard(attempt, hit)).seconds).toBe((await timeGuard(attempt, miss)).seconds)
  })

  it('an address with too many failures is slow, except for sessions with a grant', async () => {
    const { deps, timeGuard } = setUp()
    const [stranger, session] = [await createTestSession(deps), await createTestSession(deps)]
    await giveGrant(deps, session.id)
    const order = { kind: 'order', grant: 'any', targets: ['FP-12345678'] } as const
    await insertFailures(deps, 'address', `order ${schoolAddress}`, 601)
    expect((await timeGuard({ ...order, session: stranger, address: schoolAddress }, hit)).seconds).toBe(2)
    expect((await timeGuard({ ...order, session, address: schoolAddress }, hit)).seconds).toBeLessThan(1)
    expect((await timeGuard({ ...order, session: stranger, address: '203.0.113.8' }, hit)).seconds).toBeLessThan(1)
  })

  it(`${grantedGuesses} wrong codes of sessions with a grant are slowed down, and the right code of another session is answered first`, async () => {
    const time = virtualTime()
    const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.semaphore })
    const now = () => time.clock().getTime()
    const sessions = await Promise.all(Array.from({ length: grantedSessions }, () => createTestSession(deps)))
    const [family, ...guessers] = sessions
    await giveGrant(deps, ...sessions.map(({ id }) => id))
    for (const { failures, minutesAgo } of earlierFailures) {
      const window_started_at = new Date(now() - minutesAgo * 60_000)
      const row = { kind: 'address', key: `code ${schoolAddress}`, failures, window_started_at } as const
      await deps.db.insertInto('guess_counters').values(row).execute()
    }
    const startedAt = now()
    const missedAt: number[] = []
    const guessingClient = (session: { id: number }) => async () => {
      for (let guess = 0; guess < guessesPerSession; guess += 1) {
        expect(
          await bruteForceGuard(deps, { kind: 'code', grant: 'any', session, address: schoolAddress }, miss),
        ).toBeUndefined()
        missedAt.push(now() - startedAt)
      }
      return 0
    }
    const rightfulFamily = async () => {
      await time.wait(5_000)
      const arrivedAt = now()
      expect(
        await bruteForceGuard(deps, { kind: 'code', grant: 'any', session: family, address: schoolAddress }, hit),
      ).toBe('found')
      return (now() - arrivedAt) / 1000
    }
    const seconds = await time.runConcurrently([...guessers.map(guessingClient), rightfulFamily])
    const immediateCount = missedAt.filter((at) => at < 1_000).length
    const lastSeconds = Math.max(...missedAt) / 1000
    process.stdout.write(
      `  ${engine.name}: ${missedAt.length} wrong codes, ${immediateCount} at once, the last after ${lastSeconds} s; the right code after ${seconds.at(-1)} s\n`,
    )
    // Up to eight guesses run at the same time, and ten more are first in the queue.
    expect(immediateCount).toBeLessThanOrEqual(601 - recentMisses + 10 + 8)
    const missesBeforeDayLimit = 1_500 - recentMisses - earlierMisses
    // Misses of the first minutes expire ten minutes later; then as many guesses are answered at once.
    expect(lastSeconds).toBeGreaterThanOrEqual(Math.min((missedAt.length - missesBeforeDayLimit - 30) * 2, 25 * 60))
    expect(seconds.at(-1)).toBeLessThanOrEqual(3)
  }, 600_000)

  it('no grant exempts a hand-over from the limit of an address, and only a grant of the same job exempts a promotion', async () => {
    const { deps, timeGuard } = setUp()
    const session = await createTestSession(deps)
    const { studioId, jobId } = await giveGrant(deps, session.id)
    for (const kind of ['hand-over', 'promotion'])
      await insertFailures(deps, 'address', `${kind} ${schoolAddress}`, 601)
    const secondsOf = async (attempt: Pick<GuessAttempt, 'kind' | 'grant'>) =>
      (await timeGuard({ ...attempt, session, address: schoolAddress }, hit)).seconds
    expect(await secondsOf({ kind: 'hand-over' })).toBe(2)
    expect(await secondsOf({ kind: 'promotion', grant: { studioId, jobId } })).toBeLessThan(1)
    expect(await secondsOf({ kind: 'promotion', grant: { studioId, jobId: jobId + 1 } })).toBe(2)
    expect(await secondsOf({ kind: 'promotion', grant: { studioId: studioId + 1, jobId } })).toBe(2)
  })

  /**
   * Returns the seconds that `count` sessions with a grant take for one wrong promotion each, after earlier misses at
   * their address.
   */
  const missTogether = async (count: number, earlier: { failures: number; minutesAgo: number }): Promise<number> => {
    const time = virtualTime()
    const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.semaphore })
    const sessions = await Promise.all(Array.from({ length: count }, () => createTestSession(deps)))
    const job = await giveGrant(deps, ...sessions.map(({ id }) => id))
    const window_started_at = new Date(time.clock().getTime() - earlier.minutesAgo * 60_000)
    const row = {
      kind: 'address',
      key: `promotion ${schoolAddress}`,
      failures: earlier.failures,
      window_started_at,
    } as const
    await deps.db.insertInto('guess_counters').values(row).execute()
    const startedAt = time.clock().getTime()
    await time.runConcurrently(
      sessions.map((session) => async () => {
        return await bruteForceGuard(deps, { kind: 'promotion', grant: job, session, address: schoolAddress }, miss)
      }),
    )
    return (time.clock().getTime() - startedAt) / 1000
  }

  it('promotions are slowed for a day after 1,500 misses at an address, even if the last ten minutes had few', async () => {
    expect(await missTogether(10, { failures: 1_500, minutesAgo: 60 })).toBeGreaterThanOrEqual(18)
  })

  it('promotions are answered at once if neither the last ten minutes nor the last day had many misses', async () => {
    expect(await missTogether(10, { failures: 1_400, minutesAgo: 60 })).toBeLessThan(1)
  })

  it.each(['with a session', 'without a session'])(
    '300 families %s enter their codes within a minute although others missed 1,500 codes from their address an hour ago',
    async (sessionCase) => {
      const time = virtualTime()
      const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.semaphore })
      const window_started_at = new Date(time.clock().getTime() - 60 * 60_000)
      const row = { kind: 'address', key: `code ${schoolAddress}`, failures: 1_500, window_started_at } as const
      await deps.db.insertInto('guess_counters').values(row).execute()
      const families = await Promise.all(
        Array.from({ length: 300 }, async () =>
          sessionCase === 'with a session' ? await createTestSession(deps) : undefined,
        ),
      )
      const startedAt = time.clock().getTime()
      const enter = (session: { id: number } | undefined) => async () => {
        const attempt = { kind: 'code', grant: 'any', session, address: schoolAddress } as const
        await bruteForceGuard(deps, attempt, miss)
        await bruteForceGuard(deps, attempt, miss)
        return await bruteForceGuard(deps, attempt, hit)
      }
      const outcomes = await time.runConcurrently(families.map(enter))
      expect(outcomes.every((outcome) => outcome === 'found')).toBe(true)
      expect(time.clock().getTime() - startedAt).toBeLessThan(60_000)
    },
  )

  it('past the limit of an address, sessions with a grant for the job share ten promotion attempts a second', async () => {
    expect(await missTogether(40, { failures: 601, minutesAgo: 1 })).toBeGreaterThanOrEqual(3)
  })

  it('past the limit of an address, the first attempts at an account are fast and later ones are slow', async () => {
    const { deps, timeGuard } = setUp()
    await insertFailures(deps, 'address', `sign-in ${schoolAddress}`, 601)
    const attempt = { kind: 'sign-in', targets: ['staff@riverside.test'], address: schoolAddress } as const
    for (let guess = 0; guess < 3; guess += 1) expect((await timeGuard(attempt, miss)).seconds).toBeLessThan(1)
    expect((await timeGuard(attempt, miss)).seconds).toBe(2)
    expect((await timeGuard({ ...attempt, targets: ['owner@riverside.test'] }, hit)).seconds).toBeLessThan(1)
    // For other kinds the target does not matter.
    await insertFailures(deps, 'address', `order ${schoolAddress}`, 601)
    expect((await timeGuard({ kind: 'order', targets: ['FP-12345678'], address: schoolAddress }, miss)).seconds).toBe(2)
  })

  it('failures count across server processes', async () => {
    const { deps, timeGuard } = setUp()
    const session = await createTestSession(deps)
    await insertFailures(deps, 'session', `code ${session.id}`, 9)
    const otherProcess = { ...deps, semaphore: new KeyedSemaphore((_milliseconds, run) => queueMicrotask(run)) }
    await bruteForceGuard(otherProcess, { kind: 'code', session, address: schoolAddress }, miss)
    expect((await timeGuard({ kind: 'code', session, address: schoolAddress }, miss)).seconds).toBe(2)
  })

  it('of a burst of a hundred guesses only five are tried, and the others are rejected', async () => {
    const { deps } = setUp()
    let tryCount = 0
    const work = async () => {
      tryCount += 1
      return undefined
    }
    const attempt = { kind: 'code', session: await createTestSession(deps), address: schoolAddress } as const
    const answers = await Promise.all(Array.from({ length: 100 }, () => bruteForceGuard(deps, attempt, work)))
    const rejections = answers.filter((answer) => answer instanceof Problem)
    expect(rejections.length).toBe(100 - tryCount)
    expect(tryCount).toBe(5)
  })

  it('the rightful user is never locked out while others guess at their account', async () => {
    const { deps } = setUp()
    const attempt = (address: string) => ({ kind: 'sign-in', targets: ['owner@riverside.test'], address }) as const
    const attackerAttempts = Array.from({ length: 40 }, (_, n) => attempt(`198.51.100.${n}`))
    const flood = attackerAttempts.flatMap((attacker) =>
      Array.from({ length: 20 }, () => bruteForceGuard(deps, attacker, miss)),
    )
    const started = deps.clock().getTime()
    expect(await bruteForceGuard(deps, attempt(schoolAddress), hit)).toBe('found')
    // Waits only for the running attempt, because addresses without failures are first in the queue.
    expect(deps.clock().getTime() - started).toBeLessThan(2 * 2_050 + 50)
    await Promise.all(flood)
  })

  it('the rightful user is never locked out while a /48 of unused /64s guesses at their account', async () => {
    const { deps } = setUp()
    const attempt = (address: string) => ({ kind: 'sign-in', targets: ['owner@riverside.test'], address }) as const
    const unusedAddresses = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => attempt(`2001:db8:1:${(from + n).toString(16)}::/64`))
    for (const attacker of unusedAddresses(0, 12)) await bruteForceGuard(deps, attacker, miss)
    const started = deps.clock().getTime()
    const attemptsBefore = unusedAddresses(100, 20).map((attacker) => bruteForceGuard(deps, attacker, miss))
    const owner = bruteForceGuard(deps, attempt('2001:db8:2:1::/64'), hit)
    const attemptsAfter = unusedAddresses(200, 20).map((attacker) => bruteForceGuard(deps, attacker, miss))
    expect(await owner).toBe('found')
    expect(deps.clock().getTime() - started).toBeLessThan(2 * 2_050 + 50)
    await Promise.all([...attemptsBefore, ...attemptsAfter])
  })
})

const giveGrant = async (deps: Deps, ...sessionIds: number[]): Promise<JobKey> => {
  const job = await given(deps).job(await given(deps).studio())
  await deps.db
    .insertInto('session_grants')
    .values(
      sessionIds.map((sessionId) => ({
        ...{ studio_id: job.studioId, session_id: sessionId, job_id: job.jobId, kind: 'job' as const },
        grant_id: String(sessionId).padStart(22, 'g'),
      })),
    )
    .execute()
  return job
}
