import { describe, expect, it } from 'vitest'
import { confirmSubject, getSubject } from '#contract/customer/discovery-calls.ts'
import { closeSession, redeemCode } from '#contract/customer/session-calls.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { seedJobs } from './job-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('finishing a session on $name', (engine) => {
  const database = freshDatabase(engine)

  it('the session ends on the server, and its cookie no longer gives access', async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const jobs = await seedJobs(deps)
    const customer = customerClient(app)
    const code = { params: { slug: 'riverside' }, query: { code: 'SPRING' } }
    await customer.request(redeemCode, code)
    const subject = { jobId: jobs.spring.jobId, subjectId: jobs.ada }
    await customer.request(confirmSubject, {
      params: subject,
      body: { subjectId: jobs.ada, proof: createSearchToken(deps, subject) },
    })
    const cookie = customer.cookie()
    expect((await customer.request(getSubject, { params: subject })).status).toBe(200)

    const ended = await customer.request(closeSession)
    expect(ended.status).toBe(200)
    expect(customer.cookie()).toBe('fieldproof_session=')

    const copiedSession = customerClient(app, undefined, cookie)
    expect((await copiedSession.request(getSubject, { params: subject })).problem).toBe('session-unknown')
    await copiedSession.request(redeemCode, code)
    expect((await copiedSession.request(getSubject, { params: subject })).problem).toBe('grant-needed')
  })

  it('finishing without a session succeeds', async () => {
    const stranger = customerClient(await testApp(testDeps(database(), manualClock())))
    expect((await stranger.request(closeSession)).status).toBe(200)
  })
})
