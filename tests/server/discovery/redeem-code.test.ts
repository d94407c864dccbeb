import { describe, expect, it } from 'vitest'
import { getAvailability, getStudio, getStudioFeatures } from '#contract/customer/discovery-calls.ts'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { addFeature, addJob, seedJobs } from './job-fixtures.ts'

const noStudio = { status: 404, errors: ['There was an error loading the studio'] }

describe.each(enginesFor(import.meta.filename))('studio and code on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const deps: Deps = testDeps(database(), time)
    const app = await testApp(deps)
    return { deps, app, time, event: await seedJobs(deps) }
  }
  const redeem = { params: { slug: 'riverside' } }

  it('a studio’s public facts and features are shown to anyone', async () => {
    const { deps, app, event } = await begin()
    await addFeature(deps, event.studioId, 'greenscreens')
    const anybody = customerClient(app)
    expect((await anybody.ask(getStudio, redeem)).data).toEqual({
      id: event.studioId,
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
    })
    expect((await anybody.ask(getStudioFeatures, redeem)).data).toEqual([{ identifier: 'greenscreens' }])
    expect(anybody.hasCookie()).toBe(false)
  })

  it('a studio is found by its slug in capitals', async () => {
    const { app, event } = await begin()
    const parent = customerClient(app)
    const typed = { params: { slug: 'RiverSide' } }
    expect((await parent.ask(getStudio, typed)).data).toMatchObject({ id: event.studioId, slug: 'riverside' })
    expect((await parent.ask(getStudioFeatures, typed)).status).toBe(200)
    const opened = await parent.ask(redeemCode, { ...typed, query: { code: 'SPRING' } })
    expect(opened).toMatchObject({ status: 200, data: { jobId: event.spring.jobId } })
    expect((await parent.ask(getStudio, { params: { slug: 'River Side' } })).status).toBe(400)
  })

  it('an unknown studio and a disabled one get the same answer', async () => {
    const { deps, app, event } = await begin()
    const anybody = customerClient(app)
    expect(await anybody.ask(getStudio, { params: { slug: 'nowhere' } })).toMatchObject(noStudio)
    await deps.db.updateTable('studios').set({ rspo_enabled: false }).where('slug', '=', 'riverside').execute()
    for (const call of [getStudio, getStudioFeatures]) expect(await anybody.ask(call, redeem)).toMatchObject(noStudio)
    expect(await anybody.ask(redeemCode, { ...redeem, query: { code: 'SPRING' } })).toMatchObject(noStudio)
    const { jobId } = event.spring
    expect((await anybody.ask(getAvailability, { params: { jobId } })).status).toBe(404)
  })

  it('a studio is found by its former slug', async () => {
    const { deps, app, event } = await begin()
    await deps.db.insertInto('studio_slugs').values({ slug: 'old-name', studio_id: event.studioId }).execute()
    const found = await customerClient(app).ask(getStudio, { params: { slug: 'old-name' } })
    expect(found.data.slug).toBe('riverside')
  })

  it('a studio’s current logo is served to anyone and cached for ever, and no other', async () => {
    const { deps, app, event } = await begin()
    await deps.files.put('demo/logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await deps.db
      .updateTable('studios')
      .set({ logo_key: 'demo/logo.svg', logo_hash: 'abc123' })
      .where('id', '=', event.studioId)
      .execute()
    const anybody = customerClient(app)
    const { logo } = (await anybody.ask(getStudio, redeem)).data
    const answer = await anybody.get(logo)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('image/svg+xml')
    expect(answer.headers['cache-control']).toContain('immutable')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await anybody.get(logo.replace('abc123', 'abc124'))).statusCode).toBe(404)
  })

  it.each([
    ['is twice as wide as high or more: it says the name', [208, 104], { width: 208, height: 104, wordmark: true }],
    ['is narrower: the name stands beside it', [207, 104], { width: 207, height: 104, wordmark: false }],
    ['nobody has measured: it is shown in a square', [null, null], { width: 1, height: 1, wordmark: false }],
  ] as const)('the shape of a logo is known before it loads, where it %s', async (_, size, shape) => {
    const { deps, app, event } = await begin()
    const [logo_width, logo_height] = size
    const logo = { logo_key: 'demo/logo.svg', logo_hash: 'abc123', logo_width, logo_height }
    await deps.db.updateTable('studios').set(logo).where('id', '=', event.studioId).execute()
    expect((await customerClient(app).ask(getStudio, redeem)).data.logoShape).toEqual(shape)
  })

  it('a session is opened once', async () => {
    const { app } = await begin()
    const parent = customerClient(app)
    expect((await parent.ask(openSession, { body: {} })).data).toEqual({ created: true })
    expect((await parent.ask(openSession, { body: {} })).data).toEqual({ created: false })
  })

  it('a job is opened by its code in any spelling, and remembered', async () => {
    const { app, event } = await begin()
    const parent = customerClient(app)
    const opened = await parent.ask(redeemCode, { ...redeem, query: { code: ' spr-ing ' } })
    expect(opened).toMatchObject({ status: 200, data: { ...event.spring, jobName: 'Event SPRING', subject: null } })
    const { data } = await parent.ask(getAvailability, { params: { jobId: event.spring.jobId } })
    expect(data).toMatchObject({ codeGiven: true, grants: [] })
    const stranger = await customerClient(app).ask(getAvailability, { params: { jobId: event.spring.jobId } })
    expect(stranger.data).toMatchObject({ codeGiven: false, grants: [], studioSlug: 'riverside' })
  })

  it('a subject’s own code opens that subject', async () => {
    const { app, event } = await begin()
    const parent = customerClient(app)
    const { data } = await parent.ask(redeemCode, { ...redeem, query: { code: 'adalvl' } })
    expect(data.subject).toMatchObject({ id: event.ada, firstName: 'Ada', groupName: 'Grade 3', imageCount: 0 })
    expect(data.subject.fields).toMatchObject([{ name: 'Teacher', value: 'Ms. Alvarez' }])
    const available = await parent.ask(getAvailability, { params: { jobId: event.spring.jobId } })
    expect(available.data.grants).toEqual([{ grantId: data.subject.grantId, subjectId: event.ada }])
    const again = await parent.ask(redeemCode, { ...redeem, query: { code: 'ADALVL' } })
    expect(again.data.subject.grantId).toBe(data.subject.grantId)
  })

  it('the code of a public gallery opens all its subjects', async () => {
    const { app, event } = await begin()
    const parent = customerClient(app)
    await parent.ask(redeemCode, { ...redeem, query: { code: 'RAPIDS' } })
    const { data } = await parent.ask(getAvailability, { params: { jobId: event.team.jobId } })
    expect(data.grants).toEqual([{ grantId: expect.stringMatching(/^[\w-]{22}$/), subjectId: null }])
  })

  it('a wrong code, another studio’s, a hidden subject’s and an invalid one get the same answer', async () => {
    const { deps, app, event } = await begin()
    await addJob(deps, { studioId: event.other.studioId, code: 'ELSEWHERE' })
    const answers = []
    for (const code of ['WRONG123', 'ELSEWHERE', 'HIDDEN', '!?', 'x']) {
      const parent = customerClient(app)
      answers.push(await parent.ask(redeemCode, { ...redeem, query: { code } }))
      expect(parent.hasCookie()).toBe(false)
    }
    expect(answers[0]).toMatchObject({ status: 404, problem: 'not-found' })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const empty = await customerClient(app).ask(redeemCode, { ...redeem, query: { code: '' } })
    expect(empty.status).toBe(400)
    expect((await customerClient(app).ask(redeemCode, { ...redeem, query: { code: 'A'.repeat(41) } })).status).toBe(400)
  })

  it('300 parents behind one address get in within a minute, with two typos each', async () => {
    const { app, time } = await begin()
    const began = time.clock().getTime()
    const parents = Array.from({ length: 300 }, () => customerClient(app))
    for (const typed of ['SPRUNG', 'SPRINGG']) {
      await Promise.all(parents.map((parent) => parent.ask(redeemCode, { ...redeem, query: { code: typed } })))
    }
    const letIn = await Promise.all(parents.map((one) => one.ask(redeemCode, { ...redeem, query: { code: 'SPRING' } })))
    expect(letIn.map(({ status }) => status)).toEqual(parents.map(() => 200))
    // Every look-up advances the shared clock slightly: 900 of them in sequence, none of them slowed.
    expect(time.clock().getTime() - began).toBeLessThan(60_000)
  })

  it('guessing is made slow, and sessions with a grant are not affected', async () => {
    const { app, time } = await begin()
    const parent = customerClient(app)
    await parent.ask(redeemCode, { ...redeem, query: { code: 'SPRING' } })
    const guess = (code: string) => customerClient(app).ask(redeemCode, { ...redeem, query: { code } })
    for (let n = 0; n < 601; n += 1) await guess(`GUESS${n}`)
    const before = time.clock().getTime()
    const right = await guess('ADALVL')
    expect(right.status).toBe(200)
    expect(time.clock().getTime() - before).toBeGreaterThanOrEqual(2_000)
    const quick = time.clock().getTime()
    expect((await parent.ask(redeemCode, { ...redeem, query: { code: 'ADALVL' } })).status).toBe(200)
    expect(time.clock().getTime() - quick).toBeLessThan(500)
  })
})
