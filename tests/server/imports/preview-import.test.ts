import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createImportFixtures } from './import-fixtures.ts'

const csv = (...lines: string[]): string => lines.join('\n')

describe.each(enginesFor(import.meta.filename))('import previews on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createImportFixtures(database())

  it('the preview warns about likely mistakes, and the import takes the values unchanged', async () => {
    const { preview, rows, run, listSubjects, staffRequest } = await setUp()
    const previewed = await preview(
      csv(
        'First,Last,DOB,Email,Phone',
        'Ada,Lovelace,31/12/2015,not-an-email,12',
        'Bo,Peep,12/31/2015,bo@peep.test,555-123-4567',
      ),
    )
    expect(previewed).toMatchObject({ warned: 1, counts: { create: 2 } })
    const [ada, bo] = await rows(previewed.id)
    expect(ada.warnings).toEqual([
      'Date of birth “31/12/2015” is not a date as month/day/year, such as 12/31/2015',
      'Email “not-an-email” is not an email address',
      'Phone “12” is not a phone number',
    ])
    expect(bo.warnings).toEqual([])
    const { data: warned } = await staffRequest('GET', `imports/${previewed.id}/rows?state=warned`)
    expect(warned.map(({ name }: { name: string }) => name)).toEqual(['Ada Lovelace'])
    await run(previewed)
    expect(await listSubjects()).toEqual([
      'Ada Lovelace; Date of birth=31/12/2015; Email=not-an-email; Phone=12',
      'Bo Peep; Date of birth=12/31/2015; Email=bo@peep.test; Phone=555-123-4567',
    ])
  })

  it('the response to an upload contains the number of columns that are left out', async () => {
    const { sendList } = await setUp()
    const wideFields = Array.from({ length: 312 }, (_, index) => `Field ${index}`)
    const list = csv(
      ['First', 'Last', ...wideFields].join(','),
      ['Ada', 'Lovelace', ...wideFields.map((_, index) => `value ${index}`)].join(','),
    )
    const { data } = await sendList('wide.csv', Buffer.from(list))
    expect(data.columns).toHaveLength(300)
    expect(data.columnsLeftOut).toBe(14)
    const narrow = await sendList('narrow.csv', Buffer.from(csv('First,Last', 'Ada,Lovelace')))
    expect(narrow.data.columnsLeftOut).toBe(0)
  })

  it('an import gives a subject no more fields than staff can edit', async () => {
    const { preview, run, rows, deps, staffRequest } = await setUp()
    const fieldNames = (prefix: string) => Array.from({ length: 298 }, (_, index) => `${prefix} ${index}`)
    const list = (prefix: string) =>
      csv(['First', 'Last', ...fieldNames(prefix)].join(','), ['Ada', 'Lovelace', ...fieldNames('value')].join(','))
    await run(await preview(list('Field')))
    const { id, version } = await deps.db.selectFrom('subjects').select(['id', 'version']).executeTakeFirstOrThrow()
    const { data: subject } = await staffRequest('GET', `subjects/${id}`)
    expect(subject.fields).toHaveLength(298)
    const fields = subject.fields.map(({ name }: { name: string }) => ({ name, value: 'changed' }))
    expect(await staffRequest('PATCH', `subjects/${id}`, { version, fields })).toMatchObject({ status: 200 })
    const second = await preview(list('Other field'))
    expect(await rows(second.id)).toMatchObject([
      { state: 'refused', message: 'A person has 300 fields at most, and this one would have 596' },
    ])
  })

  it('a bulk edit gives a subject no more than the maximum number of fields', async () => {
    const { deps, job, staffRequest } = await setUp()
    const subject = { studio_id: job.studioId, job_id: job.jobId, first_name: 'Ada', last_name: 'Lovelace' }
    const keys = { first_key: 'ada', last_key: 'lovelace' }
    const { id } = await deps.db
      .insertInto('subjects')
      .values({ ...subject, ...keys })
      .returning('id')
      .executeTakeFirstOrThrow()
    const fieldNames = Array.from({ length: 300 }, (_, index) => ({ name: `Field ${index}`, value: 'x' }))
    const rows = fieldNames.map((field) => ({ studio_id: job.studioId, subject_id: id, ...field }))
    await deps.db.insertInto('subject_fields').values(rows).execute()
    const setField = (name: string) =>
      staffRequest('POST', 'subjects/edits', { subjects: { ids: [id] }, edit: { do: 'set-field', name, value: 'y' } })
    expect(await setField('Field 300')).toMatchObject({
      status: 422,
      errors: ['One of these people has 300 fields already, which is the most'],
    })
    expect(await setField('Field 7')).toMatchObject({ status: 200, data: { count: 1 } })
  })

  it('column samples are truncated, so that no long cell is stored', async () => {
    const { sendList } = await setUp()
    const { data } = await sendList(
      'long.csv',
      Buffer.from(csv('First,Last,Notes', `Ada,Lovelace,${'x'.repeat(1_000_000)}`)),
    )
    const lengths = data.columns.flatMap(({ samples }: { samples: string[] }) => samples.map((sample) => sample.length))
    expect(Math.max(...lengths)).toBe(200)
  })

  it('an import can be undone after its group was renamed', async () => {
    const { preview, run, staffRequest, runJobs, get, listSubjects, deps } = await setUp()
    await run(await preview(csv('Student ID,First,Last,Homeroom', '20,Old,Timer,Room 1')))
    const finished = await run(
      await preview(csv('Student ID,First,Last,Homeroom', '20,Old,Timer,Room 2', '21,New,Comer,Room 2')),
    )
    await deps.db.updateTable('groups').set({ name: 'Room Two' }).where('name', '=', 'Room 2').execute()
    expect(
      (await staffRequest('POST', `imports/${finished.id}/undo`, { version: finished.version })).errors,
    ).toBeUndefined()
    await runJobs()
    expect(await get(finished.id)).toMatchObject({ state: 'undone', counts: { undone: 2, kept: 0 } })
    expect(await listSubjects()).toEqual(['Old Timer; id 20; in Room 1; Homeroom=Room 1'])
  })
})
