import { describe, expect, it, onTestFinished } from 'vitest'
import { createRenderer, type RenderVariants } from '#server/images/engine/render-variants.ts'
import { startVariantWorkers } from '#server/images/serving/make-variants.ts'
import { startPreviewRunWorkers } from '#server/images/serving/preview-run-workers.ts'
import { startPreviewRun } from '#server/images/store/preview-runs.ts'
import { enqueueUpload } from '#server/images/uploads/enqueue-upload.ts'
import { startUploadWorkers } from '#server/images/uploads/process-upload.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { deleteRunningJobs, requeueParkedJobs, StudioPaused, workUnlessPaused } from '#server/queue/pausable-work.ts'
import { queues } from '#server/queue/queues.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addImage, jpegAt, seedJobs } from '#tests/server/discovery/job-fixtures.ts'

const url = '/api/admin/galleries-processing'
const permissions = ['studio.crud', 'studio.admin.crud'] as const
const patience = { timeout: 20_000 }
const render = createRenderer()

describe.each(enginesFor(import.meta.filename))('pausing a studio on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  /** An administrator, real background jobs, and a job with subjects. */
  const setUp = async () => {
    const jobs = await startBackgroundJobs({ database: database(), log: silentLog, queues, pollSeconds: 0.5 })
    onTestFinished(() => jobs.stop())
    const deps = testDeps(database(), { jobs, clock: () => new Date() })
    const app = await testApp(deps)
    const { spring, ada, studioId } = await seedJobs(deps)
    const { staffRequest: request } = await staffClient(deps, app, studioId, { permissions })
    await grantSupportAccess(deps, studioId)
    await jobs.work('requeue-parked-jobs', 1, () =>
      requeueParkedJobs(deps, { 'process-upload': (tx, upload) => enqueueUpload(tx, deps, upload) }),
    )
    const pause = (id = studioId) => request('POST', `${url}/studios/${id}/pause`, { reason: 'Too many files' })
    const resume = (id = studioId) => request('POST', `${url}/studios/${id}/resume`, {})
    const parked = async () => {
      const rows = await deps.db.selectFrom('parked_background_jobs').select('queue').orderBy('id').execute()
      return rows.map(({ queue }) => queue)
    }
    const work = async (query = '') => (await request('GET', `${url}?${query}`)).data.resultItems
    const addJpeg = async (fileName: string) => {
      const owner = { kind: 'hosted-individual', subjectId: ada } as const
      return await addImage(deps, spring, { fileName, owner, position: 1, publishedAt: null }, await jpegAt(1))
    }
    const states = async (ids: readonly number[]) => {
      const rows = await deps.db.selectFrom('image_lookups').select('state').where('id', 'in', ids).execute()
      return rows.map(({ state }) => state)
    }
    return { ...{ deps, app, jobs, request, studioId, spring }, pause, resume, parked, work, addJpeg, states }
  }

  it('images wait while their studio is paused, those of others do not, and none is lost after it is resumed', async () => {
    const { deps, jobs, pause, resume, parked, work, addJpeg, states, studioId, spring, request } = await setUp()
    const ids = [await addJpeg('1.jpg'), await addJpeg('2.jpg')]
    const other = await given(deps).job(await given(deps).studio({ slug: 'lakeside' }))
    const otherKey = `studios/${other.studioId}/original`
    await deps.files.put(otherKey, await jpegAt(1))
    const otherId = await given(deps).image(other, { state: 'processing', original_key: otherKey })
    await deps.db.updateTable('image_lookups').set({ state: 'processing' }).where('id', 'in', ids).execute()
    expect((await pause()).status).toBe(200)
    await deps.db.transaction().execute(async (tx) => {
      // The same image twice, as the hourly requeue would do.
      for (const imageId of [...ids, ...ids]) await jobs.enqueue(tx, 'make-variants', { studioId, imageId })
      await jobs.enqueue(tx, 'make-variants', { studioId: other.studioId, imageId: otherId })
    })
    await startVariantWorkers(jobs, deps, render)
    await expect.poll(() => states([otherId]), patience).toEqual(['ready'])
    await expect.poll(parked, patience).toEqual(['make-variants', 'make-variants'])
    expect(await states(ids)).toEqual(['processing', 'processing'])
    expect(await work('state=paused')).toMatchObject([
      {
        kind: 'variant',
        studioId,
        jobId: spring.jobId,
        waiting: 2,
        running: 0,
        failed: 0,
        servers: [],
        isPaused: true,
      },
    ])
    const paused = (await request('GET', `${url}/studios`)).data
    expect(paused).toMatchObject([{ studioId, reason: 'Too many files', by: 'Token User' }])
    expect((await request('GET', '')).data.isProcessingPaused).toBe(true)
    expect((await resume()).status).toBe(200)
    await expect.poll(() => states(ids), patience).toEqual(['ready', 'ready'])
    expect(await parked()).toEqual([])
    expect(await work()).toEqual([])
    expect((await request('GET', '')).data.isProcessingPaused).toBe(false)
    const audited = await deps.db.selectFrom('audit_log').select('action').orderBy('id').execute()
    expect(audited.map(({ action }) => action)).toEqual(['studio.processing-paused', 'studio.processing-resumed'])
  })

  it('uploads of a paused studio are accepted and processed after it is resumed', async () => {
    const { deps, jobs, pause, resume, parked, studioId, spring, request, app } = await setUp()
    await startUploadWorkers(jobs, deps)
    await pause()
    const bytes = await jpegAt(2)
    const file = { fingerprint: 'abcdefgh', fileName: 'IMG_2.jpg', byteSize: bytes.byteLength }
    const { data } = await request('POST', 'uploads', { files: [file], matchBy: null }, { jobId: spring.jobId })
    const [{ key }] = data
    const { headersFor } = await staffClient(deps, app, studioId, { user: { email: 'second@riverside.test' } })
    const sent = await app.inject({
      method: 'PATCH',
      url: `/api/studioadmin/studios/${studioId}/jobs/${spring.jobId}/upload-bytes/${key}`,
      headers: {
        ...(await headersFor()),
        ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      },
      payload: bytes,
    })
    expect(sent.statusCode).toBe(204)
    const state = async () => (await deps.db.selectFrom('uploads').select('state').executeTakeFirstOrThrow()).state
    await expect.poll(parked, patience).toEqual(['process-upload'])
    expect(await state()).toBe('received')
    await resume()
    await expect.poll(state, patience).toBe('processed')
  })

  it('previews that are being made stop after the step at hand, and continue there when the studio is resumed', async () => {
    const { deps, jobs, pause, resume, parked, work, addJpeg, studioId } = await setUp()
    const ids: number[] = []
    for (let n = 0; n < 7; n += 1) ids.push(await addJpeg(`${n}.jpg`))
    await deps.db.updateTable('image_lookups').set({ preview_mark: 'earlier' }).where('id', 'in', ids).execute()
    const rendered: number[] = []
    const firstStep = Promise.withResolvers<void>()
    const resumeFirstStep = Promise.withResolvers<void>()
    const slowRender: RenderVariants = async (...options) => {
      rendered.push(rendered.length)
      if (rendered.length === 3) firstStep.resolve()
      if (rendered.length <= 3) await resumeFirstStep.promise
      return await render(...options)
    }
    await startPreviewRunWorkers(jobs, deps, slowRender)
    await deps.db.transaction().execute((tx) => startPreviewRun(tx, deps, studioId))
    await firstStep.promise
    expect(await work('state=running')).toMatchObject([
      {
        kind: 'preview',
        studioId,
        jobId: null,
        waiting: 7,
        running: 1,
        done: 0,
        total: 7,
        servers: [expect.any(String)],
      },
    ])
    await pause()
    resumeFirstStep.resolve()
    await expect.poll(parked, patience).toEqual(['remake-previews'])
    expect(rendered).toHaveLength(3)
    await expect.poll(() => work(), patience).toMatchObject([{ running: 0, done: 3, total: 7, isPaused: true }])
    await resume()
    await expect.poll(() => work(), patience).toEqual([])
    expect(rendered).toHaveLength(7)
  })

  it('work that a pause interrupts after the studio was resumed is retried by its queue', async () => {
    const { deps, jobs, studioId, pause, resume, parked } = await setUp()
    const attempts: number[] = []
    const begun = Promise.withResolvers<void>()
    const resumed = Promise.withResolvers<void>()
    await workUnlessPaused(jobs, deps, { queue: 'make-packet', concurrency: 1 }, async ({ attempt }) => {
      attempts.push(attempt)
      if (attempt > 1) return
      begun.resolve()
      await resumed.promise
      throw new StudioPaused('paused in between')
    })
    await deps.db.transaction().execute((tx) => jobs.enqueue(tx, 'make-packet', { studioId, packetId: 1 }))
    await begun.promise
    await pause()
    await resume()
    resumed.resolve()
    await expect.poll(() => attempts, patience).toEqual([1, 2])
    expect(await parked()).toEqual([])
    await expect.poll(() => deps.db.selectFrom('running_background_jobs').selectAll().execute(), patience).toEqual([])
  })

  it('a server that starts deletes what it ran when it was killed', async () => {
    const { deps, jobs, studioId, work, spring } = await setUp()
    const imageId = await given(deps).image(spring, { state: 'processing' })
    const begun = Promise.withResolvers<void>()
    const killed = Promise.withResolvers<void>()
    await workUnlessPaused(jobs, deps, { queue: 'make-variants', concurrency: 2 }, async () => {
      begun.resolve()
      await killed.promise
    })
    await deps.db.transaction().execute((tx) => jobs.enqueue(tx, 'make-variants', { studioId, imageId }))
    await begun.promise
    expect(await work()).toMatchObject([{ kind: 'variant', waiting: 0, running: 1, jobId: spring.jobId }])
    await deleteRunningJobs(deps)
    expect(await work()).toMatchObject([{ kind: 'variant', waiting: 1, running: 0 }])
    killed.resolve()
  })

  it('an unknown studio cannot be paused or resumed, and a second pause changes nothing', async () => {
    const { pause, resume, request } = await setUp()
    expect([(await pause(999)).status, (await resume(999)).status, (await resume()).status]).toEqual([404, 404, 200])
    await pause()
    await pause()
    expect((await request('GET', `${url}/studios`)).data).toHaveLength(1)
  })
})
