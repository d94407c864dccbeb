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

  const setUp = async (code: string) => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const jobs = await seedJobs(deps)
    const { jobId } = jobs.spring
    await deps.db.updateTable('jobs').set({ own_code_only: true }).where('id', '=', jobId).execute()
    const customer = customerClient(app)
    const opened = await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code } })
    const confirm = (subjectId: number, body: object = { proof: createSearchToken(deps, { jobId, subjectId }) }) =>
      customer.request(confirmSubject, { params: { jobId }, body: { subjectId, ...body } })
    return { deps, jobs, jobId, customer, opened, confirm }
  }
  const refusal = { status: 403, problem: 'own-code-needed' }

  it('search, browsing and confirmation are refused to a session with only the job’s code', async () => {
    const { jobs, jobId, customer, confirm } = await setUp('SPRING')
    const query = { firstName: 'Ada', lastName: 'Lovelace' }
    expect(await customer.request(searchSubjects, { params: { jobId }, query })).toMatchObject(refusal)
    expect(await customer.request(browseSubjects, { params: { jobId } })).toMatchObject({ status: 403 })
    expect(await confirm(jobs.ada)).toMatchObject(refusal)
    expect(await confirm(jobs.ada, {})).toMatchObject(refusal)
    expect(await customer.request(lookUpJob, { params: { jobId } })).toMatchObject({ data: { ownCodeOnly: true } })
  })

  it('a subject’s own code opens that subject and no other', async () => {
    const { jobs, opened, confirm } = await setUp('ADALVL')
    expect(opened.data.subject).toMatchObject({ id: jobs.ada })
    expect(await confirm(jobs.ada, {})).toMatchObject({ status: 200 })
    expect(await confirm(jobs.zoe)).toMatchObject(refusal)
  })

  it('a job that opens only by own codes cannot have a public gallery', async () => {
    const { deps, jobId } = await setUp('SPRING')
    const makePublic = deps.db.updateTable('jobs').set({ gallery_is_public: true }).where('id', '=', jobId).execute()
    await expect(makePublic).rejects.toThrow('jobs_own_code_not_public')
  })
})
