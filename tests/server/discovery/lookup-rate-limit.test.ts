import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { confirmSubject } from '#contract/customer/discovery-calls.ts'
import { searchSubjects } from '#contract/customer/find-subjects.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import { missCounter } from '#server/access/brute-force/brute-force-guard.ts'
import type { FailureCounter } from '#server/access/brute-force/failure-counts.ts'
import type { Deps } from '#server/deps.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { readJobOverview } from '#server/jobs/read-job-overview.ts'
import { readStudioHome } from '#server/jobs/read-studio-home.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { surnames } from '#support/server/surnames.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { virtualTime } from '#support/server/virtual-time.ts'
import { type CustomerClient, customerClient } from './customer-client.ts'
import { seedJobs } from './job-fixtures.ts'

const isLong = process.env.LONG === '1'
const hall = '203.0.113.7'
const minute = 60_000
const letters = [...'JMACSLEKRD']
const firstNames = ['James', 'Mary', 'Ada', 'Carlos', 'Sofia', 'Liam', 'Emma', 'Kai', 'Rosa', 'Diego', 'Noah', 'Zoe']
const childrenOfSchool = 600

/** The long run counts everything; the short one begins close to each limit. */
const families = isLong ? 300 : 30
const walkers = isLong ? 500 : 20
const searchesEach = 10
/** Earlier misses: within ten minutes, and within the day. */
const before = isLong ? { recent: 0, earlier: 0 } : { recent: 270, earlier: 1_170 }
const secondsForFamilies = families / 5

type Job = { studioId: number; jobId: number }
type LookUp = { startedAt: number; endedAt: number; isHit: boolean; status: number }

/** A school whose most common surnames are shared by several subjects. */
const addSchool = async ({ db }: Deps, { studioId, jobId }: Job): Promise<{ first: string; last: string }[]> => {
  const children = Array.from({ length: childrenOfSchool }, (_, at) => ({
    first: firstNames[at % firstNames.length] ?? '',
    last: surnames[Math.floor((at * at) / 720) % surnames.length] ?? '',
  }))
  const rows = children.map(({ first, last }) => ({
    ...{ studio_id: studioId, job_id: jobId, first_name: first, last_name: last },
    ...{ first_key: searchKey(first), last_key: searchKey(last) },
  }))
  await db.insertInto('subjects').values(rows).execute()
  return children
}

