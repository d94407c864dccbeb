import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { ImportRow } from '#contract/studio/imports.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'
import { purgeImports } from '#server/imports/import-worker.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { manualClock } from '#support/server/test-app.ts'
import { addImage, jpegAt } from '../discovery/job-fixtures.ts'
import { createImportFixtures } from './import-fixtures.ts'

const csv = (...rows: string[]): string => `${rows.join('\n')}\n`
const heading = 'Student ID,First name,Last name,Group,Grade'
const threeSubjects = csv(heading, '1,Ada,Lovelace,Room 1,3', '2,Grace,Hopper,Room 1,3', '3,Mary,Somerville,Room 2,4')

const rowSummaries = (rows: readonly ImportRow[]): string[] =>
  rows.map(({ rowNumber, state, message, changes }) =>
    [
      `${rowNumber} ${state}`,
      ...(message ? [message] : []),
      ...changes.filter(({ from }) => from !== '').map(({ what, from, to }) => `${what}: ${from} → ${to}`),
    ].join('; '),
  )

/** Puts one subject in a cart and adds an order for another subject. */
const putInCartAndOrder = async ({ db }: Deps, job: JobKey, { cart, order }: { cart: number; order: number }) => {
  const { studioId, jobId } = job
  await sql`
    with session as (insert into customer_sessions (expires_at) values ('2099-01-01') returning id),
    made as (
      insert into carts (studio_id, job_id, session_id, order_method)
      select ${studioId}::bigint, ${jobId}::bigint, id, 'gallery' from session returning id),
    set as (insert into package_sets (studio_id, name) values (${studioId}, 'Spring') returning id),
    package as (insert into packages (studio_id, package_set_id) select ${studioId}::bigint, id from set returning id),
    version as (
      insert into package_versions (studio_id, package_id, version, name, retail_cost_cents, addon_type, content)
      select ${studioId}::bigint, id, 1, 'Basic', 2000, 'standard', '{}'::jsonb from package returning package_id),
    ordered as (
      insert into orders (studio_id, order_number, job_id, order_method, first_name, last_name, email, email_key, pay_method,
        packages_cents, total_cents, totals, placed_at, moved_at)
      values (${studioId}, 'FP-00000001', ${jobId}, 'gallery', 'A', 'B', 'a@b.test', 'a@b.test', 'card', 0, 0, '{}', now(), now())
      returning id),
    line as (
      insert into order_lines (studio_id, order_id, position, kind, package_id, package_version, name, quantity, unit_cents,
        amount_cents, snapshot, content, subject_id)
      select ${studioId}::bigint, ordered.id, 0, 'package', package_id, 1, 'Basic', 1, 0, 0, '{}'::jsonb, '[]'::jsonb, ${order}::bigint
        from ordered, version returning id)
    insert into cart_packages (studio_id, cart_id, line_id, package_id, package_version, subject_id, quantity)
    select ${studioId}::bigint, made.id, gen_random_uuid(), package_id, 1, ${cart}::bigint, 1 from made, version, line`.execute(
    db,
  )
}

const longAgo = new Date('2027-01-01T00:00:00Z')
const day = 24 * 60 * 60 * 1000

