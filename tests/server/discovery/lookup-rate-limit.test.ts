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
const schoolAddress = '203.0.113.7'
const minute = 60_000
const letters = [...'JMACSLEKRD']
const firstNames = ['James', 'Mary', 'Ada', 'Carlos', 'Sofia', 'Liam', 'Emma', 'Kai', 'Rosa', 'Diego', 'Noah', 'Zoe']
const subjectsOfSchool = 600

/** The long run makes every search itself; the short run starts close to each limit. */
const families = isLong ? 300 : 30
const enumerators = isLong ? 500 : 20
const searchesPerSession = 10
/** Misses that are recorded before the test: within ten minutes, and within the day. */
const earlierMisses = isLong ? { recent: 0, earlier: 0 } : { recent: 270, earlier: 1_170 }
const secondsForFamilies = families / 5

type Job = { studioId: number; jobId: number }
type TimedSearch = { startedAt: number; endedAt: number; isHit: boolean; status: number }

/** A school whose most common surnames are shared by several subjects. */
const addSchool = async ({ db }: Deps, { studioId, jobId }: Job): Promise<{ first: string; last: string }[]> => {
  const schoolSubjects = Array.from({ length: subjectsOfSchool }, (_, index) => ({
    first: firstNames[index % firstNames.length] ?? '',
    last: surnames[Math.floor((index * index) / 720) % surnames.length] ?? '',
  }))
  const rows = schoolSubjects.map(({ first, last }) => ({
    ...{ studio_id: studioId, job_id: jobId, first_name: first, last_name: last },
    ...{ first_key: searchKey(first), last_key: searchKey(last) },
  }))
  await db.insertInto('subjects').values(rows).execute()
  return schoolSubjects
}

