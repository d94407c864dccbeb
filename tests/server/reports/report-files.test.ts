import { Readable } from 'node:stream'
import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { ReportFile } from '#contract/system/report-files.ts'
import { removeFiles } from '#server/jobs/delete-job.ts'
import { makeReportFile, purgeReportFiles } from '#server/reports/make-report-file.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { sellOrder } from './sell-order.ts'

const ownerPermissions = ['studio.crud', 'studio.users.crud', 'studio.financials.read'] as const
const day = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('files of reports on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock('2027-05-01T16:00:00Z')
    const queue = recordingQueue()
    const errors: unknown[] = []
    const log = { info: () => {}, warn: () => {}, error: (entry: object) => void errors.push(entry) }
    const deps = { ...testDeps(database(), { clock: time.clock, jobs: queue }), log }
    const app = await testApp(deps)
    const studioId = await given(deps).studio({ name: 'Riverside' })
    await given(deps).feature(studioId, 'reports')
    const job = await given(deps).job(studioId, { name: '=Spring' })
    const at = '2027-04-15T12:00:00Z'
    const lines = [{ name: 'Retouch', cents: 1250 }]
    await sellOrder(deps, { job, placedAt: at, lines, movements: [{ kind: 'charge', cents: 1250, at }] })
    const owner = await staffClient(deps, app, studioId, { permissions: ownerPermissions })
    const start = async (report: string, body: object = {}): Promise<number> => {
      const { data, errors: messages } = await owner.staffRequest('POST', `reports/${report}/files`, body)
      if (!data) throw new Error(`not started: ${messages}`)
      return data.id
    }
    const make = (reportFileId: number, { signal } = new AbortController()) =>
      makeReportFile({ deps, reportFileId, signal })
    /** Runs the removals of files that were enqueued. */
    const runRemovals = async () => {
      for (const { name, payload } of queue.jobs.splice(0))
        if (name === 'remove-files') await removeFiles(deps, payload)
    }
    const list = async (): Promise<ReportFile[]> => (await owner.staffRequest('GET', 'report-files')).data
    const link = (id: number) => owner.staffRequest('POST', `report-files/${id}/link`, {})
    const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
    const storedKeys = async () => {
      const keys: string[] = []
      for await (const { key } of deps.files.list('reports/')) keys.push(key)
      return keys
    }
    return {
      ...{ deps, app, time, queue, errors, studioId, job, owner },
      ...{ start, make, runRemovals, list, link, get, storedKeys },
    }
  }

  it('a file is made in the background, listed with its progress, and downloaded in parts', async () => {
    const { owner, queue, start, make, list, link, get } = await setUp()
    const id = await start('payments', { startDate: '04/01/2027', columns: ['job', 'amount'] })
    expect(queue.jobs).toEqual([{ name: 'make-report-file', payload: { reportFileId: id } }])
    const waiting = { id, fileName: 'Riverside – Payments – from 2027-04-01.csv', format: 'csv', state: 'waiting' }
    expect(await list()).toMatchObject([{ ...waiting, rowsTotal: 0, rowsDone: 0, expiresAt: null }])
    expect(await link(id)).toMatchObject({ status: 422, errors: ['This file is not ready'] })
    await make(id)
    const ready = { ...waiting, state: 'ready', rowsTotal: 1, rowsDone: 1, expiresAt: '2027-05-08T16:00:00.000Z' }
    expect(await list()).toMatchObject([ready])
    const { data } = await link(id)
    const whole = await get(data.url)
    expect(whole.rawPayload).toHaveLength(data.bytes)
    expect(whole.headers['content-disposition']).toContain('Riverside')
    // A name that a spreadsheet would take for a formula is a text.
    expect(papaparse.parse(whole.body.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data).toEqual([
      ['Job', 'Amount'],
      ["'=Spring", '12.50'],
      ['Total', '12.50'],
    ])
    const rest = await get(data.url, { range: 'bytes=10-', 'if-range': String(whole.headers.etag) })
    expect([rest.statusCode, rest.rawPayload]).toEqual([206, whole.rawPayload.subarray(10)])
    const direct = await owner.staffRequest('GET', 'report-files?currentPage=1&pageSize=5')
    expect(direct.data).toMatchObject({ totalRecords: 1 })
  })

  it('who starts, opens and deletes a file is recorded', async () => {
    const { deps, owner, start, make, link } = await setUp()
    const id = await start('payments', { filterType: 'customer', filter: 'grace' })
    await make(id)
    await link(id)
    await owner.staffRequest('DELETE', `report-files/${id}`)
    const audited = deps.db.selectFrom('audit_log').select(['action', 'entity_id', 'user_id']).orderBy('id')
    const entries = await audited.execute()
    expect(entries.filter(({ action }) => action.startsWith('report'))).toEqual([
      { action: 'report.exported', entity_id: 'payments', user_id: owner.id },
      { action: 'report-file.opened', entity_id: String(id), user_id: owner.id },
      { action: 'report-file.removed', entity_id: String(id), user_id: owner.id },
    ])
  })

  it.each(['the role', 'the studio', 'the file'] as const)('a link stops working without %s', async (lost) => {
    const { deps, owner, start, make, link, get, runRemovals, storedKeys } = await setUp()
    const id = await start('payments')
    await make(id)
    const { url } = (await link(id)).data
    expect((await get(url)).statusCode).toBe(200)
    if (lost === 'the role') await deps.db.updateTable('users').set({ role: 'staff' }).execute()
    if (lost === 'the studio') await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
    if (lost === 'the file') await owner.staffRequest('DELETE', `report-files/${id}`)
    expect((await get(url)).statusCode).toBe(404)
    await runRemovals()
    expect(await storedKeys()).toHaveLength(lost === 'the file' ? 0 : 1)
  })

  it('a link needs the signature of its own file', async () => {
    const { start, make, link, get } = await setUp()
    const [one, other] = [await start('payments'), await start('refunds')]
    for (const id of [one, other]) await make(id)
    const { url } = (await link(one)).data
    expect((await get(url.replace(`/${one}?`, `/${other}?`))).statusCode).toBe(404)
    expect((await get(`/api/report-files/${one}`)).statusCode).toBe(404)
  })

  it('the files of the platform are for administrators, and their own', async () => {
    const { deps, app, studioId, make, list } = await setUp()
    const user = { name: 'Adele', email: 'adele@fieldproof.test' }
    const { headersFor } = await staffClient(deps, app, studioId, { permissions: ['studio.admin.crud'], user })
    await deps.db
      .updateTable('users')
      .set({ role: 'administrator', studio_id: null })
      .where('email', '=', user.email)
      .execute()
    const headers = await headersFor({ callerStudioId: null })
    const call = async (method: 'GET' | 'POST', url: string, payload?: object) =>
      (await app.inject({ method, url: `/api/admin/${url}`, headers, ...(payload && { payload }) })).json()
    const { data } = await call('POST', 'reports/revenue/files', { studioId })
    await make(data.id)
    expect((await call('GET', 'report-files')).data).toMatchObject([{ id: data.id, state: 'ready' }])
    expect(await list()).toEqual([])
    const link = await call('POST', `report-files/${data.id}/link`, {})
    expect((await app.inject({ url: link.data.url })).body).toContain('Riverside,1,12.50')
    await deps.db
      .updateTable('users')
      .set({ role: 'owner', studio_id: studioId })
      .where('email', '=', user.email)
      .execute()
    expect((await app.inject({ url: link.data.url })).statusCode).toBe(404)
  })

  it('a report that cannot be made says why and leaves no file', async () => {
    const { deps, errors, job, start, make, list, storedKeys } = await setUp()
    const id = await start('subjects', { jobId: job.jobId })
    await deps.db
      .updateTable('report_files')
      .set({ request: JSON.stringify({ jobId: 999_999 }) })
      .execute()
    await make(id)
    expect(await list()).toMatchObject([{ state: 'failed', error: 'The job or studio of this report was deleted' }])
    const broken = await start('payments')
    const put = (_key: string, body: Readable | Uint8Array): Promise<{ size: number }> => {
      if (body instanceof Readable) body.destroy()
      return Promise.reject(new Error('the disk is full'))
    }
    await makeReportFile({
      deps: { ...deps, files: { ...deps.files, put } },
      reportFileId: broken,
      signal: new AbortController().signal,
    })
    expect((await list())[0]).toMatchObject({
      state: 'failed',
      error: 'The file could not be made. Please start it again',
    })
    expect(errors).toHaveLength(1)
    expect(await storedKeys()).toEqual([])
  })

  it('an interrupted file is made again, and a deleted one is not', async () => {
    const { deps, owner, start, make, list, storedKeys } = await setUp()
    const id = await start('payments')
    const stopped = new AbortController()
    stopped.abort()
    await expect(make(id, stopped)).rejects.toThrow()
    expect(await list()).toMatchObject([{ state: 'making' }])
    await make(id)
    expect(await list()).toMatchObject([{ state: 'ready' }])
    await make(id)
    const [key] = await storedKeys()
    expect(await storedKeys()).toEqual([key])
    const other = await start('payments')
    const deleting = {
      ...deps.files,
      put: async (fileKey: string, body: Readable | Uint8Array) => {
        const stored = await deps.files.put(fileKey, body)
        await owner.staffRequest('DELETE', `report-files/${other}`)
        return stored
      },
    }
    await makeReportFile({
      deps: { ...deps, files: deleting },
      reportFileId: other,
      signal: new AbortController().signal,
    })
    expect(await storedKeys()).toEqual([key])
    expect(await list()).toHaveLength(1)
  })

  it('after seven days a file is gone, at once for its readers and at night from the storage', async () => {
    const { deps, time, start, make, list, link, runRemovals, storedKeys } = await setUp()
    const id = await start('payments', { format: 'xlsx' })
    await make(id)
    time.advance(7 * day - 1)
    await purgeReportFiles(deps)
    expect(await list()).toHaveLength(1)
    time.advance(1)
    expect(await list()).toEqual([])
    expect((await link(id)).status).toBe(404)
    await purgeReportFiles(deps)
    await runRemovals()
    expect(await storedKeys()).toEqual([])
    expect(await deps.db.selectFrom('report_files').select('id').execute()).toEqual([])
  })

  it('a studio has ten files in progress at most, and an unknown column is refused at once', async () => {
    const { owner, start } = await setUp()
    expect(await owner.staffRequest('POST', 'reports/payments/files', { columns: ['x'] })).toMatchObject({
      status: 422,
      errors: ['The report has no such column'],
    })
    for (let count = 0; count < 10; count += 1) await start('payments')
    expect(await owner.staffRequest('POST', 'reports/payments/files', {})).toMatchObject({ status: 422 })
  })
})
