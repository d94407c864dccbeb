import { addDays } from 'date-fns/addDays'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Database, type Db, inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { removeFiles } from '#server/jobs/delete-job.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { defineQueue } from '#server/queue/queue.ts'
import { deleteStudio, enqueueStudioDeletions } from '#server/studio-data/delete-studio.ts'
import { readStudioTables } from '#server/studio-data/studio-tables.ts'
import { allRows, type Row } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { signToken } from '#support/server/sign-token.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { createOtherTenantFixtures } from '#tests/server/access/authorization/other-tenant-fixtures.ts'

const never = new AbortController().signal
const dayMs = 24 * 60 * 60 * 1000

/** Rows of the tables without foreign keys, which nothing but the deletion itself removes. */
const addLogs = async ({ db }: Deps, studioId: number): Promise<void> => {
  const mail = { kind: 'receipt', to_email: 'ada@home.test', subject: 'Receipt', body_text: 'Ada' }
  await db
    .insertInto('mail_log')
    .values({ studio_id: studioId, ...mail })
    .execute()
  await db.insertInto('tax_log').values({ studio_id: studioId, request: '{}' }).execute()
  await db.insertInto('order_errors').values({ studio_id: studioId, stage: 'payment', message: 'Unknown' }).execute()
  const step = { file_name: 'a.jpg', step: 'variants', state: 'failed' }
  await sql`insert into processing_log (studio_id, file_name, step, state)
            values (${studioId}, ${step.file_name}, ${step.step}, ${step.state})`.execute(db)
  await sql`insert into payment_events (provider, event_id, studio_id, kind, body)
            values ('test', ${`event ${studioId}`}, ${studioId}, 'paid', '{}')`.execute(db)
}

/** The rows of a studio by table. */
const rowsOf = (rowsByTable: ReadonlyMap<string, readonly Row[]>, studioId: number) =>
  new Map(
    [...rowsByTable].map(([table, rows]) => [
      table,
      rows.filter((row) => (table === 'studios' ? row.id === studioId : row.studio_id === studioId)),
    ]),
  )

const tablesWithRows = (rowsByTable: ReadonlyMap<string, readonly Row[]>): string[] =>
  [...rowsByTable].filter(([, rows]) => rows.length > 0).map(([table]) => table)

/** Enqueues a job that no worker takes. */
const enqueueJob = async (database: Database, studioId: number): Promise<void> => {
  const queues = { 'make-variants': defineQueue<{ studioId: number }>() }
  const jobs = await startBackgroundJobs({ database, log: silentLog, queues })
  await inTransaction(database.db, (tx) => jobs.enqueue(tx, 'make-variants', { studioId }))
  await jobs.stop()
}

const listKeys = async ({ files }: Deps): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of files.list('')) keys.push(key)
  return keys.toSorted()
}

type ForeignKey = { from: string; to: string; isBlocking: boolean; isOfStudio: boolean }

