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

  it('the session ends on the server: the same cookie opens nothing', async () => {
    const deps = testDeps(database(), manualClock())
    const app = await testApp(deps)
    const event = await seedJobs(deps)
    const parent = customerClient(app)
    const code = { params: { slug: 'riverside' }, query: { code: 'SPRING' } }
    await parent.ask(redeemCode, code)
    const person = { jobId: event.spring.jobId, subjectId: event.ada }
    await parent.ask(confirmSubject, {
      params: person,
      body: { subjectId: event.ada, proof: createSearchToken(deps, person) },
    })
    const cookie = parent.cookie()
    expect((await parent.ask(getSubject, { params: person })).status).toBe(200)

    const ended = await parent.ask(closeSession)
    expect(ended.status).toBe(200)
    expect(parent.cookie()).toBe('fieldproof_session=')

    const copied = customerClient(app, undefined, cookie)
    expect((await copied.ask(getSubject, { params: person })).problem).toBe('session-unknown')
    await copied.ask(redeemCode, code)
    expect((await copied.ask(getSubject, { params: person })).problem).toBe('grant-needed')
  })

  it('finishing without a session succeeds', async () => {
    const stranger = customerClient(await testApp(testDeps(database(), manualClock())))
    expect((await stranger.ask(closeSession)).status).toBe(200)
  })
})
