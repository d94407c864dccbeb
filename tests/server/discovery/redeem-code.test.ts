import { describe, expect, it } from 'vitest'
import { getAvailability, getStudio, getStudioFeatures } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { seedJobs } from './job-fixtures.ts'

const noStudio = { status: 404, errors: ['There was an error loading the studio'] }

describe.each(enginesFor(import.meta.filename))('studio and code on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const deps: Deps = testDeps(database(), time)
    const app = await testApp(deps)
    return { deps, app, time, jobs: await seedJobs(deps) }
  }
  const riverside = { params: { slug: 'riverside' } }

  it('a studio’s public data and features are shown to anyone', async () => {
    const { deps, app, jobs } = await setUp()
    await given(deps).feature(jobs.studioId, 'greenscreens')
    const anyCustomer = customerClient(app)
    expect((await anyCustomer.request(getStudio, riverside)).data).toEqual({
      id: jobs.studioId,
      slug: 'riverside',
      name: 'Riverside Portraits',
      logo: null,
      logoShape: null,
      accent: '#1f6f78',
      phone: '(937) 555-0142',
      email: 'hello@riverside.test',
      rspoEnabled: true,
      hasLegacyJobs: false,
      hasRSPOJobs: false,
      isMillersVerified: true,
      isSharingEnabled: true,
    })
    expect((await anyCustomer.request(getStudioFeatures, riverside)).data).toEqual([{ identifier: 'greenscreens' }])
    expect(anyCustomer.hasCookie()).toBe(false)
  })

  it('a studio is found by its slug in capitals', async () => {
    const { app, jobs } = await setUp()
    const customer = customerClient(app)
    const input = { params: { slug: 'RiverSide' } }
    expect((await customer.request(getStudio, input)).data).toMatchObject({ id: jobs.studioId, slug: 'riverside' })
    expect((await customer.request(getStudioFeatures, input)).status).toBe(200)
    const opened = await customer.request(redeemCode, { ...input, query: { code: 'SPRING' } })
    expect(opened).toMatchObject({ status: 200, data: { jobId: jobs.spring.jobId } })
    expect((await customer.request(getStudio, { params: { slug: 'River Side' } })).status).toBe(400)
  })

  it('an unknown studio and a disabled one get the same answer', async () => {
    const { deps, app, jobs } = await setUp()
    const anyCustomer = customerClient(app)
    expect(await anyCustomer.request(getStudio, { params: { slug: 'nowhere' } })).toMatchObject(noStudio)
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).where('slug', '=', 'riverside').execute()
    for (const call of [getStudio, getStudioFeatures])
      expect(await anyCustomer.request(call, riverside)).toMatchObject(noStudio)
    expect(await anyCustomer.request(redeemCode, { ...riverside, query: { code: 'SPRING' } })).toMatchObject(noStudio)
    const { jobId } = jobs.spring
    expect((await anyCustomer.request(getAvailability, { params: { jobId } })).status).toBe(404)
  })

  it('a studio is found by its former slug', async () => {
    const { deps, app, jobs } = await setUp()
    await deps.db.insertInto('studio_slugs').values({ slug: 'old-name', studio_id: jobs.studioId }).execute()
    const answer = await customerClient(app).request(getStudio, { params: { slug: 'old-name' } })
    expect(answer.data.slug).toBe('riverside')
  })

  it('only a studio’s current logo is served, to anyone and with immutable caching', async () => {
    const { deps, app, jobs } = await setUp()
    await deps.files.put('demo/logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await deps.db
      .updateTable('studios')
      .set({ logo_key: 'demo/logo.svg', logo_hash: 'abc123' })
      .where('id', '=', jobs.studioId)
      .execute()
    const anyCustomer = customerClient(app)
    const { logo } = (await anyCustomer.request(getStudio, riverside)).data
    const answer = await anyCustomer.get(logo)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('image/svg+xml')
    expect(answer.headers['cache-control']).toContain('immutable')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await anyCustomer.get(logo.replace('abc123', 'abc124'))).statusCode).toBe(404)
  })

  it.each([
    ['is at least twice as wide as high, so it is a wordmark', [208, 104], { width: 208, height: 104, wordmark: true }],
    ['is narrower, so the name appears next to it', [207, 104], { width: 207, height: 104, wordmark: false }],
    ['was never measured, so it is shown in a square', [null, null], { width: 1, height: 1, wordmark: false }],
  ] as const)('the studio’s answer contains the shape of a logo that %s', async (_, size, shape) => {
    const { deps, app, jobs } = await setUp()
    const [logo_width, logo_height] = size
    const logo = { logo_key: 'demo/logo.svg', logo_hash: 'abc123', logo_width, logo_height }
    await deps.db.updateTable('studios').set(logo).where('id', '=', jobs.studioId).execute()
    expect((await customerClient(app).request(getStudio, riverside)).data.logoShape).toEqual(shape)
  })

  it('a session is opened once', async () => {
    const { app } = await setUp()
    const customer = customerClient(app)
    expect((await customer.request(openSession, { body: {} })).data).toEqual({ created: true })
    expect((await customer.request(openSession, { body: {} })).data).toEqual({ created: false })
  })

  it('a job is opened with its code in any spelling, and the session remembers it', async () => {
    const { app, jobs } = await setUp()
    const customer = customerClient(app)
    const opened = await customer.request(redeemCode, { ...riverside, query: { code: ' spr-ing ' } })
    expect(opened).toMatchObject({ status: 200, data: { ...jobs.spring, jobName: 'Event SPRING', subject: null } })
    const { data } = await customer.request(getAvailability, { params: { jobId: jobs.spring.jobId } })
    expect(data).toMatchObject({ codeGiven: true, grants: [] })
    const stranger = await customerClient(app).request(getAvailability, { params: { jobId: jobs.spring.jobId } })
    expect(stranger.data).toMatchObject({ codeGiven: false, grants: [], studioSlug: 'riverside' })
  })

  it('a subject’s own code opens that subject', async () => {
    const { app, jobs } = await setUp()
    const customer = customerClient(app)
    const { data } = await customer.request(redeemCode, { ...riverside, query: { code: 'adalvl' } })
    expect(data.subject).toMatchObject({ id: jobs.ada, firstName: 'Ada', groupName: 'Grade 3', imageCount: 0 })
    expect(data.subject.fields).toMatchObject([{ name: 'Teacher', value: 'Ms. Alvarez' }])
    const available = await customer.request(getAvailability, { params: { jobId: jobs.spring.jobId } })
    expect(available.data.grants).toEqual([{ grantId: data.subject.grantId, subjectId: jobs.ada }])
    const secondAnswer = await customer.request(redeemCode, { ...riverside, query: { code: 'ADALVL' } })
    expect(secondAnswer.data.subject.grantId).toBe(data.subject.grantId)
  })

  it('the code of a public gallery opens all its subjects', async () => {
    const { app, jobs } = await setUp()
    const customer = customerClient(app)
    await customer.request(redeemCode, { ...riverside, query: { code: 'RAPIDS' } })
    const { data } = await customer.request(getAvailability, { params: { jobId: jobs.team.jobId } })
    expect(data.grants).toEqual([{ grantId: expect.stringMatching(/^[\w-]{22}$/), subjectId: null }])
  })

  it('a wrong code, a code of another studio or a hidden subject, and an invalid code get the same answer', async () => {
    const { deps, app, jobs } = await setUp()
    await given(deps).job(jobs.other.studioId, { code: 'ELSEWHERE' })
    const answers = []
    for (const code of ['WRONG123', 'ELSEWHERE', 'HIDDEN', '!?', 'x']) {
      const customer = customerClient(app)
      answers.push(await customer.request(redeemCode, { ...riverside, query: { code } }))
      expect(customer.hasCookie()).toBe(false)
    }
    expect(answers[0]).toMatchObject({ status: 404, problem: 'not-found' })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const empty = await customerClient(app).request(redeemCode, { ...riverside, query: { code: '' } })
    expect(empty.status).toBe(400)
    expect(
      (await customerClient(app).request(redeemCode, { ...riverside, query: { code: 'A'.repeat(41) } })).status,
    ).toBe(400)
  })

  it('300 parents behind one address open their job within a minute, with two typos each', async () => {
    const { app, time } = await setUp()
    const startedAt = time.clock().getTime()
    const customers = Array.from({ length: 300 }, () => customerClient(app))
    for (const typo of ['SPRUNG', 'SPRINGG']) {
      await Promise.all(
        customers.map((customer) => customer.request(redeemCode, { ...riverside, query: { code: typo } })),
      )
    }
    const entryAnswers = await Promise.all(
      customers.map((customer) => customer.request(redeemCode, { ...riverside, query: { code: 'SPRING' } })),
    )
    expect(entryAnswers.map(({ status }) => status)).toEqual(customers.map(() => 200))
    // Every request advances the shared clock slightly; none of the 900 requests is slowed down.
    expect(time.clock().getTime() - startedAt).toBeLessThan(60_000)
  })

  it('guessing is slowed down, and sessions with a grant are not affected', async () => {
    const { app, time } = await setUp()
    const customer = customerClient(app)
    await customer.request(redeemCode, { ...riverside, query: { code: 'SPRING' } })
    const guess = (code: string) => customerClient(app).request(redeemCode, { ...riverside, query: { code } })
    for (let n = 0; n < 601; n += 1) await guess(`GUESS${n}`)
    const startedAt = time.clock().getTime()
    const rightCode = await guess('ADALVL')
    expect(rightCode.status).toBe(200)
    expect(time.clock().getTime() - startedAt).toBeGreaterThanOrEqual(2_000)
    const startedAgainAt = time.clock().getTime()
    expect((await customer.request(redeemCode, { ...riverside, query: { code: 'ADALVL' } })).status).toBe(200)
    expect(time.clock().getTime() - startedAgainAt).toBeLessThan(500)
  })
})
