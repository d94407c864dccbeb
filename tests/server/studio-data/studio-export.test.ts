import { sql } from 'kysely'
import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'
import { removeFiles } from '#server/jobs/delete-job.ts'
import { expireStudioExports, isExported, makeStudioExport } from '#server/studio-data/make-studio-export.ts'
import { readStudioTables } from '#server/studio-data/studio-tables.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { unzip } from '#support/files/unzip.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import {
  createOtherTenantFixtures,
  ownerPermissions,
} from '#tests/server/access/authorization/other-tenant-fixtures.ts'

const signal = new AbortController().signal
const dayMs = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('the export of a studio on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const { clock, advance, wait } = manualClock()
    const queue = recordingQueue()
    const deps = { ...testDeps(database(), { clock, wait }), jobs: { enqueue: queue.enqueue } }
    const app = await testApp(deps)
    const { studioId, adaImageId, jobId, orderNumber } = await createOtherTenantFixtures(deps, app)
    const user = { email: 'olive@studio.test', name: 'Olive' }
    const owner = await staffClient(deps, app, studioId, { permissions: ownerPermissions, user })
    const queued = (name: string) => queue.jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    const start = () => owner.staffRequest('POST', 'data-export')
    const makeExports = async () => {
      for (const payload of queued('make-studio-export'))
        await makeStudioExport(deps, { ...(payload as object), signal } as never)
    }
    const current = async () => (await owner.staffRequest('GET', 'data-export')).data.export
    const download = async (): Promise<Buffer> => {
      const { data } = await owner.staffRequest('GET', 'data-export/file')
      return (await app.inject(data.zipUrl)).rawPayload
    }
    return {
      deps,
      app,
      studioId,
      jobId,
      adaImageId,
      orderNumber,
      owner,
      queued,
      start,
      makeExports,
      current,
      download,
      advance,
    }
  }

  it('it has every row of every table, without secrets, and the images as they were uploaded', async () => {
    const { deps, studioId, jobId, adaImageId, orderNumber, start, makeExports, current, download, queued } =
      await setUp()
    const other = await given(deps).studio({ slug: 'lakeside' })
    await given(deps).subject(await given(deps).job(other), { name: 'Bea Lake' })
    const original = Buffer.from('the original')
    await deps.files.put(`studios/${studioId}/images/x/original`, original)
    const image = { original_key: `studios/${studioId}/images/x/original`, file_name: 'Ada/1.jpg' }
    await deps.db.updateTable('image_lookups').set(image).where('id', '=', adaImageId).execute()
    expect((await start()).data.export).toMatchObject({ state: 'making', startedBy: 'Olive' })
    await makeExports()
    expect(await current()).toMatchObject({ state: 'ready' })
    expect(queued('send-studio-email')).toMatchObject([{ studioId, news: 'export-ready' }])

    const files = await unzip(await download())
    const tables = (await readStudioTables(deps.db)).filter(isExported)
    for (const { name } of tables) {
      const rows = papaparse.parse(`${files.get(`data/${name}.csv`)}`.trim(), {
        header: true,
        skipEmptyLines: true,
      }).data
      const stored = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(name)} where studio_id = ${studioId}`.execute(deps.db)
      expect([name, rows.length]).toEqual([name, stored.rows[0]?.count])
    }
    expect(`${files.get('data/orders.csv')}`).toContain(orderNumber)
    expect(files.get(`images/${jobId}/${adaImageId} Ada_1.jpg`)).toEqual(original)
    const headings = [...files].flatMap(([name, content]) =>
      name.endsWith('.csv') ? [`${content}`.split('\r\n', 1)[0]] : [],
    )
    expect(headings.filter((heading) => /hash|token|original_key/.test(heading ?? ''))).toEqual([])
    expect(`${files.get('README.txt')}`).toContain('riverside: everything it stores')
    expect([...files.values()].some((content) => content.includes('Bea'))).toBe(false)
  })

  it('a table of more rows than one read is exported in the order of its key', async () => {
    const { deps, studioId, jobId, start, makeExports, download } = await setUp()
    await sql`insert into subjects (studio_id, job_id, first_name, last_name, first_key, last_key)
              select ${studioId}, ${jobId}, 'Child', n, 'child', n::text from generate_series(1, 450) n`.execute(
      deps.db,
    )
    await start()
    await makeExports()
    const file = `${(await unzip(await download())).get('data/subjects.csv')}`.trim()
    const { data } = papaparse.parse<{ id: string }>(file.slice(1), { header: true })
    const stored = await deps.db
      .selectFrom('subjects')
      .select('id')
      .where('studio_id', '=', studioId)
      .orderBy('id')
      .execute()
    expect(data.map(({ id }) => Number(id))).toEqual(stored.map(({ id }) => id))
  })

  it('only owners download it: not staff, not administrators, not the owners of another studio', async () => {
    const { deps, app, studioId, owner, start, makeExports } = await setUp()
    await start()
    await makeExports()
    const { data } = await owner.staffRequest('GET', 'data-export/file')
    const staff = await staffClient(deps, app, studioId, { user: { email: 'sam@studio.test' } })
    expect((await staff.staffRequest('GET', 'data-export/file')).status).toBe(403)
    const administrator = await staffClient(deps, app, studioId, { permissions: ['studio.crud', 'studio.admin.crud'] })
    await grantSupportAccess(deps, studioId)
    for (const path of ['data-export', 'data-export/file'])
      expect(await administrator.staffRequest('GET', path)).toMatchObject({
        ...{ status: 403, errors: ['Only the owners of the studio can do this'] },
      })
    const other = await given(deps).studio({ slug: 'lakeside' })
    const stranger = await staffClient(deps, app, other, { permissions: ownerPermissions })
    const path = `/api/studioadmin/studios/${studioId}/data-export/file`
    expect((await stranger.staffRequest('GET', path)).status).toBe(404)
    // An owner who was made staff cannot use the link any more.
    await deps.db.updateTable('users').set({ role: 'staff' }).where('id', '=', owner.id).execute()
    expect((await app.inject(data.zipUrl)).statusCode).toBe(404)
  })

  it('a started export is not started twice, a new one replaces it, and it is removed with its files after a week', async () => {
    const { deps, studioId, start, makeExports, queued, advance } = await setUp()
    await start()
    await start()
    expect(queued('make-studio-export')).toHaveLength(1)
    await makeExports()
    await start()
    expect(queued('make-studio-export')).toHaveLength(2)
    expect(queued('remove-files')).toHaveLength(1)
    await makeExports()
    advance(7 * dayMs)
    await expireStudioExports(deps)
    for (const payload of queued('remove-files')) await removeFiles(deps, payload)
    const { rows } = await sql`select from studio_exports where studio_id = ${studioId}`.execute(deps.db)
    expect(rows).toEqual([])
    const left: string[] = []
    for await (const { key } of deps.files.list(`studios/${studioId}/data-export/`)) left.push(key)
    expect(left).toEqual([])
  })

  it('an export that took hours to make is available until the announced time', async () => {
    const { deps, owner, start, makeExports, advance } = await setUp()
    await start()
    advance(dayMs / 4)
    await makeExports()
    advance(7 * dayMs - 1)
    await expireStudioExports(deps)
    expect((await owner.staffRequest('GET', 'data-export/file')).status).toBe(200)
    advance(1)
    await expireStudioExports(deps)
    expect((await owner.staffRequest('GET', 'data-export')).data.export).toBeNull()
  })
})
