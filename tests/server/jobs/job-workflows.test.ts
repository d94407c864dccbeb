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

  const begin = async () => {
    const desk = await createStudioJobFixtures(database())
    const addWorkflow = async (name: string) => {
      const values = { name, steps: JSON.stringify(steps) }
      return (await desk.deps.db.insertInto('workflows').values(values).returning('id').executeTakeFirstOrThrow()).id
    }
    const [sport, school] = [await addWorkflow('Sport'), await addWorkflow('School')]
    const { id: jobId } = await desk.make({ eventDate: '2027-05-10' })
    const at = `jobs/${jobId}/workflow`
    return { ...desk, sport, school, jobId, at }
  }

  it('workflows are listed by name, in full or in pages, without archived ones', async () => {
    const { tell, deps, sport, school } = await begin()
    await deps.db.insertInto('workflows').values({ name: 'Old', archived_at: deps.clock() }).execute()
    expect((await tell('GET', '/api/v3/workflows')).data).toEqual([
      { id: school, name: 'School', steps },
      { id: sport, name: 'Sport', steps },
    ])
    expect((await tell('GET', '/api/v3/workflows?filter=spo')).data).toMatchObject({
      resultItems: [{ id: sport }],
      totalRecords: 1,
    })
  })

  it('a workflow can be assigned to a job, restarted and removed', async () => {
    const { tell, at, jobId, sport, school, deps } = await begin()
    const none = { workflowId: null, name: null, version: 0, steps: [] }
    expect((await tell('GET', at)).data).toEqual(none)
    const chosen = await tell('PUT', at, { version: 0, workflowId: school })
    expect(chosen.data).toMatchObject({
      workflowId: school,
      name: 'School',
      version: 1,
      steps: [
        { name: 'Import the roster', dueDays: -14, dueOn: '2027-04-26', done: false, doneAt: null, doneBy: null },
        { name: 'Picture day', dueDays: 0, dueOn: '2027-05-10', done: false },
      ],
    })
    expect(await tell('PUT', at, { version: 0, workflowId: sport })).toMatchObject({ status: 409 })
    await tell('PATCH', at, { version: 1, step: 0, done: true })
    // A later change of the workflow does not change the job's copy.
    await deps.db.updateTable('workflows').set({ steps: '[]' }).where('id', '=', school).execute()
    expect((await tell('GET', `jobs/${jobId}/overview`)).data.workflow).toEqual({
      name: 'School',
      done: 1,
      total: 2,
      next: { name: 'Picture day', dueOn: '2027-05-10' },
    })
    const other = await tell('PUT', at, { version: 2, workflowId: sport })
    expect(other.data).toMatchObject({ workflowId: sport, version: 3, steps: [{ done: false }, { done: false }] })
    expect((await tell('PUT', at, { version: 3, workflowId: null })).data).toEqual(none)
    expect(await tell('PUT', at, { version: 0, workflowId: 999 })).toMatchObject({
      status: 422,
      errors: ['This workflow is not there any more'],
    })
  })

  it('workflows are hidden without the feature and visible again with it', async () => {
    const { tell, at, jobId, school, deps } = await begin()
    await tell('PUT', at, { version: 0, workflowId: school })
    const seen = async () => (await tell('GET', `jobs/${jobId}/overview`)).data.workflow
    const features = await deps.db.selectFrom('studio_features').selectAll().execute()
    await deps.db.deleteFrom('studio_features').execute()
    expect(await seen()).toBeNull()
    await deps.db.insertInto('studio_features').values(features).execute()
    expect(await seen()).toMatchObject({ name: 'School', total: 2 })
  })

  it('a step stores who completed it and when, and concurrent ticks get a conflict', async () => {
    const { tell, at, school, deps, app, studioId, advance } = await begin()
    await tell('PUT', at, { version: 0, workflowId: school })
    const ticked = await tell('PATCH', at, { version: 1, step: 1, done: true })
    const done = { done: true, doneAt: '2027-04-15T10:00:00.000Z', doneBy: 'Rosa Staff' }
    expect(ticked.data).toMatchObject({ version: 2, steps: [{ done: false }, done] })
    expect(await tell('PATCH', at, { version: 1, step: 0, done: true })).toMatchObject({ status: 409 })
    advance(60_000)
    expect((await tell('PATCH', at, { version: 2, step: 1, done: true })).data.steps[1]).toMatchObject(done)
    expect(await tell('PATCH', at, { version: 3, step: 2, done: true })).toMatchObject({
      status: 422,
      errors: ['There is no such step'],
    })
    const other = await staffClient(deps, app, studioId)
    await deps.db.deleteFrom('users').where('id', '<>', other.id).execute()
    expect((await other.tell('GET', at)).data.steps[1]).toMatchObject({ ...done, doneBy: null })
    const undone = await other.tell('PATCH', at, { version: 3, step: 1, done: false })
    expect(undone.data.steps[1]).toMatchObject({ done: false, doneAt: null, doneBy: null })
  })
})
