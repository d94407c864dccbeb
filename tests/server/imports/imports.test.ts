import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { ImportRow } from '#contract/studio/imports.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'
import { purgeImports } from '#server/imports/import-worker.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock } from '#support/server/test-app.ts'
import { addImage, addSubject, jpegAt } from '../discovery/job-fixtures.ts'
import { createImportFixtures } from './import-fixtures.ts'

const csv = (...rows: string[]): string => `${rows.join('\n')}\n`
const heading = 'Student ID,First name,Last name,Group,Grade'
const three = csv(heading, '1,Ada,Lovelace,Room 1,3', '2,Grace,Hopper,Room 1,3', '3,Mary,Somerville,Room 2,4')

const rowSummaries = (rows: readonly ImportRow[]): string[] =>
  rows.map(({ rowNumber, state, message, changes }) =>
    [
      `${rowNumber} ${state}`,
      ...(message ? [message] : []),
      ...changes.filter(({ from }) => from !== '').map(({ what, from, to }) => `${what}: ${from} → ${to}`),
    ].join('; '),
  )

/** Puts a subject in a cart and orders something for another. */
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
  const begin = (...own: [object?]) => createImportFixtures(database(), ...own)

  it('an import writes no subject before it runs and all of them once it has run', async () => {
    const { deps, job, preview, run, rows, people, get, jobs } = await begin()
    const seen = await preview(three)
    expect(seen).toMatchObject({ state: 'previewed', rowsTotal: 3, counts: { create: 3, refused: 0 } })
    expect([await people(), jobs]).toEqual([[], []])
    const done = await run(seen)
    expect(done).toMatchObject({ state: 'done', rowsTotal: 3, rowsDone: 3, counts: { created: 3, create: 0 } })
    expect(done.finishedAt).not.toBeNull()
    expect(await people()).toEqual([
      'Ada Lovelace; id 1; in Room 1; Grade=3',
      'Grace Hopper; id 2; in Room 1; Grade=3',
      'Mary Somerville; id 3; in Room 2; Grade=4',
    ])
    const found = await deps.db
      .selectFrom('subjects')
      .select(['first_key', 'last_key', 'state'])
      .orderBy('id')
      .execute()
    expect(found[0]).toEqual({ first_key: 'ada', last_key: 'lovelace', state: 'listed' })
    const event = deps.db.selectFrom('jobs').select('imported_data').where('id', '=', job.jobId)
    expect(await event.executeTakeFirst()).toEqual({ imported_data: true })
    expect(await rows(done.id)).toMatchObject([
      { rowNumber: 2, state: 'created', name: 'Ada Lovelace', groups: ['Room 1'] },
      {},
      {},
    ])
    // A repeated run changes nothing.
    expect(await get(done.id)).toEqual(done)
    expect((await preview(three)).counts).toMatchObject({ unchanged: 3, create: 0 })
  })

  it('the preview shows what changes per row, matched by id, by code, and by name and group', async () => {
    const { deps, job, preview, run, rows, people } = await begin()
    await run(await preview(three))
    await addSubject(deps, job, { name: 'Emmy Noether', code: 'EMMYNN' })
    await addSubject(deps, job, { name: 'Rosa Parks', hidden_at: longAgo })
    const second = csv(
      `${heading},Access code`,
      '1,Ada,King,Room 2,3,',
      ',Grace,Hopper,room 1,4,',
      ',Amalie,Noether,Room 3,5,emmy-nn',
      ',Rosa,Parks,Room 3,,',
      '3,Mary,Somerville,Room 2,4,SPRING',
      '9,Mary,Somerville,Room 2,4,',
    )
    const seen = await preview(second)
    expect(rowSummaries(await rows(seen.id))).toEqual([
      '2 update; Last name: Lovelace → King; Group: Room 1 → Room 2',
      '3 update; Grade: 3 → 4',
      '4 update; First name: Emmy → Amalie',
      // A hidden subject is matched too, and stays hidden.
      '5 update',
      '6 refused; The code SPRING is taken',
      // Another id is another subject, whatever the name.
      '7 create',
    ])
    await run(seen)
    expect(await people()).toEqual([
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
    const { preview, run, people, rows } = await begin()
    await run(await preview(three))
    const before = await people()
    const second = csv(heading, '1,Ada,King,Room 1,5', '2,Grace,Hopper,,', '4,Emmy,Noether,Room 1,')
    const seen = await preview(second, 'skip')
    expect(rowSummaries(await rows(seen.id))).toEqual(['2 skipped; Already there', '3 unchanged', '4 create'])
    await run(seen)
    expect(await people()).toEqual([...before, 'Emmy Noether; id 4; in Room 1'].toSorted())
  })

  it('ambiguous subjects and subjects in two rows are rejected', async () => {
    const { deps, job, preview, rows } = await begin()
    await addSubject(deps, job, { name: 'Ada Lovelace' })
    await addSubject(deps, job, { name: 'Ada Lovelace' })
    const seen = await preview(
      csv('First,Last,Grade', 'Ada,Lovelace,3', 'Grace,Hopper,3', 'Grace,Hopper,4', 'Grace,Hopper,3'),
    )
    expect(rowSummaries(await rows(seen.id))).toEqual([
      '2 refused; There are 2 people of this name. Add student ids to tell them apart',
      '3 create',
      '4 refused; Row 3 has the same name. Add student ids to tell them apart',
      '5 skipped; The same as row 3',
    ])
  })

  it('a run skips subjects that changed since the preview and reports them', async () => {
    const { deps, job, preview, run, rows, people } = await begin()
    await run(await preview(three))
    const second = csv(
      `${heading},Access code`,
      '1,Ada,Lovelace,Room 1,9,',
      '2,Grace,Hopper,Room 1,9,',
      '7,Emmy,Noether,Room 1,9,',
      '8,Rosa,Parks,Room 1,9,ROSAPP',
      ',Sofia,Kowalewski,Room 1,9,',
      '11,Lise,Meitner,Room 1,9,',
    )
    const seen = await preview(second)
    const { db } = deps
    await db.updateTable('subjects').set({ last_name: 'King' }).where('first_name', '=', 'Ada').execute()
    await db.deleteFrom('subjects').where('first_name', '=', 'Grace').execute()
    await addSubject(deps, job, { name: 'Amalie N', reference: '7' })
    await addSubject(deps, job, { name: 'Sofia Kowalewski' })
    await addSubject(deps, job, { name: 'Somebody Else', code: 'ROSAPP' })
    const done = await run(seen)
    expect(rowSummaries(await rows(done.id)).map((line) => line.replace(/; Grade.*/, ''))).toEqual([
      '2 refused; This person was changed since the preview',
      // The message does not contain Grace's name.
      '4 refused; The student id 7 is somebody else’s by now',
      '5 refused; The code ROSAPP is taken by now',
      '6 refused; Somebody of this name was added since the preview',
      '7 created',
    ])
    expect(await people()).toEqual([
      'Ada King; id 1; in Room 1; Grade=3',
      'Amalie N; id 7',
      'Lise Meitner; id 11; in Room 1; Grade=9',
      'Mary Somerville; id 3; in Room 2; Grade=4',
      'Sofia Kowalewski',
      'Somebody Else; code ROSAPP',
    ])
  })

  it('an undo removes created subjects, restores updated ones, and removes created groups that are empty', async () => {
    const { deps, preview, run, tell, work, get, people, rows } = await begin()
    await run(await preview(three))
    const before = await people()
    const groups = () => deps.db.selectFrom('groups').select('name').orderBy('name').execute()
    const second = csv(
      `${heading},Access code,Bus`,
      '1,Ada,King,Room 9,5,ADAKKK,7',
      '2,Grace,Hopper,Room 1,3,,',
      '4,Emmy,Noether,Room 9,5,EMMYNN,7',
      '5,Lise,Meitner,Room 1,5,,',
    )
    const done = await run(await preview(second))
    expect(done.counts).toMatchObject({ created: 2, updated: 1, unchanged: 1 })
    expect(await groups()).toHaveLength(3)
    const undoResponse = await tell('POST', `imports/${done.id}/undo`, { version: done.version })
    expect(undoResponse.data).toMatchObject({ state: 'undoing', rowsTotal: 3, rowsDone: 0 })
    await work()
    expect(await people()).toEqual(before)
    expect(await groups()).toEqual([{ name: 'Room 1' }, { name: 'Room 2' }])
    const undone = await get(done.id)
    expect(undone).toMatchObject({ state: 'undone', counts: { undone: 3, unchanged: 1, kept: 0 } })
    expect((await rows(done.id)).map(({ state }: ImportRow) => state)).toEqual([
      'undone',
      'unchanged',
      'undone',
      'undone',
    ])
    expect((await tell('POST', `imports/${done.id}/undo`, { version: undone.version })).errors).toEqual([
      'This import was taken back already',
    ])
    const trail = await deps.db
      .selectFrom('audit_log')
      .select('action')
      .where('entity', '=', 'import')
      .orderBy('id')
      .execute()
    expect(trail.map(({ action }) => action)).toEqual([
      ...['import.begun', 'import.done', 'import.begun', 'import.done', 'import.undoing', 'import.undone'],
    ])
  })

  it('an undo keeps subjects with images, carts or check-ins, and those changed since', async () => {
    const { deps, job, preview, run, tell, work, people, rows } = await begin()
    const { db } = deps
    await run(await preview(csv('Student ID,First,Last', '20,Old,Timer')))
    const done = await run(
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
      const found = db.selectFrom('subjects').select('id').where('reference', '=', reference)
      return (await found.executeTakeFirstOrThrow()).id
    }
    const picture = await idOf('1')
    const owner = { kind: 'hosted-individual' as const, subjectId: picture }
    await addImage(deps, job, { fileName: 'a.jpg', owner, position: 1, publishedAt: null }, await jpegAt(1))
    await putInCartAndOrder(deps, job, { cart: await idOf('2'), order: await idOf('5') })
    const seen = await idOf('3')
    const checkIn = { studio_id: job.studioId, job_id: job.jobId, subject_id: seen }
    await db
      .insertInto('check_ins')
      .values({ ...checkIn, check_in_key: deps.newId(), checked_in_at: deps.clock() })
      .execute()
    await db.updateTable('subjects').set({ last_name: 'Later' }).where('reference', '=', '20').execute()

    await tell('POST', `imports/${done.id}/undo`, { version: done.version })
    await work()
    expect(await people()).toEqual([
      'Checked In; id 3',
      'Old Later; id 20',
      'With Cart; id 2',
      'With Order; id 5',
      'With Picture; id 1',
    ])
    expect((await rows(done.id)).map(({ state, message }: ImportRow) => `${state} ${message}`)).toEqual([
      'kept Kept: there are pictures of them',
      'kept Kept: they are in a cart',
      'kept Kept: they were checked in',
      'undone null',
      'kept Kept: something was ordered for them',
      'kept Kept: this person was changed since the import',
    ])
  })

  const since: [
    string,
    string,
    (made: Awaited<ReturnType<typeof createImportFixtures>>, ada: number) => Promise<unknown>,
  ][] = [
    [
      'whose name staff corrected',
      'Kept: this person was changed since the import',
      async ({ tell }, ada) => tell('PATCH', `subjects/${ada}`, { version: 1, lastName: 'King' }),
    ],
    [
      'who was hidden',
      'Kept: this person was hidden since the import',
      async ({ tell }, ada) => tell('POST', 'subjects/edits', { whom: { ids: [ada] }, edit: { do: 'hide' } }),
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
      'Kept: pictures of them are being uploaded',
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

  it.each(since)('an undo keeps a subject %s and reports it', async (_, message, touch) => {
    const made = await begin()
    const { deps, job, preview, run, tell, work, rows, get } = made
    // A subject in two groups, spelled differently by another list, is unchanged.
    await run(await preview(csv(heading, '9,Old,Timer,ROOM 2,5')))
    const done = await run(await preview(three))
    const ada = deps.db.selectFrom('subjects').select('id').where('first_name', '=', 'Ada')
    await touch(made, (await ada.executeTakeFirstOrThrow()).id)
    await tell('POST', `imports/${done.id}/undo`, { version: done.version })
    await work()
    expect(await get(done.id)).toMatchObject({ state: 'undone', counts: { kept: 1, undone: 2 } })
    expect((await rows(done.id)).map(({ state, message: why }: ImportRow) => `${state} ${why}`)).toEqual([
      `kept ${message}`,
      'undone null',
      'undone null',
    ])
    expect(await isListed(deps, job)).toBe(true)
  })

  it('an undo removes subjects whose access code was assigned after the import', async () => {
    const { preview, run, tell, work, people, get } = await begin()
    await run(await preview(csv(heading, '9,Old,Timer,Room 2,5')))
    const before = await people()
    const done = await run(await preview(csv(heading, '1,Ada,Lovelace,Room 1,3', '9,Old,Timer,Room 2,6')))
    await tell('POST', 'subjects/edits', { whom: { matching: {} }, edit: { do: 'give-codes' } })
    await tell('POST', `imports/${done.id}/undo`, { version: done.version })
    await work()
    expect(await get(done.id)).toMatchObject({ state: 'undone', counts: { kept: 0, undone: 2 } })
    const [code] = /; code \w+/.exec((await people())[0] ?? '') ?? ['']
    expect(code).not.toBe('')
    expect((await people()).map((line) => line.replace(code, ''))).toEqual(before)
  })

  it('a step is retried if another transaction takes one of its codes', async () => {
    const { deps, preview, run, people } = await begin()
    const seen = await preview(csv(`${heading},Access code`, '1,Ada,Lovelace,Room 1,3,ADALVL'))
    // A sequence keeps its count when the transaction is rolled back.
    await sql`create sequence tries`.execute(deps.db)
    await sql`create function be_faster() returns trigger language plpgsql as $$
      begin
        if nextval('tries') = 1 then raise unique_violation; end if;
        return new;
      end $$`.execute(deps.db)
    await sql`create trigger be_faster before insert on access_codes for each row execute function be_faster()`.execute(
      deps.db,
    )
    expect(await run(seen)).toMatchObject({ state: 'done', counts: { created: 1, refused: 0 } })
    expect(await people()).toEqual(['Ada Lovelace; id 1; code ADALVL; in Room 1; Grade=3'])
  })

  const isListed = async ({ db }: Deps, { jobId }: JobKey) =>
    (await db.selectFrom('jobs').select('imported_data').where('id', '=', jobId).executeTakeFirstOrThrow())
      .imported_data

  it('after an undo customers can type in subjects again, unless another import is in effect', async () => {
    const { deps, job, preview, run, tell, work } = await begin()
    const undo = async ({ id, version }: { id: number; version: number }) => {
      await tell('POST', `imports/${id}/undo`, { version })
      await work()
      return await isListed(deps, job)
    }
    expect(await isListed(deps, job)).toBe(false)
    const first = await run(await preview(three))
    const second = await run(await preview(csv(heading, '4,Emmy,Noether,Room 2,5')))
    expect(await isListed(deps, job)).toBe(true)
    expect([await undo(first), await undo(second)]).toEqual([true, false])
    // A setting that staff made by hand stays.
    await deps.db.updateTable('jobs').set({ imported_data: true }).execute()
    expect(await undo(await run(await preview(three)))).toBe(true)
  })

  it('two workers do an import once, and it resumes after an interruption', async () => {
    const { preview, tell, work, jobs, people, get } = await begin()
    const many = Array.from(
      { length: 700 },
      (_, at) => `${at},Child${String.fromCharCode(97 + (at % 26))},Family ${at},Room ${at % 9},3`,
    )
    const seen = await preview(csv(heading, ...many))
    await tell('POST', `imports/${seen.id}/run`, { version: seen.version })
    // A worker outlives its lease, so both take turns.
    jobs.push(...jobs)
    const [one, other] = jobs.splice(0)
    jobs.push(one as never)
    const first = work()
    jobs.push(other as never)
    await Promise.all([first, work()])
    expect(await people()).toHaveLength(700)
    expect(await get(seen.id)).toMatchObject({ state: 'done', rowsDone: 700, counts: { created: 700 } })
  })

  it('a request with an outdated version of an import gets a conflict', async () => {
    const { send, tell, preview } = await begin()
    const { data } = await send('list.csv', Buffer.from(three))
    const undoResponse = { version: 1, uses: data.uses, matches: 'update' }
    const both = await Promise.all([1, 2].map(() => tell('POST', `imports/${data.id}/preview`, undoResponse)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await tell('PATCH', `imports/${data.id}`, { version: 1, headerRow: 0 })).status).toBe(409)
    const seen = await preview(three)
    expect((await tell('POST', `imports/${seen.id}/run`, { version: seen.version - 1 })).status).toBe(409)
    expect((await tell('POST', `imports/${data.id}/undo`, { version: 3 })).errors).toEqual([
      'Only an import that is done can be taken back',
    ])
  })

  it('an import with invalid columns, without a preview or without changes does not run', async () => {
    const { send, tell, preview, run } = await begin()
    const { data } = await send('list.csv', Buffer.from(three))
    const uses = data.uses.map((use: object) => ({ ...use, target: 'leave', field: null }))
    const answer = await tell('POST', `imports/${data.id}/preview`, { version: 1, uses, matches: 'update' })
    expect([answer.status, answer.errors]).toEqual([422, ['Please say which column holds the names']])
    expect((await tell('POST', `imports/${data.id}/run`, { version: 1 })).errors).toEqual([
      'Please look at the preview first',
    ])
    await run(await preview(three))
    const secondPreview = await preview(three)
    expect((await tell('POST', `imports/${secondPreview.id}/run`, { version: secondPreview.version })).errors).toEqual([
      'There is nothing in this list that is not there already',
    ])
  })

  it('imports and their rows are listed in pages, searched and filtered, and can be deleted until they run', async () => {
    const { deps, preview, run, tell } = await begin()
    const many = Array.from({ length: 101 }, (_, at) => `${at},Ada,Family${at},Room 1,3`)
    const done = await run(await preview(csv(heading, ...many, '1,Twice,Over,Room 1,3')))
    const seen = await preview(three)
    const list = (await tell('GET', 'imports')).data
    expect(list.map(({ id, state }: { id: number; state: string }) => [id, state])).toEqual([
      [seen.id, 'previewed'],
      [done.id, 'done'],
    ])
    expect(list[1]).toMatchObject({ fileName: 'list.csv', madeBy: 'Staff', counts: { created: 101, refused: 1 } })
    const page = async (query: string) => (await tell('GET', `imports/${done.id}/rows?${query}`)).data
    expect(await page('currentPage=3&pageSize=50')).toMatchObject({ totalRecords: 102, currentPage: 3 })
    expect((await page('currentPage=3&pageSize=50')).resultItems).toHaveLength(2)
    expect(await page('state=refused&currentPage=1')).toMatchObject({
      totalRecords: 1,
      resultItems: [{ rowNumber: 103, message: 'Row 3 has the same student id' }],
    })
    expect((await page('filter=family10&currentPage=1')).totalRecords).toBe(2)
    expect((await page('sort=-row&currentPage=1')).resultItems[0].rowNumber).toBe(103)

    expect((await tell('DELETE', `imports/${done.id}`)).errors).toEqual([
      'This import ran: it stays here, and can be taken back',
    ])
    const files = async () => (await Array.fromAsync(deps.files.list('studios/'))).length
    expect(await files()).toBe(1)
    expect((await tell('DELETE', `imports/${seen.id}`)).status).toBe(200)
    expect([await files(), (await tell('GET', `imports/${seen.id}`)).status]).toEqual([0, 404])
  })

  it('an import is refused without the feature and with any other kind of body', async () => {
    const { deps, app, tell, send, base, headers } = await begin()
    const url = `${base}/imports`
    const as = { ...(await headers()), 'content-type': 'text/csv' }
    expect((await app.inject({ method: 'POST', url, headers: as, payload: three })).statusCode).toBe(415)
    expect((await tell('POST', 'imports', {})).status).toBe(415)
    expect((await send('a.csv', Buffer.alloc(20 * 1024 * 1024 + 1, 'a'))).status).toBe(413)
    await deps.db.deleteFrom('studio_features').execute()
    expect((await send('a.csv', Buffer.from(three))).errors).toEqual(['Data import is not switched on for this studio'])
    expect((await tell('GET', 'imports')).status).toBe(403)
  })

  it("deleting a subject's data deletes every import row about the subject", async () => {
    const { deps, preview, run, tell, rows } = await begin()
    const done = await run(
      await preview(csv(heading, '1,Ada,Lovelace,Room 1,3', '2,Grace,Hopper,Room 1,3', '1,Ada,Lovelace,Room 2,3')),
    )
    expect((await rows(done.id)).map(({ state }: ImportRow) => state)).toEqual(['created', 'created', 'refused'])
    const ada = deps.db.selectFrom('subjects').select('id').where('first_name', '=', 'Ada')
    const { id } = await ada.executeTakeFirstOrThrow()
    expect((await tell('POST', 'subjects/erase', { ids: [id], typed: 'Ada Lovelace' })).status).toBe(200)
    expect((await rows(done.id)).map(({ name }: ImportRow) => name)).toEqual(['Grace Hopper'])
  })

  it('an import is deleted after ninety days with its rows and its file', async () => {
    const time = manualClock()
    const { deps, preview, run, people } = await begin(time)
    await run(await preview(three))
    await preview(three)
    time.advance(89 * day)
    await purgeImports(deps)
    expect(await deps.db.selectFrom('imports').select('id').execute()).toHaveLength(2)
    time.advance(2 * day)
    await purgeImports(deps)
    expect(await deps.db.selectFrom('import_rows').select('row_number').execute()).toEqual([])
    expect(await Array.fromAsync(deps.files.list('studios/'))).toEqual([])
    expect(await people()).toHaveLength(3)
  })
})
