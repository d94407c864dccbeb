import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { createStudioJobFixtures } from './studio-job-fixtures.ts'

const steps = [
  { name: 'Import the roster', dueDays: -14 },
  { name: 'Picture day', dueDays: 0 },
]

describe.each(enginesFor(import.meta.filename))('job workflows on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createStudioJobFixtures(database())
    const addWorkflow = async (name: string) => {
      const values = { name, steps: JSON.stringify(steps) }
      return (await fixtures.deps.db.insertInto('workflows').values(values).returning('id').executeTakeFirstOrThrow())
        .id
    }
    const [sportId, schoolId] = [await addWorkflow('Sport'), await addWorkflow('School')]
    const { id: jobId } = await fixtures.createJob({ eventDate: '2027-05-10' })
    const workflowPath = `jobs/${jobId}/workflow`
    return { ...fixtures, sportId, schoolId, jobId, workflowPath }
  }

  it('workflows are listed by name, in full or in pages, without archived ones', async () => {
    const { staffRequest, deps, sportId, schoolId } = await setUp()
    await deps.db.insertInto('workflows').values({ name: 'Old', archived_at: deps.clock() }).execute()
    expect((await staffRequest('GET', '/api/v3/workflows')).data).toEqual([
      { id: schoolId, name: 'School', steps },
      { id: sportId, name: 'Sport', steps },
    ])
    expect((await staffRequest('GET', '/api/v3/workflows?filter=spo')).data).toMatchObject({
      resultItems: [{ id: sportId }],
      totalRecords: 1,
    })
  })

  it('a workflow can be assigned to a job, replaced by another and removed', async () => {
    const { staffRequest, workflowPath, jobId, sportId, schoolId, deps } = await setUp()
    const noWorkflow = { workflowId: null, name: null, version: 0, steps: [] }
    expect((await staffRequest('GET', workflowPath)).data).toEqual(noWorkflow)
    const assigned = await staffRequest('PUT', workflowPath, { version: 0, workflowId: schoolId })
    expect(assigned.data).toMatchObject({
      workflowId: schoolId,
      name: 'School',
      version: 1,
      steps: [
        { name: 'Import the roster', dueDays: -14, dueOn: '2027-04-26', done: false, doneAt: null, doneBy: null },
        { name: 'Picture day', dueDays: 0, dueOn: '2027-05-10', done: false },
      ],
    })
    expect(await staffRequest('PUT', workflowPath, { version: 0, workflowId: sportId })).toMatchObject({ status: 409 })
    await staffRequest('PATCH', workflowPath, { version: 1, step: 0, done: true })
    // A later change of the workflow does not change the job's copy.
    await deps.db.updateTable('workflows').set({ steps: '[]' }).where('id', '=', schoolId).execute()
    expect((await staffRequest('GET', `jobs/${jobId}/overview`)).data.workflow).toEqual({
      name: 'School',
      done: 1,
      total: 2,
      next: { name: 'Picture day', dueOn: '2027-05-10' },
    })
    const other = await staffRequest('PUT', workflowPath, { version: 2, workflowId: sportId })
    expect(other.data).toMatchObject({ workflowId: sportId, version: 3, steps: [{ done: false }, { done: false }] })
    expect((await staffRequest('PUT', workflowPath, { version: 3, workflowId: null })).data).toEqual(noWorkflow)
    expect(await staffRequest('PUT', workflowPath, { version: 0, workflowId: 999 })).toMatchObject({
      status: 422,
      errors: ['This workflow is not there any more'],
    })
  })

  it('workflows are hidden without the feature and visible again with it', async () => {
    const { staffRequest, workflowPath, jobId, schoolId, deps } = await setUp()
    await staffRequest('PUT', workflowPath, { version: 0, workflowId: schoolId })
    const readWorkflow = async () => (await staffRequest('GET', `jobs/${jobId}/overview`)).data.workflow
    const features = await deps.db.selectFrom('studio_features').selectAll().execute()
    await deps.db.deleteFrom('studio_features').execute()
    expect(await readWorkflow()).toBeNull()
    await deps.db.insertInto('studio_features').values(features).execute()
    expect(await readWorkflow()).toMatchObject({ name: 'School', total: 2 })
  })

  it('a step stores who completed it and when, and concurrent ticks get a conflict', async () => {
    const { staffRequest, workflowPath, schoolId, deps, app, studioId, advance } = await setUp()
    await staffRequest('PUT', workflowPath, { version: 0, workflowId: schoolId })
    const ticked = await staffRequest('PATCH', workflowPath, { version: 1, step: 1, done: true })
    const done = { done: true, doneAt: '2027-04-15T10:00:00.000Z', doneBy: 'Rosa Staff' }
    expect(ticked.data).toMatchObject({ version: 2, steps: [{ done: false }, done] })
    expect(await staffRequest('PATCH', workflowPath, { version: 1, step: 0, done: true })).toMatchObject({
      status: 409,
    })
    advance(60_000)
    expect(
      (await staffRequest('PATCH', workflowPath, { version: 2, step: 1, done: true })).data.steps[1],
    ).toMatchObject(done)
    expect(await staffRequest('PATCH', workflowPath, { version: 3, step: 2, done: true })).toMatchObject({
      status: 422,
      errors: ['There is no such step'],
    })
    const other = await staffClient(deps, app, studioId)
    await deps.db.deleteFrom('users').where('id', '<>', other.id).execute()
    expect((await other.staffRequest('GET', workflowPath)).data.steps[1]).toMatchObject({ ...done, doneBy: null })
    const undone = await other.staffRequest('PATCH', workflowPath, { version: 3, step: 1, done: false })
    expect(undone.data.steps[1]).toMatchObject({ done: false, doneAt: null, doneBy: null })
  })
})
