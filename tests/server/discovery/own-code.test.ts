import { describe, expect, it } from 'vitest'
import { confirmSubject, lookUpJob } from '#contract/customer/discovery-calls.ts'
import { browseSubjects, searchSubjects } from '#contract/customer/find-subjects.ts'
import { redeemCode } from '#contract/customer/session-calls.ts'
import { createSearchToken } from '#server/discovery/search-token.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { customerClient } from './customer-client.ts'
import { seedJobs } from './job-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('a job that opens by a subject’s own code, on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (code: string) => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const event = await seedJobs(deps)
    const { jobId } = event.spring
    await deps.db.updateTable('jobs').set({ own_code_only: true }).where('id', '=', jobId).execute()
    const parent = customerClient(app)
    const opened = await parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code } })
    const confirm = (subjectId: number, body: object = { proof: createSearchToken(deps, { jobId, subjectId }) }) =>
      parent.ask(confirmSubject, { params: { jobId }, body: { subjectId, ...body } })
    return { deps, event, jobId, parent, opened, confirm }
  }
  const refused = { status: 403, problem: 'own-code-needed' }

  it('search, browsing and confirmation are refused to a session with only the job’s code', async () => {
    const { event, jobId, parent, confirm } = await begin('SPRING')
    const query = { firstName: 'Ada', lastName: 'Lovelace' }
    expect(await parent.ask(searchSubjects, { params: { jobId }, query })).toMatchObject(refused)
    expect(await parent.ask(browseSubjects, { params: { jobId } })).toMatchObject({ status: 403 })
    expect(await confirm(event.ada)).toMatchObject(refused)
    expect(await confirm(event.ada, {})).toMatchObject(refused)
    expect(await parent.ask(lookUpJob, { params: { jobId } })).toMatchObject({ data: { ownCodeOnly: true } })
  })

  it('a subject’s own code opens that subject and no other', async () => {
    const { event, opened, confirm } = await begin('ADALVL')
    expect(opened.data.subject).toMatchObject({ id: event.ada })
    expect(await confirm(event.ada, {})).toMatchObject({ status: 200 })
    expect(await confirm(event.zoe)).toMatchObject(refused)
  })

  it('such a job cannot have a public gallery', async () => {
    const { deps, jobId } = await begin('SPRING')
    const makePublic = deps.db.updateTable('jobs').set({ gallery_is_public: true }).where('id', '=', jobId).execute()
    await expect(makePublic).rejects.toThrow('jobs_own_code_not_public')
  })
})
