import { describe, expect, it } from 'vitest'
import { rematchImages, requeueStalledMatchRuns, startRematchWorker } from '#server/images/lookups/rematch-images.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createUploadFixtures } from '../uploads/upload-fixtures.ts'

const imageCount = 45
const hour = 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('rematching many images on $name', (engine) => {
  const database = freshDatabase(engine)

  /** Adds unmatched images whose file names contain Ada's name. */
  const setUp = async () => {
    const fixtures = await createUploadFixtures(database())
    const { deps, studioId, jobId, organizationId, adaId } = fixtures
    const bo = await fixtures.addSubject('Bo')
    const base = `/api/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}/imagelookup`
    const unmatched = await deps.db
      .insertInto('image_lookups')
      .values(
        Array.from({ length: imageCount }, (_, index) => ({
          ...{ studio_id: studioId, job_id: jobId, kind: 'hosted-individual' as const },
          ...{
            file_name: `Ada Lovelace ${index}.jpg`,
            original_key: `p${index}`,
            content_type: 'image/jpeg',
            byte_size: 1,
          },
          // The last image has no time.
          taken_at: index === imageCount - 1 ? null : new Date(Date.UTC(2027, 3, 1, 12, imageCount - index)),
        })),
      )
      .returning('id')
      .execute()
    const ids = unmatched.map(({ id }) => id)
    const start = (criterion = 'fileName', options: object = {}) =>
      fixtures.request('POST', `${base}s/match`, { payload: { by: criterion, ...options } })
    const readRun = async () => (await fixtures.request('GET', `${base}-match`)).data.run
    const owners = async () => {
      const rows = await deps.db
        .selectFrom('image_lookups')
        .select(['id', 'subject_id'])
        .where('id', 'in', ids)
        .execute()
      return Map.groupBy(rows, ({ subject_id }) => subject_id)
    }
    const assign = (id: number, subjectId: number) =>
      fixtures.request('POST', `${base}s/move`, { payload: { imageIds: [id], to: { subjectId } } })
    const work = { studioId, runId: 0 }
    return { ...fixtures, adaId, bo, ids, start, readRun, owners, assign, work }
  }

  it('a run continues in the background in steps, and keeps what staff assign in the meantime', async () => {
    const { deps, start, readRun, owners, assign, bo, adaId, ids, jobs } = await setUp()
    const startedRun = await start()
    expect(startedRun).toMatchObject({
      status: 200,
      data: { state: 'running', total: imageCount, done: 0, matched: 0 },
    })
    expect(jobs).toEqual([
      { name: 'rematch-images', payload: { studioId: expect.any(Number), runId: startedRun.data.id } },
    ])
    // The same request returns the running run; a different one must wait.
    expect(await start()).toMatchObject({ status: 200, data: { id: startedRun.data.id } })
    expect(await start('fileName', { cameraAheadSeconds: 0, imageIds: null })).toMatchObject({
      data: { id: startedRun.data.id },
    })
    const differentRequests: [string, object][] = [
      ['code', {}],
      ['fileName', { cameraAheadSeconds: 60 }],
      ['fileName', { imageIds: ids.slice(0, 2) }],
    ]
    for (const [criterion, options] of differentRequests)
      expect(await start(criterion, options)).toMatchObject({
        status: 422,
        errors: ['The images of this event are being matched. Wait until that’s done'],
      })
    const progress: number[] = []
    const wait = async () => {
      const { done } = await readRun()
      progress.push(done)
      // The first image is one of the last to be processed.
      if (progress.length === 1) await assign(ids[0] ?? 0, bo)
    }
    for (const { payload } of jobs.splice(0)) await rematchImages({ ...deps, wait }, payload)
    expect(progress).toEqual([20, 40, imageCount - 1])
    expect(await readRun()).toMatchObject({ state: 'done', matched: imageCount - 1, unclear: 0, unknown: 0 })
    const imagesByOwner = await owners()
    expect([imagesByOwner.get(bo)?.length, imagesByOwner.get(adaId)?.length, imagesByOwner.size]).toEqual([
      1,
      imageCount - 1,
      2,
    ])
  })

  it('an interrupted run continues with the next server, and counts nothing twice', async () => {
    const { deps, start, readRun, jobs, time } = await setUp()
    await start()
    const [first] = jobs.splice(0)
    const interruptedDeps = { ...deps, wait: () => Promise.reject(new Error('cut off')) }
    await expect(rematchImages(interruptedDeps, first?.payload as never)).rejects.toThrow('cut off')
    expect(await readRun()).toMatchObject({ state: 'running', done: 20 })
    await startRematchWorker({ work: async () => {} }, deps)
    expect(jobs).toEqual([first])
    time.advance(1000)
    // Two workers process the same run at the same time.
    const payloads = [...jobs, ...jobs.splice(0)]
    await Promise.all(payloads.map(({ payload }) => rematchImages(deps, payload)))
    expect(await readRun()).toMatchObject({ state: 'done', done: imageCount, matched: imageCount })
  })

  it('a run of selected images is the same run in any order of ids', async () => {
    const { start, ids } = await setUp()
    const [firstId = 0, secondId = 0] = ids
    const startedRun = await start('fileName', { imageIds: [firstId, secondId] })
    expect(await start('fileName', { imageIds: [secondId, firstId, secondId] })).toEqual(startedRun)
    expect(await start('fileName', { imageIds: [firstId] })).toMatchObject({ status: 422 })
    expect(await start('fileName')).toMatchObject({ status: 422 })
  })

  it('a run whose retries failed is requeued twice a day and fails after a day, and then another run may start', async () => {
    const { deps, start, readRun, jobs, time } = await setUp()
    const startedRun = await start()
    const [first] = jobs.splice(0)
    time.advance(hour)
    await requeueStalledMatchRuns(deps)
    expect(jobs).toEqual([])
    time.advance(2 * hour)
    await requeueStalledMatchRuns(deps)
    expect(jobs.splice(0)).toEqual([first])
    time.advance(hour)
    await requeueStalledMatchRuns(deps)
    expect(jobs).toEqual([])
    // One step is done, and the day starts over.
    const interruptedDeps = { ...deps, wait: () => Promise.reject(new Error('cut off')) }
    await expect(rematchImages(interruptedDeps, first?.payload as never)).rejects.toThrow('cut off')
    time.advance(22 * hour)
    await requeueStalledMatchRuns(deps)
    expect(await readRun()).toMatchObject({ state: 'running', done: 20 })
    time.advance(3 * hour)
    await requeueStalledMatchRuns(deps)
    expect(await readRun()).toMatchObject({ state: 'failed', done: 20, finishedAt: deps.clock().toISOString() })
    await rematchImages(deps, first?.payload as never)
    expect(await readRun()).toMatchObject({ state: 'failed', done: 20 })
    const nextRun = await start('code')
    expect(nextRun).toMatchObject({ status: 200, data: { state: 'running', by: 'code', done: 0 } })
    expect(nextRun.data.id).not.toBe(startedRun.data.id)
  })

  it('a run without unmatched images finishes immediately, and replaces the previous run', async () => {
    const { deps, start, readRun, jobs, ids } = await setUp()
    await deps.db
      .updateTable('image_lookups')
      .set({ state: 'refused', refusal: 'Broken' })
      .where('id', 'in', ids)
      .execute()
    for (const criterion of ['code', 'fileName']) {
      await start(criterion)
      for (const { payload } of jobs.splice(0)) await rematchImages(deps, payload)
    }
    expect(await readRun()).toMatchObject({ by: 'fileName', state: 'done', total: 0, done: 0, matched: 0 })
    expect(await deps.db.selectFrom('match_runs').select('id').execute()).toHaveLength(1)
  })
})