describe.each(enginesFor(import.meta.filename))('look-ups with a job’s code on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = virtualTime()
    const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.lines })
    const app = await testApp(deps)
    const { spring } = await seedJobs(deps)
    const children = await addSchool(deps, spring)
    const now = () => time.clock().getTime()
    const enter = async (): Promise<CustomerClient> => {
      const parent = customerClient(app, hall)
      const { status } = await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code: 'SPRING' } })
      expect(status).toBe(200)
      return parent
    }
    const search = async (parent: CustomerClient, firstName: string, lastName: string) => {
      const startedAt = now()
      const { status, data } = await parent.ask(searchSubjects, {
        params: { jobId: spring.jobId },
        query: { firstName, lastName },
      })
      const lookUp: LookUp = { startedAt, endedAt: now(), isHit: data?.length > 0, status }
      return { lookUp, data }
    }
    /** A family that mistypes its name twice; returns the seconds until its subject is open. */
    const family = async (at: number): Promise<number> => {
      const startedAt = now()
      const { first, last } = children[(at * 2) % children.length] ?? { first: '', last: '' }
      const parent = await enter()
      for (const typo of [`${last}x`, `${last}y`]) {
        expect((await search(parent, first, typo)).lookUp).toMatchObject({ status: 200, isHit: false })
      }
      const { data } = await search(parent, first, last)
      const body = { subjectId: data[0].id, proof: data[0].proof }
      expect((await parent.ask(confirmSubject, { params: { jobId: spring.jobId }, body })).status).toBe(200)
      return (now() - startedAt) / 1000
    }
    const count = async (counter: FailureCounter, failures: number, ago: number) => {
      if (failures === 0) return
      const window_started_at = new Date(now() - ago)
      await deps.db
        .insertInto('guess_counters')
        .values({ ...counter, failures, window_started_at })
        .execute()
    }
    return { time, deps, spring, now, enter, search, family, count, misses: missCounter(spring.jobId, hall) }
  }

  it(`${families} families behind one address get in within ${secondsForFamilies} s, with two typos each`, async () => {
    const { time, deps, spring, family, count, misses } = await begin()
    await count(misses, before.recent, minute)
    await count({ kind: 'address', key: `people ${spring.jobId} ${hall}` }, before.recent, minute)
    const gym = () => time.together(Array.from({ length: families }, (_, at) => () => family(at)))
    const seconds = Math.max(...(await gym()))
    process.stdout.write(`  ${engine.name}: ${families} families are in after ${seconds} s\n`)
    expect(seconds).toBeLessThanOrEqual(secondsForFamilies)
    expect((await readJobOverview(deps, spring))?.unusualSearches).toBeNull()
  }, 600_000)

  it(`${walkers * searchesEach} searches of ${walkers} sessions cannot enumerate a school`, async () => {
    const { time, deps, spring, now, enter, search, family, count, misses } = await begin()
    await count(misses, before.recent, minute)
    await count(misses, before.earlier, 120 * minute)
    const sessions = await time.together(Array.from({ length: walkers }, () => enter))
    const startedAt = now()
    const lookUps: LookUp[] = []
    const walk = (parent: CustomerClient, at: number) => async () => {
      for (let round = 0; round < searchesEach; round += 1) {
        const guess = at + round * walkers
        const letter = letters[Math.floor(guess / surnames.length) % letters.length] ?? ''
        lookUps.push((await search(parent, letter, surnames[guess % surnames.length] ?? '')).lookUp)
      }
      return 0
    }
    const lateFamily = async () => {
      await time.wait(isLong ? 1_000_000 : 60_000)
      return await family(7)
    }
    const seconds = await time.together([...sessions.map(walk), lateFamily])
    const ends = lookUps.map(({ endedAt }) => endedAt).sort((one, other) => one - other)
    const missed = lookUps.filter(({ isHit }) => !isHit).sort((one, other) => one.endedAt - other.endedAt)
    expect(lookUps.filter(({ status }) => status !== 200)).toEqual([])

    const atOnce = missed.filter(({ endedAt }) => endedAt - startedAt < 1_000).length
    // Ten more take the first places of the queue with ten a second; eight may be counted at the same time.
    expect(atOnce).toBeGreaterThanOrEqual(300 - before.recent)
    expect(atOnce).toBeLessThanOrEqual(300 - before.recent + 10 + 8)

    const slowFrom = (missed[1_500 - before.recent - before.earlier - 1]?.endedAt ?? startedAt) + 2_000
    const inSecond = (from: number) => ends.filter((end) => end > from && end <= from + 1_000).length
    for (let from = startedAt + 1_000; from < slowFrom; from += 1_000) expect(inSecond(from)).toBeLessThanOrEqual(18)
    const slow = ends.filter((end) => end > slowFrom)
    const gaps = slow.slice(1).map((end, at) => end - (slow[at] ?? 0))
    expect(slow.length).toBeGreaterThan(walkers * searchesEach * 0.4)
    // No other session is slower than this, except those that got in before.
    expect(gaps.filter((gap) => gap < 2_000)).toEqual([])

    const hours = (now() - startedAt) / 3_600_000
    const found = lookUps.length - missed.length
    process.stdout.write(
      `  ${engine.name}: ${lookUps.length} searches, ${atOnce} missed at once, ${slow.length} at one in two seconds, ${found} found, ` +
        `${hours.toFixed(2)} hours; a new family with two typos is in after ${seconds.at(-1)} s\n`,
    )
    expect(hours * 3_600).toBeGreaterThanOrEqual((slow.length - 1) * 2)
    // Three searches and a confirmation, each behind at most one or two others.
    expect(seconds.at(-1)).toBeLessThanOrEqual(20)

    const { unusualSearches: seen } = (await readJobOverview(deps, spring)) ?? {}
    expect(seen?.people).toBe(0)
    expect(seen?.misses).toBeGreaterThanOrEqual(before.recent + before.earlier + missed.length - 8)
    expect(seen?.misses).toBeLessThanOrEqual(before.recent + before.earlier + missed.length + 8)
    const home = await readStudioHome(deps, spring.studioId)
    expect(home.unusualSearches).toMatchObject([{ jobId: spring.jobId, ...seen }])

    // A day later the same hall is at full speed.
    time.advance(24 * 60 * minute)
    const after = await time.together(Array.from({ length: Math.min(families, 100) }, (_, at) => () => family(at)))
    expect(Math.max(...after)).toBeLessThanOrEqual(secondsForFamilies)
  }, 1_200_000)

  it('past 300, subjects of a class list are opened at ten a second and reported to the studio', async () => {
    const { time, deps, spring, enter, count } = await begin()
    await count({ kind: 'address', key: `people ${spring.jobId} ${hall}` }, 290, minute)
    const { rows: people } = await sql<{ id: number }>`
      select id from subjects where job_id = ${spring.jobId} and hidden_at is null order by id desc limit 60`.execute(
      deps.db,
    )
    const open = (mine: { id: number }[]) => async () => {
      const parent = await enter()
      for (const { id: subjectId } of mine) {
        const body = { subjectId, proof: createSearchToken(deps, { jobId: spring.jobId, subjectId }) }
        const params = { jobId: spring.jobId }
        expect((await parent.ask(confirmSubject, { params, body })).status).toBe(200)
      }
    }
    const startedAt = time.clock().getTime()
    await time.together(Array.from({ length: 6 }, (_, at) => open(people.slice(at * 10, at * 10 + 10))))
    const seconds = (time.clock().getTime() - startedAt) / 1000
    // Ten at once, and ten per second of the other fifty; the first second has begun.
    expect(seconds).toBeGreaterThanOrEqual(3)
    expect(seconds).toBeLessThanOrEqual(5)
    const { unusualSearches: seen } = (await readJobOverview(deps, spring)) ?? {}
    expect(seen?.misses).toBe(0)
    expect(seen?.people).toBeGreaterThanOrEqual(340)
  })

  it('subjects opened by their own codes count like others and are reported to the studio', async () => {
    const { time, deps, spring, count } = await begin()
    await count({ kind: 'address', key: `people ${spring.jobId} ${hall}` }, 290, minute)
    const codes = Array.from({ length: 30 }, (_, at) => `OWN${at + 1000}`)
    const { rows: people } = await sql<{ id: number }>`
      select id from subjects where job_id = ${spring.jobId} and hidden_at is null order by id desc limit 30`.execute(
      deps.db,
    )
    await deps.db
      .insertInto('access_codes')
      .values(
        people.map(({ id }, at) => ({
          ...{ studio_id: spring.studioId, job_id: spring.jobId, subject_id: id },
          code: codes[at] ?? '',
        })),
      )
      .execute()
    const app = await testApp(deps)
    const open = (code: string) => async () => {
      const { status } = await customerClient(app, hall).ask(redeemCode, {
        params: { slug: 'riverside' },
        query: { code },
      })
      expect(status).toBe(200)
    }
    const startedAt = time.clock().getTime()
    await time.together(codes.map(open))
    const seconds = (time.clock().getTime() - startedAt) / 1000
    // Ten at once, and ten per second of the other twenty; the first second has begun.
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(3)
    expect((await readJobOverview(deps, spring))?.unusualSearches?.people).toBeGreaterThanOrEqual(310)
  })
})