describe.each(enginesFor(import.meta.filename))('imports on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = (...overrides: [object?]) => createImportFixtures(database(), ...overrides)

  it('an import writes no subject before it runs and all of them once it has run', async () => {
    const { deps, job, preview, run, rows, listSubjects, get, queuedJobs } = await setUp()
    const previewed = await preview(threeSubjects)
    expect(previewed).toMatchObject({ state: 'previewed', rowsTotal: 3, counts: { create: 3, refused: 0 } })
    expect([await listSubjects(), queuedJobs]).toEqual([[], []])
    const finished = await run(previewed)
    expect(finished).toMatchObject({ state: 'done', rowsTotal: 3, rowsDone: 3, counts: { created: 3, create: 0 } })
    expect(finished.finishedAt).not.toBeNull()
    expect(await listSubjects()).toEqual([
      'Ada Lovelace; id 1; in Room 1; Grade=3',
      'Grace Hopper; id 2; in Room 1; Grade=3',
      'Mary Somerville; id 3; in Room 2; Grade=4',
    ])
    const storedKeys = await deps.db
      .selectFrom('subjects')
      .select(['first_key', 'last_key', 'state'])
      .orderBy('id')
      .execute()
    expect(storedKeys[0]).toEqual({ first_key: 'ada', last_key: 'lovelace', state: 'listed' })
    const jobRow = deps.db.selectFrom('jobs').select('imported_data').where('id', '=', job.jobId)
    expect(await jobRow.executeTakeFirst()).toEqual({ imported_data: true })
    expect(await rows(finished.id)).toMatchObject([
      { rowNumber: 2, state: 'created', name: 'Ada Lovelace', groups: ['Room 1'] },
      {},
      {},
    ])
    expect(await get(finished.id)).toEqual(finished)
    // The same list sent again has nothing to create.
    expect((await preview(threeSubjects)).counts).toMatchObject({ unchanged: 3, create: 0 })
  })

  it('the preview shows what changes per row, matched by id, by code, and by name and group', async () => {
    const { deps, job, preview, run, rows, listSubjects } = await setUp()
    await run(await preview(threeSubjects))
    await given(deps).subject(job, { name: 'Emmy Noether', code: 'EMMYNN' })
    await given(deps).subject(job, { name: 'Rosa Parks', hidden_at: longAgo })
    const second = csv(
      `${heading},Access code`,
      '1,Ada,King,Room 2,3,',
      ',Grace,Hopper,room 1,4,',
      ',Amalie,Noether,Room 3,5,emmy-nn',
      ',Rosa,Parks,Room 3,,',
      '3,Mary,Somerville,Room 2,4,SPRING',
      '9,Mary,Somerville,Room 2,4,',
    )
    const previewed = await preview(second)
    expect(rowSummaries(await rows(previewed.id))).toEqual([
      '2 update; Last name: Lovelace → King; Group: Room 1 → Room 2',
      '3 update; Grade: 3 → 4',
      '4 update; First name: Emmy → Amalie',
      // A hidden subject is matched too, and stays hidden.
      '5 update',
      '6 refused; The code SPRING is taken',
      // Another id is another subject, even with the same name.
      '7 create',
    ])
    await run(previewed)
    expect(await listSubjects()).toEqual([
      'Ada King; id 1; in Room 2; Grade=3',
      'Amalie Noether; code EMMYNN; in Room 3; Grade=5',
      'Grace Hopper; id 2; in Room 1; Grade=4',
      'Mary Somerville; id 3; in Room 2; Grade=4',
      'Mary Somerville; id 9; in Room 2; Grade=4',
      'Rosa Parks; in Room 3',
    ])
    const rosa = await deps.db.selectFrom('subjects').select('hidden_at').where('first_name', '=', 'Rosa').execute()
    expect(rosa).toEqual([{ hidden_at: longAgo }])
  })

  it('an import can leave existing subjects unchanged, and empty cells delete nothing', async () => {
    const { preview, run, listSubjects, rows } = await setUp()
    await run(await preview(threeSubjects))
    const before = await listSubjects()
    const second = csv(heading, '1,Ada,King,Room 1,5', '2,Grace,Hopper,,', '4,Emmy,Noether,Room 1,')
    const previewed = await preview(second, 'skip')
    expect(rowSummaries(await rows(previewed.id))).toEqual([
      '2 skipped; This person already exists',
      '3 unchanged',
      '4 create',
    ])
    await run(previewed)
    expect(await listSubjects()).toEqual([...before, 'Emmy Noether; id 4; in Room 1'].toSorted())
  })

  it('a row that matches several subjects or contradicts an earlier row is refused, and a repeated row is skipped', async () => {
    const { deps, job, preview, rows } = await setUp()
    await given(deps).subject(job, { name: 'Ada Lovelace' })
    await given(deps).subject(job, { name: 'Ada Lovelace' })
    const previewed = await preview(
      csv('First,Last,Grade', 'Ada,Lovelace,3', 'Grace,Hopper,3', 'Grace,Hopper,4', 'Grace,Hopper,3'),
    )
    expect(rowSummaries(await rows(previewed.id))).toEqual([
      '2 refused; There are 2 people of this name. Add student ids to tell them apart',
      '3 create',
      '4 refused; Row 3 has the same name. Add student ids to tell them apart',
      '5 skipped; The same as row 3',
    ])
  })

  it('a run skips subjects that changed since the preview and reports them', async () => {
    const { deps, job, preview, run, rows, listSubjects } = await setUp()
    await run(await preview(threeSubjects))
    const second = csv(
      `${heading},Access code`,
      '1,Ada,Lovelace,Room 1,9,',
      '2,Grace,Hopper,Room 1,9,',
      '7,Emmy,Noether,Room 1,9,',
      '8,Rosa,Parks,Room 1,9,ROSAPP',
      ',Sofia,Kowalewski,Room 1,9,',
      '11,Lise,Meitner,Room 1,9,',
    )
    const previewed = await preview(second)
    const { db } = deps
    await db.updateTable('subjects').set({ last_name: 'King' }).where('first_name', '=', 'Ada').execute()
    await db.deleteFrom('subjects').where('first_name', '=', 'Grace').execute()
    await given(deps).subject(job, { name: 'Amalie N', reference: '7' })
    await given(deps).subject(job, { name: 'Sofia Kowalewski' })
    await given(deps).subject(job, { name: 'Somebody Else', code: 'ROSAPP' })
    const finished = await run(previewed)
    expect(rowSummaries(await rows(finished.id)).map((line) => line.replace(/; Grade.*/, ''))).toEqual([
      '2 refused; This person was changed since the preview',
      // The message does not contain Grace's name.
      '4 refused; The student id 7 belongs to someone else now',
      '5 refused; The code ROSAPP is taken by now',
      '6 refused; Someone with this name was added since the preview',
      '7 created',
    ])
    expect(await listSubjects()).toEqual([
      'Ada King; id 1; in Room 1; Grade=3',
      'Amalie N; id 7',
      'Lise Meitner; id 11; in Room 1; Grade=9',
      'Mary Somerville; id 3; in Room 2; Grade=4',
      'Sofia Kowalewski',
      'Somebody Else; code ROSAPP',
    ])
  })

  it('an undo removes created subjects, restores updated ones, and removes created groups that are empty', async () => {
    const { deps, preview, run, staffRequest, runJobs, get, listSubjects, rows } = await setUp()
    await run(await preview(threeSubjects))
    const before = await listSubjects()
    const groups = () => deps.db.selectFrom('groups').select('name').orderBy('name').execute()
    const second = csv(
      `${heading},Access code,Bus`,
      '1,Ada,King,Room 9,5,ADAKKK,7',
      '2,Grace,Hopper,Room 1,3,,',
      '4,Emmy,Noether,Room 9,5,EMMYNN,7',
      '5,Lise,Meitner,Room 1,5,,',
    )
    const finished = await run(await preview(second))
    expect(finished.counts).toMatchObject({ created: 2, updated: 1, unchanged: 1 })
    expect(await groups()).toHaveLength(3)
    const undoResponse = await staffRequest('POST', `imports/${finished.id}/undo`, { version: finished.version })
    expect(undoResponse.data).toMatchObject({ state: 'undoing', rowsTotal: 3, rowsDone: 0 })
    await runJobs()
    expect(await listSubjects()).toEqual(before)
    expect(await groups()).toEqual([{ name: 'Room 1' }, { name: 'Room 2' }])
    const undone = await get(finished.id)
    expect(undone).toMatchObject({ state: 'undone', counts: { undone: 3, unchanged: 1, kept: 0 } })
    expect((await rows(finished.id)).map(({ state }: ImportRow) => state)).toEqual([
      'undone',
      'unchanged',
      'undone',
      'undone',
    ])
    expect((await staffRequest('POST', `imports/${finished.id}/undo`, { version: undone.version })).errors).toEqual([
      'This import was already undone',
    ])
    const auditEntries = await deps.db
      .selectFrom('audit_log')
      .select('action')
      .where('entity', '=', 'import')
      .orderBy('id')
      .execute()
    expect(auditEntries.map(({ action }) => action)).toEqual([
      ...['import.begun', 'import.done', 'import.begun', 'import.done', 'import.undoing', 'import.undone'],
    ])
  })

  it('an undo keeps subjects with images, carts, orders or check-ins, and those changed since', async () => {
    const { deps, job, preview, run, staffRequest, runJobs, listSubjects, rows } = await setUp()
    const { db } = deps
    await run(await preview(csv('Student ID,First,Last', '20,Old,Timer')))
    const finished = await run(
      await preview(
        csv(
          'Student ID,First,Last',
          '1,With,Picture',
          '2,With,Cart',
          '3,Checked,In',
          '4,Just,Listed',
          '5,With,Order',
          '20,Old,Name',
        ),
      ),
    )
    const idOf = async (reference: string): Promise<number> => {
      const query = db.selectFrom('subjects').select('id').where('reference', '=', reference)
      return (await query.executeTakeFirstOrThrow()).id
    }
    const withImageId = await idOf('1')
    const owner = { kind: 'hosted-individual' as const, subjectId: withImageId }
    await addImage(deps, job, { fileName: 'a.jpg', owner, position: 1, publishedAt: null }, await jpegAt(1))
    await putInCartAndOrder(deps, job, { cart: await idOf('2'), order: await idOf('5') })
    const checkedInId = await idOf('3')
    const checkIn = { studio_id: job.studioId, job_id: job.jobId, subject_id: checkedInId }
    await db
      .insertInto('check_ins')
      .values({ ...checkIn, check_in_key: deps.newId(), checked_in_at: deps.clock() })
      .execute()
    await db.updateTable('subjects').set({ last_name: 'Later' }).where('reference', '=', '20').execute()

    await staffRequest('POST', `imports/${finished.id}/undo`, { version: finished.version })
    await runJobs()
    expect(await listSubjects()).toEqual([
      'Checked In; id 3',
      'Old Later; id 20',
      'With Cart; id 2',
      'With Order; id 5',
      'With Picture; id 1',
    ])
    expect((await rows(finished.id)).map(({ state, message }: ImportRow) => `${state} ${message}`)).toEqual([
      'kept Kept: they have images',
      'kept Kept: they are in a cart',
      'kept Kept: they were checked in',
      'undone null',
      'kept Kept: something was ordered for them',
      'kept Kept: this person was changed since the import',
    ])
  })

  const changesSinceImport: [
    string,
    string,
    (fixtures: Awaited<ReturnType<typeof createImportFixtures>>, ada: number) => Promise<unknown>,
  ][] = [
    [
      'whose name staff corrected',
      'Kept: this person was changed since the import',
      async ({ staffRequest }, ada) => staffRequest('PATCH', `subjects/${ada}`, { version: 1, lastName: 'King' }),
    ],
    [
      'who was hidden',
      'Kept: this person was hidden since the import',
      async ({ staffRequest }, ada) =>
        staffRequest('POST', 'subjects/edits', { subjects: { ids: [ada] }, edit: { do: 'hide' } }),
    ],
    [
      'who was absent on picture day',
      'Kept: they were marked on picture day',
      async ({ deps, job }, ada) =>
        deps.db
          .insertInto('shoot_marks')
          .values({
            ...{ studio_id: job.studioId, job_id: job.jobId, subject_id: ada, kind: 'absent' },
            ...{ mark_key: deps.newId(), marked_at: deps.clock() },
          })
          .execute(),
    ],
    [
      'whose image is being uploaded',
      'Kept: images of them are being uploaded',
      async ({ deps, job }, ada) =>
        deps.db
          .insertInto('uploads')
          .values({
            ...{ studio_id: job.studioId, job_id: job.jobId, subject_id: ada, upload_key: 'a', purpose: 'image' },
            ...{ file_name: 'a.jpg', byte_size: 10 },
          })
          .execute(),
    ],
  ]

  it.each(changesSinceImport)('an undo keeps a subject %s and reports it', async (_, message, touch) => {
    const fixtures = await setUp()
    const { deps, job, preview, run, staffRequest, runJobs, rows, get } = fixtures
    // An earlier list spells a group differently.
    await run(await preview(csv(heading, '9,Old,Timer,ROOM 2,5')))
    const finished = await run(await preview(threeSubjects))
    const ada = deps.db.selectFrom('subjects').select('id').where('first_name', '=', 'Ada')
    await touch(fixtures, (await ada.executeTakeFirstOrThrow()).id)
    await staffRequest('POST', `imports/${finished.id}/undo`, { version: finished.version })
    await runJobs()
    expect(await get(finished.id)).toMatchObject({ state: 'undone', counts: { kept: 1, undone: 2 } })
    expect((await rows(finished.id)).map(({ state, message: reason }: ImportRow) => `${state} ${reason}`)).toEqual([
      `kept ${message}`,
      'undone null',
      'undone null',
    ])
    expect(await isListed(deps, job)).toBe(true)
  })

  it('an undo removes subjects whose access code was assigned after the import', async () => {
    const { preview, run, staffRequest, runJobs, listSubjects, get } = await setUp()
    await run(await preview(csv(heading, '9,Old,Timer,Room 2,5')))
    const before = await listSubjects()
    const finished = await run(await preview(csv(heading, '1,Ada,Lovelace,Room 1,3', '9,Old,Timer,Room 2,6')))
    await staffRequest('POST', 'subjects/edits', { subjects: { matching: {} }, edit: { do: 'give-codes' } })
    await staffRequest('POST', `imports/${finished.id}/undo`, { version: finished.version })
    await runJobs()
    expect(await get(finished.id)).toMatchObject({ state: 'undone', counts: { kept: 0, undone: 2 } })
    const [code] = /; code \w+/.exec((await listSubjects())[0] ?? '') ?? ['']
    expect(code).not.toBe('')
    expect((await listSubjects()).map((line) => line.replace(code, ''))).toEqual(before)
  })

  it('a step is retried if another transaction takes one of its codes', async () => {
    const { deps, preview, run, listSubjects } = await setUp()
    const previewed = await preview(csv(`${heading},Access code`, '1,Ada,Lovelace,Room 1,3,ADALVL'))
    // A sequence keeps its count when the transaction is rolled back.
    await sql`create sequence tries`.execute(deps.db)
    await sql`create function fail_first_insert() returns trigger language plpgsql as $$
      begin
        if nextval('tries') = 1 then raise unique_violation; end if;
        return new;
      end $$`.execute(deps.db)
    await sql`create trigger fail_first_insert before insert on access_codes for each row execute function fail_first_insert()`.execute(
      deps.db,
    )
    expect(await run(previewed)).toMatchObject({ state: 'done', counts: { created: 1, refused: 0 } })
    expect(await listSubjects()).toEqual(['Ada Lovelace; id 1; code ADALVL; in Room 1; Grade=3'])
  })

  const isListed = async ({ db }: Deps, { jobId }: JobKey) =>
    (await db.selectFrom('jobs').select('imported_data').where('id', '=', jobId).executeTakeFirstOrThrow())
      .imported_data

  it('after an undo customers can type in subjects again, unless another import has not been undone', async () => {
    const { deps, job, preview, run, staffRequest, runJobs } = await setUp()
    const undo = async ({ id, version }: { id: number; version: number }) => {
      await staffRequest('POST', `imports/${id}/undo`, { version })
      await runJobs()
      return await isListed(deps, job)
    }
    expect(await isListed(deps, job)).toBe(false)
    const first = await run(await preview(threeSubjects))
    const second = await run(await preview(csv(heading, '4,Emmy,Noether,Room 2,5')))
    expect(await isListed(deps, job)).toBe(true)
    expect([await undo(first), await undo(second)]).toEqual([true, false])
    // A setting that staff made by hand stays.
    await deps.db.updateTable('jobs').set({ imported_data: true }).execute()
    expect(await undo(await run(await preview(threeSubjects)))).toBe(true)
  })

  it('two concurrent workers run an import once', async () => {
    const { preview, staffRequest, runJobs, queuedJobs, listSubjects, get } = await setUp()
    const manyRows = Array.from(
      { length: 700 },
      (_, index) => `${index},Child${String.fromCharCode(97 + (index % 26))},Family ${index},Room ${index % 9},3`,
    )
    const previewed = await preview(csv(heading, ...manyRows))
    await staffRequest('POST', `imports/${previewed.id}/run`, { version: previewed.version })
    // A worker runs longer than its lease, so two workers process the same import.
    queuedJobs.push(...queuedJobs)
    const [firstJob, secondJob] = queuedJobs.splice(0)
    queuedJobs.push(firstJob as never)
    const first = runJobs()
    queuedJobs.push(secondJob as never)
    await Promise.all([first, runJobs()])
    expect(await listSubjects()).toHaveLength(700)
    expect(await get(previewed.id)).toMatchObject({ state: 'done', rowsDone: 700, counts: { created: 700 } })
  })

  it('a request with an outdated version of an import gets a conflict', async () => {
    const { sendList, staffRequest, preview } = await setUp()
    const { data } = await sendList('list.csv', Buffer.from(threeSubjects))
    const body = { version: 1, uses: data.uses, matchPolicy: 'update' }
    const answers = await Promise.all([1, 2].map(() => staffRequest('POST', `imports/${data.id}/preview`, body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await staffRequest('PATCH', `imports/${data.id}`, { version: 1, headerRow: 0 })).status).toBe(409)
    const previewed = await preview(threeSubjects)
    expect((await staffRequest('POST', `imports/${previewed.id}/run`, { version: previewed.version - 1 })).status).toBe(
      409,
    )
    expect((await staffRequest('POST', `imports/${data.id}/undo`, { version: 3 })).errors).toEqual([
      'Only a finished import can be undone',
    ])
  })

  it('an import with invalid columns, without a preview or without changes does not run', async () => {
    const { sendList, staffRequest, preview, run } = await setUp()
    const { data } = await sendList('list.csv', Buffer.from(threeSubjects))
    const uses = data.uses.map((use: object) => ({ ...use, target: 'ignore', field: null }))
    const answer = await staffRequest('POST', `imports/${data.id}/preview`, { version: 1, uses, matchPolicy: 'update' })
    expect([answer.status, answer.errors]).toEqual([422, ['Please choose the column with the names']])
    expect((await staffRequest('POST', `imports/${data.id}/run`, { version: 1 })).errors).toEqual([
      'Please look at the preview first',
    ])
    await run(await preview(threeSubjects))
    const secondPreview = await preview(threeSubjects)
    expect(
      (await staffRequest('POST', `imports/${secondPreview.id}/run`, { version: secondPreview.version })).errors,
    ).toEqual(['There is nothing in this list that is not there already'])
  })

  it('imports and their rows are listed in pages, searched and filtered, and can be deleted until they run', async () => {
    const { deps, preview, run, staffRequest } = await setUp()
    const manyRows = Array.from({ length: 101 }, (_, index) => `${index},Ada,Family${index},Room 1,3`)
    const finished = await run(await preview(csv(heading, ...manyRows, '1,Twice,Over,Room 1,3')))
    const previewed = await preview(threeSubjects)
    const list = (await staffRequest('GET', 'imports')).data
    expect(list.map(({ id, state }: { id: number; state: string }) => [id, state])).toEqual([
      [previewed.id, 'previewed'],
      [finished.id, 'done'],
    ])
    expect(list[1]).toMatchObject({ fileName: 'list.csv', madeBy: 'Staff', counts: { created: 101, refused: 1 } })
    const page = async (query: string) => (await staffRequest('GET', `imports/${finished.id}/rows?${query}`)).data
    expect(await page('currentPage=3&pageSize=50')).toMatchObject({ totalRecords: 102, currentPage: 3 })
    expect((await page('currentPage=3&pageSize=50')).resultItems).toHaveLength(2)
    expect(await page('state=refused&currentPage=1')).toMatchObject({
      totalRecords: 1,
      resultItems: [{ rowNumber: 103, message: 'Row 3 has the same student id' }],
    })
    expect((await page('filter=family10&currentPage=1')).totalRecords).toBe(2)
    expect((await page('sort=-row&currentPage=1')).resultItems[0].rowNumber).toBe(103)

    expect((await staffRequest('DELETE', `imports/${finished.id}`)).errors).toEqual([
      'This import ran: it stays here, and can be undone',
    ])
    const files = async () => (await Array.fromAsync(deps.files.list('studios/'))).length
    expect(await files()).toBe(1)
    expect((await staffRequest('DELETE', `imports/${previewed.id}`)).status).toBe(200)
    expect([await files(), (await staffRequest('GET', `imports/${previewed.id}`)).status]).toEqual([0, 404])
  })

  it('an import is refused without the feature, if it is not sent as a form, and if its file is too large', async () => {
    const { deps, app, staffRequest, sendList, base, headers } = await setUp()
    const url = `${base}/imports`
    const requestHeaders = { ...(await headers()), 'content-type': 'text/csv' }
    expect(
      (await app.inject({ method: 'POST', url, headers: requestHeaders, payload: threeSubjects })).statusCode,
    ).toBe(415)
    expect((await staffRequest('POST', 'imports', {})).status).toBe(415)
    expect((await sendList('a.csv', Buffer.alloc(20 * 1024 * 1024 + 1, 'a'))).status).toBe(413)
    await deps.db.deleteFrom('studio_features').execute()
    expect((await sendList('a.csv', Buffer.from(threeSubjects))).errors).toEqual([
      'Data import is not switched on for this studio',
    ])
    expect((await staffRequest('GET', 'imports')).status).toBe(403)
  })

  it("deleting a subject's data deletes every import row about the subject", async () => {
    const { deps, preview, run, staffRequest, rows } = await setUp()
    const finished = await run(
      await preview(csv(heading, '1,Ada,Lovelace,Room 1,3', '2,Grace,Hopper,Room 1,3', '1,Ada,Lovelace,Room 2,3')),
    )
    expect((await rows(finished.id)).map(({ state }: ImportRow) => state)).toEqual(['created', 'created', 'refused'])
    const ada = deps.db.selectFrom('subjects').select('id').where('first_name', '=', 'Ada')
    const { id } = await ada.executeTakeFirstOrThrow()
    expect((await staffRequest('POST', 'subjects/erase', { ids: [id], typed: 'Ada Lovelace' })).status).toBe(200)
    expect((await rows(finished.id)).map(({ name }: ImportRow) => name)).toEqual(['Grace Hopper'])
  })

  it('an import is deleted after ninety days with its rows and its file', async () => {
    const time = manualClock()
    const { deps, preview, run, listSubjects } = await setUp(time)
    await run(await preview(threeSubjects))
    await preview(threeSubjects)
    time.advance(89 * day)
    await purgeImports(deps)
    expect(await deps.db.selectFrom('imports').select('id').execute()).toHaveLength(2)
    time.advance(2 * day)
    await purgeImports(deps)
    expect(await deps.db.selectFrom('import_rows').select('row_number').execute()).toEqual([])
    expect(await Array.fromAsync(deps.files.list('studios/'))).toEqual([])
    expect(await listSubjects()).toHaveLength(3)
  })
})
