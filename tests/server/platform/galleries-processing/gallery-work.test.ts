import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { makeImageExport } from '#server/image-exports/make-export.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { cropImage } from '#server/images/print/crop-image.ts'
import { printItem } from '#server/images/print/print-file.ts'
import { makeVariantsOf } from '#server/images/serving/make-variants.ts'
import { makePacket } from '#server/production/make-packet.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { queues } from '#server/queue/queues.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { exportSettings } from '#tests/server/image-exports/export-settings.ts'
import { cornersSvg } from '#tests/server/images/image-samples.ts'
import { readyToPay } from '#tests/server/payments/checkout-driver.ts'

const url = '/api/admin/galleries-processing'
const permissions = ['studio.crud', 'studio.admin.crud'] as const
const render = createRenderer()
const signal = new AbortController().signal

describe.each(enginesFor(import.meta.filename))('galleries processing on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  /** An administrator, and a job with an order whose image has a file. */
  const setUp = async () => {
    const time = manualClock()
    const { jobs, enqueue } = recordingQueue()
    const deps: Deps = { ...testDeps(database(), time), jobs: { enqueue } }
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { studioId, jobId, adaImageId: imageId } = checkout.fixtures
    const originalKey = `studios/${studioId}/images/${imageId}/original`
    const putOriginal = async () => deps.files.put(originalKey, await sharp(cornersSvg(2400, 3000)).jpeg().toBuffer())
    await putOriginal()
    await deps.db.updateTable('image_lookups').set({ original_key: originalKey }).where('id', '=', imageId).execute()
    const { staffRequest: request } = await staffClient(deps, app, studioId, { permissions, jobId })
    await grantSupportAccess(deps, studioId)
    const work = async (query = '') => (await request('GET', `${url}?${query}`)).data.resultItems
    const change = (action: 'retry' | 'cancel', kind: string, ofJobId: number | null = jobId) =>
      request('POST', `${url}/${action}`, { kind, studioId, jobId: ofJobId })
    const payloads = (queue: string) => jobs.filter(({ name }) => name === queue).map(({ payload }) => payload)
    return {
      ...{ deps, time, checkout, studioId, jobId, imageId, originalKey, request },
      putOriginal,
      work,
      change,
      payloads,
    }
  }

  const one = { status: 200, data: { count: 1 } }
  const nothing = { status: 422, errors: ['There is nothing of it any more'] }

  it('images of a job are counted with their progress, cancelled, and made again', async () => {
    const { deps, studioId, jobId, imageId, work, change, payloads } = await setUp()
    const setState = (state: 'processing' | 'ready') =>
      deps.db.updateTable('image_lookups').set({ state }).where('id', '=', imageId).execute()
    await setState('processing')
    await given(deps).image({ studioId, jobId })
    const row = { kind: 'variant', studioId, jobId, running: 0, servers: [], isPaused: false }
    expect(await work()).toMatchObject([{ ...row, waiting: 1, failed: 0, done: 1, total: 2 }])
    expect(await change('cancel', 'variant')).toMatchObject(one)
    await makeVariantsOf(deps, { studioId, imageId }, { render })
    expect(await work('state=failed')).toMatchObject([{ ...row, waiting: 0, failed: 1 }])
    expect(await change('cancel', 'variant')).toMatchObject(nothing)
    expect(await change('retry', 'variant')).toMatchObject(one)
    expect(payloads('make-variants')).toEqual([{ studioId, imageId }])
    await makeVariantsOf(deps, { studioId, imageId }, { render })
    expect(await work()).toEqual([])
    const audited = await deps.db.selectFrom('audit_log').select(['action', 'detail']).orderBy('id').execute()
    expect(audited.filter(({ action }) => action.startsWith('gallery-work'))).toEqual([
      { action: 'gallery-work.cancelled', detail: { kind: 'variant', count: 1 } },
      { action: 'gallery-work.retried', detail: { kind: 'variant', count: 1 } },
    ])
  })

  it('uploads are cancelled as a whole; rejected ones cannot be retried, those whose background work failed can', async () => {
    const { deps, studioId, jobId, work, change, payloads } = await setUp()
    const upload = {
      studio_id: studioId,
      job_id: jobId,
      purpose: 'image' as const,
      byte_size: 4,
      updated_at: deps.clock(),
    }
    const states = ['receiving', 'received', 'processed', 'refused'] as const
    const rows = states.map((state) => ({
      ...upload,
      state,
      upload_key: state.padEnd(32, 'a'),
      file_name: `${state}.jpg`,
    }))
    const ids = await deps.db.insertInto('uploads').values(rows).returning('id').execute()
    expect(await work('kind=upload')).toMatchObject([{ waiting: 2, running: 0, failed: 1, done: 1, total: 3 }])
    expect(await change('retry', 'upload')).toMatchObject({
      status: 422,
      errors: ['Rejected files cannot be processed as they are. The studio has to upload corrected ones'],
    })
    const payload = { studioId, uploadId: ids[1]?.id }
    await sql`insert into pgboss.job (name, data, source_name) values ('dead-letters', ${JSON.stringify(payload)}::jsonb, 'process-upload')`.execute(
      deps.db,
    )
    expect(await change('retry', 'upload')).toMatchObject(one)
    expect(payloads('process-upload')).toEqual([payload])
    expect(await change('cancel', 'upload')).toMatchObject({ status: 200, data: { count: 2 } })
    expect(await work('kind=upload')).toMatchObject([{ waiting: 0, failed: 1 }])
    const refusals = await deps.db.selectFrom('uploads').select('refusal').where('state', '=', 'abandoned').execute()
    const cancelled = { refusal: 'The platform cancelled this upload. Choose the file again' }
    expect(refusals).toEqual([cancelled, cancelled])
  })

  it('green screens that wait are cancelled, and those that failed are retried', async () => {
    const { deps, studioId, imageId, work, change, payloads, jobId } = await setUp()
    const backgroundJobs = await startBackgroundJobs({ database: database(), log: silentLog, queues })
    onTestFinished(() => backgroundJobs.stop())
    const payload = { studioId, imageId }
    const add = (name: string, source: string | null) =>
      sql`insert into pgboss.job (name, data, source_name) values (${name}, ${JSON.stringify(payload)}::jsonb, ${source})`.execute(
        deps.db,
      )
    await add('propose-cut-out', null)
    await add('dead-letters', 'propose-cut-out')
    expect(await work()).toMatchObject([{ kind: 'cut-out', jobId, waiting: 1, failed: 1, done: null, total: null }])
    expect(await change('cancel', 'cut-out')).toMatchObject(one)
    expect(await change('cancel', 'cut-out')).toMatchObject(nothing)
    expect(await change('retry', 'cut-out')).toMatchObject(one)
    expect(payloads('propose-cut-out')).toEqual([payload])
    expect(await work()).toEqual([])
  })

  it('a run over previews is cancelled and started again', async () => {
    const { deps, studioId, imageId, work, change } = await setUp()
    const run = {
      studio_id: studioId,
      images_total: 9,
      images_done: 4,
      started_at: deps.clock(),
      moved_at: deps.clock(),
    }
    await deps.db.insertInto('preview_runs').values(run).execute()
    const row = { kind: 'preview', jobId: null, done: 4, total: 9 }
    expect(await work()).toMatchObject([{ ...row, waiting: 5, failed: 0 }])
    expect((await change('retry', 'preview', null)).status).toBe(422)
    expect(await change('cancel', 'preview', null)).toMatchObject(one)
    expect(await change('cancel', 'preview', null)).toMatchObject(nothing)
    expect(await work()).toMatchObject([{ ...row, waiting: 0, failed: 5 }])
    await deps.db.updateTable('image_lookups').set({ preview_mark: 'earlier' }).where('id', '=', imageId).execute()
    expect(await change('retry', 'preview', null)).toMatchObject(one)
    expect(await work()).toMatchObject([{ kind: 'preview', waiting: 1, failed: 0, done: 0, total: 1 }])
  })

  it('a packet that is cancelled while it is made stops, and is made by a retry', async () => {
    const { deps, checkout, request, jobId, studioId, work, change, payloads } = await setUp()
    const { orderNumber } = (await checkout.driver.submit(checkout.submitBody())).data
    await request('POST', 'orders/submit', { orderNumbers: [orderNumber] })
    const make = async (renderPrint = printItem) => {
      const key = payloads('make-packet').at(-1)
      await makePacket({ deps, key: key as never, renderPrint, signal })
    }
    expect(await work()).toMatchObject([{ kind: 'packet', studioId, jobId, waiting: 1, failed: 0 }])
    await make(async (print) => {
      expect(await change('cancel', 'packet')).toMatchObject(one)
      return await printItem(print)
    })
    expect(await work()).toMatchObject([{ kind: 'packet', waiting: 0, failed: 1 }])
    await make()
    expect(await work('state=failed')).toHaveLength(1)
    expect(await change('retry', 'packet')).toMatchObject(one)
    await make()
    expect(await work()).toEqual([])
  })

  it('an export that is cancelled while it is made stops, and continues by a retry', async () => {
    const { deps, request, studioId, jobId, work, change, payloads, checkout } = await setUp()
    await given(deps).image({ studioId, jobId }, { subjectId: checkout.fixtures.adaId })
    await deps.db.updateTable('image_lookups').set({ width: 2400, height: 3000 }).where('job_id', '=', jobId).execute()
    expect((await request('POST', 'image-exports', exportSettings)).status).toBe(200)
    const make = (crop = cropImage) =>
      makeImageExport({ deps, key: payloads('make-image-export').at(-1) as never, cropImage: crop, signal })
    expect(await work()).toMatchObject([{ kind: 'export', waiting: 1, failed: 0, done: 0 }])
    await make(async (crop) => {
      await change('cancel', 'export')
      return await cropImage(crop)
    })
    expect(await work()).toMatchObject([{ kind: 'export', waiting: 0, failed: 1 }])
    expect(await change('retry', 'export')).toMatchObject(one)
    await make()
    expect(await work()).toEqual([])
  })

  it('work of an unknown or another studio’s job is not found, and nothing of it is changed', async () => {
    const { deps, request, change, work, studioId, imageId } = await setUp()
    await deps.db.updateTable('image_lookups').set({ state: 'processing' }).where('id', '=', imageId).execute()
    const other = await given(deps).job(await given(deps).studio({ slug: 'lakeside' }))
    for (const jobId of [999, other.jobId]) expect((await change('cancel', 'variant', jobId)).status).toBe(404)
    const body = { kind: 'preview', studioId: 999, jobId: null }
    expect((await request('POST', `${url}/retry`, body)).status).toBe(404)
    expect((await request('POST', `${url}/cancel`, { ...body, kind: 'nothing' })).status).toBe(400)
    expect(await work(`studioId=${studioId}&state=waiting`)).toHaveLength(1)
    expect(await work(`studioId=${other.studioId}`)).toEqual([])
  })
})
