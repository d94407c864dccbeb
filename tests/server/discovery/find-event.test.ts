import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { getAvailability } from '#contract/customer/discovery-calls.ts'
import { findEvent } from '#contract/customer/find-event.ts'
import { selectStudios, selectStudiosByHost } from '#server/discovery/find-studios.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { seedJobs } from './job-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('the search of the home page on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps = testDeps(database(), time)
    const app = await testApp(deps)
    const jobs = await seedJobs(deps)
    const { studio, job, subject } = given(deps)
    const find = (text: string, customer = customerClient(app)) => customer.request(findEvent, { query: { text } })
    return { deps, app, time, jobs, studio, job, subject, find }
  }

  it('a code that one studio uses opens its event in any spelling, and the session remembers it', async () => {
    const { app, jobs, find } = await setUp()
    const customer = customerClient(app)
    const event = { ...jobs.team, code: 'RAPIDS', jobName: 'Event RAPIDS', subject: null }
    expect(await find(' rap-ids ', customer)).toMatchObject({
      status: 200,
      data: {
        event: { ...event, studioSlug: 'riverside', studioName: 'Riverside Portraits' },
        events: [],
        studios: [],
      },
    })
    const { data } = await customer.request(getAvailability, { params: { jobId: jobs.team.jobId } })
    expect(data).toMatchObject({ codeGiven: true, grants: [{ subjectId: null }] })
  })

  it('a child’s own code opens the child', async () => {
    const { jobs, find } = await setUp()
    const { data } = await find('adalvl')
    expect(data.event).toMatchObject({ jobId: jobs.spring.jobId, subject: { id: jobs.ada, firstName: 'Ada' } })
  })

  it('the code of a hidden subject or a disabled studio, and a wrong or short one get the same answer', async () => {
    const { deps, app, jobs, studio, job, find } = await setUp()
    const closed = await studio({ slug: 'closed-studio', rspo_enabled: false })
    await job(closed, { code: 'CLOSED1' })
    await given(deps).code(await job(jobs.studioId), 'ABCDE')
    const answers = []
    for (const text of ['WRONG123', 'HIDDEN', 'CLOSED1', 'ABCDE', '!?', 'closed-studio', 'Nobody’s Photos']) {
      const customer = customerClient(app)
      answers.push(await find(text, customer))
      expect(customer.hasCookie()).toBe(false)
    }
    expect(answers[0]).toMatchObject({ status: 404, problem: 'not-found' })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect((await find('')).status).toBe(400)
    expect((await find('a'.repeat(81))).status).toBe(400)
  })

  it('a code of several studios lists their events by name and opens none; only those that the code opens are listed', async () => {
    const { deps, app, jobs, studio, job, subject, find } = await setUp()
    const hilltop = await studio({ slug: 'hilltop', name: 'Zenith' })
    const fall = await job(hilltop, { name: 'Fall Sports' })
    await given(deps).code(fall, 'ADALVL', await subject(fall, { name: 'Bea Kim' }))
    for (const columns of [{ slug: 'hidden' }, { slug: 'closed', rspo_enabled: false }]) {
      const other = await job(await studio(columns))
      await given(deps).code(other, 'ADALVL', await subject(other, { name: 'Cy Day', hidden_at: new Date() }))
    }
    const customer = customerClient(app)
    const { jobName } = (await find('ADALVL', customerClient(app))).data.events[0]
    expect(await find('ada-lvl', customer)).toMatchObject({
      status: 200,
      data: {
        event: null,
        events: [
          { code: 'ADALVL', jobName, studioSlug: 'riverside', studioName: 'Riverside Portraits' },
          { code: 'ADALVL', jobName: 'Fall Sports', studioSlug: 'hilltop', studioName: 'Zenith' },
        ],
        studios: [],
      },
    })
    expect(JSON.stringify((await find('ADALVL')).data)).not.toMatch(/Ada|Bea|subject|jobId/)
    const granted = await customer.request(getAvailability, { params: { jobId: jobs.spring.jobId } })
    expect(granted.data).toMatchObject({ codeGiven: false, grants: [] })
    expect(await deps.db.selectFrom('guess_counters').selectAll().execute()).toEqual([])
  })

  it('a code of several studios waits like any other after ten guesses', async () => {
    const { app, time, find } = await setUp()
    const customer = customerClient(app)
    await find('RAPIDS', customer)
    for (let n = 0; n < 10; n += 1) await find(`GUESS${n}`, customer)
    const startedAt = time.clock().getTime()
    expect((await find('SPRING', customer)).data.events).toHaveLength(2)
    expect(time.clock().getTime() - startedAt).toBeGreaterThanOrEqual(2_000)
  })

  it('a studio is found by the beginnings of its words, in any spelling, and by its current and former slugs', async () => {
    const { deps, studio, find } = await setUp()
    await studio({ slug: 'mueller-soen', name: 'Müller & Søn', address: JSON.stringify({ city: ' Dayton ' }) })
    const studioId = await studio({ slug: 'blue-door', name: 'Obriens Photos' })
    await deps.db.insertInto('studio_slugs').values({ slug: 'old-name', studio_id: studioId }).execute()
    const namesFor = async (text: string) =>
      ((await find(text)).data?.studios ?? []).map(({ name }: { name: string }) => name)
    for (const text of ['riverside', 'River Port', 'PORTRAITS', 'riverside-portraits', 'riv'])
      expect(await namesFor(text)).toEqual(['Riverside Portraits'])
    for (const text of ['muller', 'Mueller Son', 'müller søn', 'mueller-soen'])
      expect(await namesFor(text)).toEqual(['Müller & Søn'])
    for (const text of ["O'Brien", 'blue door', 'Old Name']) expect(await namesFor(text)).toEqual(['Obriens Photos'])
    for (const text of ['ri', 'verside', 'riverside photos', 'riversides', ":* | '"])
      expect(await namesFor(text)).toEqual([])
    expect((await find('muller')).data).toEqual({
      event: null,
      events: [],
      studios: [{ slug: 'mueller-soen', name: 'Müller & Søn', city: 'Dayton' }],
    })
  })

  it('a studio is found by its verified host name and by the web address in its profile, however they are pasted', async () => {
    const { deps, studio, find } = await setUp()
    const website = 'https://www.Blue-Door.test/'
    const studioId = await studio({ slug: 'blue', name: 'Blue Door', website })
    await studio({ slug: 'accented', name: 'Accented', website: 'http://fotos-müller.test' })
    await studio({ slug: 'networked', name: 'Networked', website: 'https://network.test/networked' })
    await studio({ slug: 'closed', name: 'Closed', website: 'https://closed.test', rspo_enabled: false })
    const host = { studio_id: studioId, token: 'a' }
    await deps.db
      .insertInto('studio_hosts')
      .values([
        { ...host, host_name: 'www.orders.test', state: 'proved', proved_at: new Date() },
        { ...host, host_name: 'unproved.test' },
      ])
      .execute()
    const slugsFor = async (text: string) =>
      ((await find(text)).data?.studios ?? []).map(({ slug }: { slug: string }) => slug)
    for (const text of [
      'blue-door.test',
      ' HTTPS://www.blue-door.test/ ',
      'www.blue-door.test',
      'http://blue-door.test',
    ])
      expect(await slugsFor(text)).toEqual(['blue'])
    for (const text of ['www.orders.test', 'https://orders.test/', 'Orders.test.'])
      expect(await slugsFor(text)).toEqual(['blue'])
    for (const text of ['fotos-müller.test', 'Fotos-Müller.test/']) expect(await slugsFor(text)).toEqual(['accented'])
    for (const text of [
      'unproved.test',
      'network.test',
      'closed.test',
      'door.test',
      'blue-door.test/GUESS1',
      'www.test',
    ])
      expect(await slugsFor(text)).toEqual([])
  })

  it('a web address that reads like a code is not counted as a guess; one with anything after it is', async () => {
    const { deps, studio, find } = await setUp()
    await studio({ slug: 'short', name: 'Somebody', website: 'https://ab.cdef' })
    for (let n = 0; n < 3; n += 1) expect((await find('ab.cdef')).status).toBe(200)
    const failures = () => deps.db.selectFrom('guess_counters').selectAll().execute()
    expect(await failures()).toEqual([])
    expect((await find('ab.cdef/12345')).status).toBe(404)
    expect(await failures()).not.toEqual([])
  })

  it('several studios are listed with their cities, the one with this slug first, ten at most', async () => {
    const { studio, find } = await setUp()
    await studio({ slug: 'anna', name: 'Zenith Anna', address: JSON.stringify({ city: 'Boulder' }) })
    for (let n = 0; n < 12; n += 1) await studio({ slug: `other-${n + 10}`, name: `Anna Photos ${n + 10}` })
    const { studios } = (await find('anna')).data
    expect(studios).toHaveLength(10)
    expect(studios.slice(0, 2)).toEqual([
      { slug: 'anna', name: 'Zenith Anna', city: 'Boulder' },
      { slug: 'other-10', name: 'Anna Photos 10', city: null },
    ])
  })

  it('studios and codes are found by indexes', async () => {
    const { deps } = await setUp()
    const explain = async (query: RawBuilder<unknown>): Promise<string> => {
      const plan = await deps.db.transaction().execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx)
        return await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(tx)
      })
      return plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    expect(await explain(selectStudios('riverside portraits'))).toContain('studios_words')
    const planOfHost = await explain(selectStudiosByHost(['riverside.test']))
    for (const index of ['studios_website', 'studio_hosts_proved']) expect(planOfHost).toContain(index)
    expect(await explain(sql`select from access_codes where code = 'ADALVL'`)).toContain('access_codes_code')
  })

  it('a text that is both a code and a studio’s name answers with both', async () => {
    const { studio, find } = await setUp()
    await studio({ slug: 'rapids-photo', name: 'Rapids Photo' })
    expect((await find('rapids')).data).toMatchObject({
      event: { jobName: 'Event RAPIDS' },
      studios: [{ name: 'Rapids Photo' }],
    })
  })

  it('wrong texts are counted with the wrong codes of studios’ pages and slow the session down; found ones are not', async () => {
    const { app, time, find } = await setUp()
    const customer = customerClient(app)
    await find('ADALVL', customer)
    const elapsed = async (text: string) => {
      const startedAt = time.clock().getTime()
      await find(text, customer)
      return time.clock().getTime() - startedAt
    }
    for (let n = 0; n < 12; n += 1) expect(await elapsed('riverside')).toBeLessThan(500)
    for (let n = 0; n < 10; n += 1) expect(await elapsed(`GUESS${n}`)).toBeLessThan(500)
    expect(await elapsed('ADALVL')).toBeGreaterThanOrEqual(2_000)
  })

  it('codes typed letter by letter count as guesses, even if a studio’s name has words for all of them', async () => {
    const { app, time, find, studio } = await setUp()
    await studio({ slug: 'letters', name: 'A B C D E F G H 1 2 3 4 5 6 7 8 9' })
    const customer = customerClient(app)
    await find('ADALVL', customer)
    for (let n = 1; n < 10; n += 1)
      expect((await find(`G H A B C ${n}`, customer)).data).toMatchObject({ studios: [{ slug: 'letters' }] })
    const startedAt = time.clock().getTime()
    await find('H G A B C 1', customer)
    await find('H G A B C 2', customer)
    expect(time.clock().getTime() - startedAt).toBeGreaterThanOrEqual(2_000)
  })
})