describe.each(enginesFor(import.meta.filename))('look-ups with a job’s code on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = virtualTime()
    const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.semaphore })
    const app = await testApp(deps)
    const { spring } = await seedJobs(deps)
    const schoolSubjects = await addSchool(deps, spring)
    const now = () => time.clock().getTime()
    const enter = async (): Promise<CustomerClient> => {
      const customer = customerClient(app, schoolAddress)
      const { status } = await customer.request(redeemCode, {
        params: { slug: 'riverside' },
        query: { code: 'SPRING' },
      })
      expect(status).toBe(200)
      return customer
    }
    const search = async (customer: CustomerClient, firstName: string, lastName: string) => {
      const startedAt = now()
      const { status, data } = await customer.request(searchSubjects, {
        params: { jobId: spring.jobId },
        query: { firstName, lastName },
      })
      const timedSearch: TimedSearch = { startedAt, endedAt: now(), isHit: data?.length > 0, status }
      return { timedSearch, data }
    }
    /** Enters a family that mistypes its name twice; returns the seconds until its subject is open. */
    const enterFamily = async (index: number): Promise<number> => {
      const startedAt = now()
      const { first, last } = schoolSubjects[(index * 2) % schoolSubjects.length] ?? { first: '', last: '' }
      const customer = await enter()
      for (const typo of [`${last}x`, `${last}y`]) {
        expect((await search(customer, first, typo)).timedSearch).toMatchObject({ status: 200, isHit: false })
      }
      const { data } = await search(customer, first, last)
      const body = { subjectId: data[0].id, proof: data[0].proof }
      expect((await customer.request(confirmSubject, { params: { jobId: spring.jobId }, body })).status).toBe(200)
      return (now() - startedAt) / 1000
    }
    const insertFailures = async (counter: FailureCounter, failures: number, ageMs: number) => {
      if (failures === 0) return
      const window_started_at = new Date(now() - ageMs)
      await deps.db
        .insertInto('guess_counters')
        .values({ ...counter, failures, window_started_at })
        .execute()
    }
    return {
      time,
      deps,
      spring,
      now,
      enter,
      search,
      enterFamily,
      insertFailures,
      missKey: missCounter(spring.jobId, schoolAddress),
    }
  }

  it(`${families} families behind one address open their subjects within ${secondsForFamilies} s, with two typos each`, async () => {
    const { time, deps, spring, enterFamily, insertFailures, missKey } = await setUp()
    await insertFailures(missKey, earlierMisses.recent, minute)
    await insertFailures(
      { kind: 'address', key: `people ${spring.jobId} ${schoolAddress}` },
      earlierMisses.recent,
      minute,
    )
    const enterAll = () =>
      time.runConcurrently(Array.from({ length: families }, (_, index) => () => enterFamily(index)))
    const seconds = Math.max(...(await enterAll()))
    process.stdout.write(`  ${engine.name}: ${families} families are in after ${seconds} s\n`)
    expect(seconds).toBeLessThanOrEqual(secondsForFamilies)
    expect((await readJobOverview(deps, spring))?.unusualSearches).toBeNull()
  }, 600_000)

  it(`${enumerators * searchesPerSession} searches of ${enumerators} sessions cannot enumerate a school`, async () => {
    const { time, deps, spring, now, enter, search, enterFamily, insertFailures, missKey } = await setUp()
    await insertFailures(missKey, earlierMisses.recent, minute)
    await insertFailures(missKey, earlierMisses.earlier, 120 * minute)
    const sessions = await time.runConcurrently(Array.from({ length: enumerators }, () => enter))
    const startedAt = now()
    const timedSearches: TimedSearch[] = []
    const enumerate = (customer: CustomerClient, index: number) => async () => {
      for (let round = 0; round < searchesPerSession; round += 1) {
        const guess = index + round * enumerators
        const letter = letters[Math.floor(guess / surnames.length) % letters.length] ?? ''
        timedSearches.push((await search(customer, letter, surnames[guess % surnames.length] ?? '')).timedSearch)
      }
      return 0
    }
    const lateFamily = async () => {
      await time.wait(isLong ? 1_000_000 : 60_000)
      return await enterFamily(7)
    }
    const seconds = await time.runConcurrently([...sessions.map(enumerate), lateFamily])
    const endTimes = timedSearches.map(({ endedAt }) => endedAt).sort((left, right) => left - right)
    const missedSearches = timedSearches
      .filter(({ isHit }) => !isHit)
      .sort((left, right) => left.endedAt - right.endedAt)
    expect(timedSearches.filter(({ status }) => status !== 200)).toEqual([])

    const immediateCount = missedSearches.filter(({ endedAt }) => endedAt - startedAt < 1_000).length
    // Ten more are first in the queue for ten a second, and up to eight run at the same time.
    expect(immediateCount).toBeGreaterThanOrEqual(300 - earlierMisses.recent)
    expect(immediateCount).toBeLessThanOrEqual(300 - earlierMisses.recent + 10 + 8)

    const slowFrom =
      (missedSearches[1_500 - earlierMisses.recent - earlierMisses.earlier - 1]?.endedAt ?? startedAt) + 2_000
    const countInSecond = (from: number) =>
      endTimes.filter((endTime) => endTime > from && endTime <= from + 1_000).length
    for (let from = startedAt + 1_000; from < slowFrom; from += 1_000)
      expect(countInSecond(from)).toBeLessThanOrEqual(18)
    const slowEndTimes = endTimes.filter((endTime) => endTime > slowFrom)
    const gaps = slowEndTimes.slice(1).map((endTime, index) => endTime - (slowEndTimes[index] ?? 0))
    expect(slowEndTimes.length).toBeGreaterThan(enumerators * searchesPerSession * 0.4)
    // From then on, all searches end at least two seconds apart.
    expect(gaps.filter((gap) => gap < 2_000)).toEqual([])

    const hours = (now() - startedAt) / 3_600_000
    const hitCount = timedSearches.length - missedSearches.length
    process.stdout.write(
      `  ${engine.name}: ${timedSearches.length} searches, ${immediateCount} missed at once, ${slowEndTimes.length} at one in two seconds, ${hitCount} found, ` +
        `${hours.toFixed(2)} hours; a new family with two typos is in after ${seconds.at(-1)} s\n`,
    )
    expect(hours * 3_600).toBeGreaterThanOrEqual((slowEndTimes.length - 1) * 2)
    // Three searches and a confirmation, each of which waits for one or two others at most.
    expect(seconds.at(-1)).toBeLessThanOrEqual(20)

    const { unusualSearches } = (await readJobOverview(deps, spring)) ?? {}
    expect(unusualSearches?.people).toBe(0)
    expect(unusualSearches?.misses).toBeGreaterThanOrEqual(
      earlierMisses.recent + earlierMisses.earlier + missedSearches.length - 8,
    )
    expect(unusualSearches?.misses).toBeLessThanOrEqual(
      earlierMisses.recent + earlierMisses.earlier + missedSearches.length + 8,
    )
    const studioHome = await readStudioHome(deps, spring.studioId)
    expect(studioHome.unusualSearches).toMatchObject([{ jobId: spring.jobId, ...unusualSearches }])

    // A day later the same address is at full speed.
    time.advance(24 * 60 * minute)
    const secondsNextDay = await time.runConcurrently(
      Array.from({ length: Math.min(families, 100) }, (_, index) => () => enterFamily(index)),
    )
    expect(Math.max(...secondsNextDay)).toBeLessThanOrEqual(secondsForFamilies)
  }, 1_200_000)

  it('after 300 subjects, further ones are opened at ten a second and reported to the studio', async () => {
    const { time, deps, spring, enter, insertFailures } = await setUp()
    await insertFailures({ kind: 'address', key: `people ${spring.jobId} ${schoolAddress}` }, 290, minute)
    const { rows: subjects } = await sql<{ id: number }>`
      select id from subjects where job_id = ${spring.jobId} and hidden_at is null order by id desc limit 60`.execute(
      deps.db,
    )
    const openSubjects = (ownSubjects: { id: number }[]) => async () => {
      const customer = await enter()
      for (const { id: subjectId } of ownSubjects) {
        const body = { subjectId, proof: createSearchToken(deps, { jobId: spring.jobId, subjectId }) }
        const params = { jobId: spring.jobId }
        expect((await customer.request(confirmSubject, { params, body })).status).toBe(200)
      }
    }
    const startedAt = time.clock().getTime()
    await time.runConcurrently(
      Array.from({ length: 6 }, (_, index) => openSubjects(subjects.slice(index * 10, index * 10 + 10))),
    )
    const seconds = (time.clock().getTime() - startedAt) / 1000
    // Ten are opened at once and the other fifty at ten per second; the first second has already begun.
    expect(seconds).toBeGreaterThanOrEqual(3)
    expect(seconds).toBeLessThanOrEqual(5)
    const { unusualSearches } = (await readJobOverview(deps, spring)) ?? {}
    expect(unusualSearches?.misses).toBe(0)
    expect(unusualSearches?.people).toBeGreaterThanOrEqual(340)
  })

  it('subjects opened with their own codes are limited like others and reported to the studio', async () => {
    const { time, deps, spring, insertFailures } = await setUp()
    await insertFailures({ kind: 'address', key: `people ${spring.jobId} ${schoolAddress}` }, 290, minute)
    const codes = Array.from({ length: 30 }, (_, index) => `OWN${index + 1000}`)
    const { rows: subjects } = await sql<{ id: number }>`
      select id from subjects where job_id = ${spring.jobId} and hidden_at is null order by id desc limit 30`.execute(
      deps.db,
    )
    await deps.db
      .insertInto('access_codes')
      .values(
        subjects.map(({ id }, index) => ({
          ...{ studio_id: spring.studioId, job_id: spring.jobId, subject_id: id },
          code: codes[index] ?? '',
        })),
      )
      .execute()
    const app = await testApp(deps)
    const openSubjects = (code: string) => async () => {
      const { status } = await customerClient(app, schoolAddress).request(redeemCode, {
        params: { slug: 'riverside' },
        query: { code },
      })
      expect(status).toBe(200)
    }
    const startedAt = time.clock().getTime()
    await time.runConcurrently(codes.map(openSubjects))
    const seconds = (time.clock().getTime() - startedAt) / 1000
    // Ten are opened at once and the other twenty at ten per second; the first second has already begun.
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(3)
    expect((await readJobOverview(deps, spring))?.unusualSearches?.people).toBeGreaterThanOrEqual(310)
  })
})