const foreignKeys = async (db: Db): Promise<ForeignKey[]> => {
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to", confdeltype = 'a' as "isBlocking",
           exists (select from pg_attribute a where a.attrelid = conrelid and a.attname = 'studio_id') as "isOfStudio"
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`.execute(
    db,
  )
  return rows
}

describe.each(enginesFor(import.meta.filename))('the deletion of a studio on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const { clock, advance, wait } = manualClock()
    const queue = recordingQueue()
    const deps = { ...testDeps(database(), { clock, wait }), jobs: { enqueue: queue.enqueue } }
    const app = await testApp(deps)
    const tenant = await createOtherTenantFixtures(deps, app)
    const { studioId } = tenant
    await addLogs(deps, studioId)
    const administrator = await given(deps).user(null, { email: 'admin@platform.test', role: 'administrator' })
    const request = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) => {
      const user = { ...administrator, permissions: ['studio.admin.crud'] as const, studioId: null }
      const { token } = await signToken(deps, user)
      const url = `/api/admin/studios/${studioId}${path}`
      const headers = { authorization: `Bearer ${token}` }
      const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
      return { status: response.statusCode, ...response.json() }
    }
    const schedule = () => request('POST', '/deletion', { reason: 'The studio has closed' })
    const queued = (name: string) => queue.jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    const isOpenToCustomers = async () => {
      const answer = await app.inject(`/api/customer/studios/${tenant.slug}`)
      return answer.statusCode === 200
    }
    return { deps, app, tenant, studioId, request, schedule, queued, isOpenToCustomers, advance }
  }

  it('until it is deleted, customers cannot open a studio, and its staff can; a cancelled deletion opens it as before', async () => {
    const { deps, app, studioId, request, schedule, queued, isOpenToCustomers } = await setUp()
    const { staffRequest } = await staffClient(deps, app, studioId, { user: { email: 'sam@studio.test' } })
    expect((await request('POST', '/deletion', { reason: ' ' })).fields).toEqual({ reason: ['This field is required'] })
    const deletesAt = addDays(deps.clock(), 30).toISOString()
    expect((await schedule()).data).toMatchObject({ deletesAt, rspoEnabled: false })
    expect((await schedule()).data).toMatchObject({ deletesAt })
    expect(await isOpenToCustomers()).toBe(false)
    expect(await staffRequest('GET', '')).toMatchObject({ status: 200, data: { deletesAt } })
    expect(await request('POST', '/enabled', { isEnabled: true, reason: '' })).toMatchObject({
      status: 422,
      errors: ['This studio will be deleted. Cancel the deletion first'],
    })
    expect((await request('DELETE', '/deletion')).data).toMatchObject({ deletesAt: null, rspoEnabled: true })
    expect(await isOpenToCustomers()).toBe(true)
    const news = queued('send-studio-email').map(({ news }) => news)
    expect(news).toEqual(['deletion-scheduled', 'deletion-cancelled'])
  })

  it('a studio that was disabled stays closed to its staff until it is deleted, and after the deletion is cancelled', async () => {
    const { deps, app, studioId, request, schedule } = await setUp()
    const { staffRequest } = await staffClient(deps, app, studioId, { user: { email: 'sam@studio.test' } })
    await request('POST', '/enabled', { isEnabled: false, reason: 'Unpaid' })
    await schedule()
    expect((await staffRequest('GET', '')).status).toBe(404)
    expect((await request('DELETE', '/deletion')).data).toMatchObject({ rspoEnabled: false })
  })

  it('after 30 days the deletion begins once, with an email, and cannot be cancelled', async () => {
    const { deps, studioId, request, schedule, queued, advance } = await setUp()
    await schedule()
    advance(30 * dayMs - 1)
    await enqueueStudioDeletions(deps)
    await deleteStudio(deps, { studioId, signal: never })
    expect(queued('delete-studio')).toEqual([])
    expect((await request('GET', '')).status).toBe(200)
    advance(1)
    await enqueueStudioDeletions(deps)
    await enqueueStudioDeletions(deps)
    expect(queued('delete-studio')).toEqual([{ studioId }])
    expect(queued('send-studio-email').filter(({ news }) => news === 'deleting')).toHaveLength(1)
    expect((await request('DELETE', '/deletion')).errors).toEqual(['The deletion of this studio has begun'])
  })

  it('nothing of a deleted studio remains but its audit trail: no row of any table, no job, no file; other studios keep everything', async () => {
    const { deps, tenant, studioId, schedule, queued, advance } = await setUp()
    const other = await given(deps).studio({ slug: 'lakeside' })
    const job = await given(deps).job(other, { code: 'LAKE' })
    const subjectId = await given(deps).subject(job, { name: 'Bea Lake' })
    await given(deps).image(job, { subjectId })
    await addLogs(deps, other)
    await deps.files.put(`studios/${other}/images/1/original`, Buffer.from('kept'))
    await deps.files.put(`studios/${studioId}/images/1/original`, Buffer.from('deleted'))
    await deps.files.put(`uploads/${studioId}/a/1`, Buffer.from('deleted'))
    await enqueueJob(database(), studioId)
    await schedule()
    advance(30 * dayMs)
    const before = await allRows(deps.db)
    expect(tablesWithRows(rowsOf(before, studioId)).length).toBeGreaterThan(50)

    // A deletion that is interrupted continues.
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(deleteStudio(deps, { studioId, signal: stopped })).rejects.toThrow('stopped')
    await deleteStudio(deps, { studioId, signal: never })
    await deleteStudio(deps, { studioId, signal: never })
    for (const payload of queued('remove-files')) await removeFiles(deps, payload)

    const after = await allRows(deps.db)
    expect(tablesWithRows(rowsOf(after, studioId))).toEqual(['audit_log'])
    expect(rowsOf(after, other)).toEqual(rowsOf(before, other))
    expect((await listKeys(deps)).filter((key) => !key.startsWith('payments'))).toEqual([
      `studios/${other}/images/1/original`,
    ])
    const { rows: jobs } = await sql`select from pgboss.job where data ->> 'studioId' = ${String(studioId)}`.execute(
      deps.db,
    )
    expect(jobs).toEqual([])
    // What refers to the studio by a text instead of a column.
    const texts = JSON.stringify([...after].filter(([table]) => table !== 'audit_log'))
    for (const trace of [
      tenant.orderNumber,
      tenant.email,
      tenant.orderEmail,
      `/studios/${studioId}/`,
      `/jobs/${tenant.jobId}/`,
    ])
      expect(texts).not.toContain(trace)
    const entries = deps.db.selectFrom('audit_log').select('action').where('studio_id', '=', studioId)
    expect((await entries.orderBy('id', 'desc').executeTakeFirstOrThrow()).action).toBe('studio.deleted')
  })

  it('the tables are in an order in which they can be emptied, and no other table holds on to their rows', async () => {
    const { db } = database()
    const tables = await readStudioTables(db)
    const names = tables.map(({ name }) => name)
    const keys = await foreignKeys(db)
    const blocked = keys.filter(
      ({ from, to, isBlocking, isOfStudio }) =>
        isBlocking && names.includes(to) && !(isOfStudio && names.indexOf(from) < names.indexOf(to)),
    )
    expect(blocked).toEqual([])
    const unlinked = keys.filter(({ from, to, isOfStudio }) => isOfStudio && to === 'studios' && !names.includes(from))
    expect(unlinked).toEqual([])
    expect(tables.filter(({ key }) => key.length === 0)).toEqual([])
  })
})
