import { describe, expect, it } from 'vitest'
import { rematchImages, requeueStalledMatchRuns, workOnMatchRuns } from '#server/images/lookups/rematch-images.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createUploadFixtures } from '../uploads/upload-fixtures.ts'

const pictures = 45
const hour = 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('matching many images again on $name', (engine) => {
  const database = freshDatabase(engine)

  /** Unmatched images, each named after Ada, and a studio that starts a match run. */
  const begin = async () => {
    const desk = await createUploadFixtures(database())
    const { deps, studioId, jobId, organizationId, adaId } = desk
    const bo = await desk.giveSubject('Bo')
    const base = `/api/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}/imagelookup`
    const waiting = await deps.db
      .insertInto('image_lookups')
      .values(
        Array.from({ length: pictures }, (_, at) => ({
          ...{ studio_id: studioId, job_id: jobId, kind: 'hosted-individual' as const },
          ...{ file_name: `Ada Lovelace ${at}.jpg`, original_key: `p${at}`, content_type: 'image/jpeg', byte_size: 1 },
          // The last of them has no time.
          taken_at: at === pictures - 1 ? null : new Date(Date.UTC(2027, 3, 1, 12, pictures - at)),
        })),
      )
      .returning('id')
      .execute()
    const ids = waiting.map(({ id }) => id)
    const start = (by = 'fileName', more: object = {}) =>
      desk.ask('POST', `${base}s/match`, { payload: { by, ...more } })
    const run = async () => (await desk.ask('GET', `${base}-match`)).data.run
    const owners = async () => {
      const rows = await deps.db
        .selectFrom('image_lookups')
        .select(['id', 'subject_id'])
        .where('id', 'in', ids)
        .execute()
      return Map.groupBy(rows, ({ subject_id }) => subject_id)
    }
    const give = (id: number, subjectId: number) =>
      desk.ask('POST', `${base}s/move`, { payload: { imageIds: [id], to: { subjectId } } })
    const work = { studioId, runId: 0 }
    return { ...desk, adaId, bo, ids, start, run, owners, give, work }
  }

  it('a run continues in the background in steps, and leaves what staff assigned meanwhile', async () => {
    const { deps, start, run, owners, give, bo, adaId, ids, jobs } = await begin()
    const begun = await start()
    expect(begun).toMatchObject({ status: 200, data: { state: 'running', total: pictures, done: 0, matched: 0 } })
    expect(jobs).toEqual([{ name: 'rematch-images', payload: { studioId: expect.any(Number), runId: begun.data.id } }])
    // The same request returns the running run; a different one must wait.
    expect(await start()).toMatchObject({ status: 200, data: { id: begun.data.id } })
    expect(await start('fileName', { cameraAheadSeconds: 0, imageIds: null })).toMatchObject({
      data: { id: begun.data.id },
    })
    const others: [string, object][] = [
      ['code', {}],
      ['fileName', { cameraAheadSeconds: 60 }],
      ['fileName', { imageIds: ids.slice(0, 2) }],
    ]
    for (const [by, more] of others)
      expect(await start(by, more)).toMatchObject({
        status: 422,
        errors: ['The pictures of this event are being matched at this moment. Wait until that is done'],
      })
    const told: number[] = []
    const wait = async () => {
      const { done } = await run()
      told.push(done)
      // The first uploaded image was taken last but one.
      if (told.length === 1) await give(ids[0] ?? 0, bo)
    }
    for (const { payload } of jobs.splice(0)) await rematchImages({ ...deps, wait }, payload)
    expect(told).toEqual([20, 40, pictures - 1])
    expect(await run()).toMatchObject({ state: 'done', matched: pictures - 1, unclear: 0, unknown: 0 })
    const given = await owners()
    expect([given.get(bo)?.length, given.get(adaId)?.length, given.size]).toEqual([1, pictures - 1, 2])
  })

  it('an interrupted run continues with the next server, and counts nothing twice', async () => {
    const { deps, start, run, jobs, time } = await begin()
    await start()
    const [first] = jobs.splice(0)
    const dies = { ...deps, wait: () => Promise.reject(new Error('cut off')) }
    await expect(rematchImages(dies, first?.payload as never)).rejects.toThrow('cut off')
    expect(await run()).toMatchObject({ state: 'running', done: 20 })
    await workOnMatchRuns({ work: async () => {} }, deps)
    expect(jobs).toEqual([first])
    time.advance(1000)
    // Two workers that believe the other dead take turns.
    const both = [...jobs, ...jobs.splice(0)]
    await Promise.all(both.map(({ payload }) => rematchImages(deps, payload)))
    expect(await run()).toMatchObject({ state: 'done', done: pictures, matched: pictures })
  })

  it('a run of some images is the same in any order of ids', async () => {
    const { start, ids } = await begin()
    const [one = 0, other = 0] = ids
    const begun = await start('fileName', { imageIds: [one, other] })
    expect(await start('fileName', { imageIds: [other, one, other] })).toEqual(begun)
    expect(await start('fileName', { imageIds: [one] })).toMatchObject({ status: 422 })
    expect(await start('fileName')).toMatchObject({ status: 422 })
  })

  it('a run whose retries failed is requeued hourly, and fails after a day; then another may start', async () => {
    const { deps, start, run, jobs, time } = await begin()
    const begun = await start()
    const [first] = jobs.splice(0)
    time.advance(hour)
    await requeueStalledMatchRuns(deps)
    expect(jobs).toEqual([])
    time.advance(2 * hour)
    await requeueStalledMatchRuns(deps)
    expect(jobs.splice(0)).toEqual([first])
    // One step is done, and the day starts over.
    const dies = { ...deps, wait: () => Promise.reject(new Error('cut off')) }
    await expect(rematchImages(dies, first?.payload as never)).rejects.toThrow('cut off')
    time.advance(22 * hour)
    await requeueStalledMatchRuns(deps)
    expect(await run()).toMatchObject({ state: 'running', done: 20 })
    time.advance(3 * hour)
    await requeueStalledMatchRuns(deps)
    expect(await run()).toMatchObject({ state: 'failed', done: 20, finishedAt: deps.clock().toISOString() })
    await rematchImages(deps, first?.payload as never)
    expect(await run()).toMatchObject({ state: 'failed', done: 20 })
    const again = await start('code')
    expect(again).toMatchObject({ status: 200, data: { state: 'running', by: 'code', done: 0 } })
    expect(again.data.id).not.toBe(begun.data.id)
  })

  it('a run without unmatched images is done at once, and replaces the previous run', async () => {
    const { deps, start, run, jobs, ids } = await begin()
    await deps.db
      .updateTable('image_lookups')
      .set({ state: 'refused', refusal: 'Broken' })
      .where('id', 'in', ids)
      .execute()
    for (const by of ['code', 'fileName']) {
      await start(by)
      for (const { payload } of jobs.splice(0)) await rematchImages(deps, payload)
    }
    expect(await run()).toMatchObject({ by: 'fileName', state: 'done', total: 0, done: 0, matched: 0 })
    expect(await deps.db.selectFrom('match_runs').select('id').execute()).toHaveLength(1)
  })
})
