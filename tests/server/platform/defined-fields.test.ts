import { describe, expect, it } from 'vitest'
import type { ImportDetails } from '#contract/studio/imports.ts'
import { purgeFieldValues } from '#server/platform/purge-field-values.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { createImportFixtures } from '../imports/import-fixtures.ts'

const url = '/api/admin/defined-fields'
const draft = {
  ...{ name: 'Homeroom', label: 'Homeroom', inputType: 'text', hasOptions: true, dataClass: 'ordinary', position: 1 },
  retentionMonths: null,
  ...{
    options: [
      { id: 0, value: 'A' },
      { id: 0, value: 'B' },
    ],
    aliases: ['Section', 'HR #'],
  },
}

describe.each(enginesFor(import.meta.filename))('defined fields of the platform on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const { deps, job, staffRequest, sendList, preview, run } = await createImportFixtures(database())
    await grantSupportAccess(deps, job.studioId)
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const request = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
      staffRequest(method, path, body, { permissions })
    /** The guessed use of each column of an uploaded list. */
    const usesOf = async (csv: string) => {
      const { uses }: ImportDetails = (await sendList('list.csv', Buffer.from(csv))).data
      return uses.map(({ target, field }) => [target, field])
    }
    return { deps, job, request, usesOf, preview, run }
  }

  it('imports recognize a field by its other headings, until it is removed, and leave out sensitive ones', async () => {
    const { request, usesOf } = await setUp()
    const csv = 'First,Last,Section,HR #\nAda,Lovelace,A,12\n'
    const names = [
      ['firstName', null],
      ['lastName', null],
    ]
    expect(await usesOf(csv)).toEqual([...names, ['group', null], ['field', 'HR #']])
    const { data: field } = await request('POST', url, { ...draft, aliases: ['section'] })
    expect(await usesOf(csv)).toEqual([...names, ['field', 'Homeroom'], ['field', 'HR #']])
    await request('PUT', `${url}/${field.id}`, { ...draft, aliases: ['hr number'], dataClass: 'sensitive' })
    expect(await usesOf(csv)).toEqual([...names, ['group', null], ['ignore', null]])
    await request('DELETE', `${url}/${field.id}`)
    expect(await usesOf(csv)).toEqual([...names, ['group', null], ['field', 'HR #']])
  })

  it('jobs can choose a field until it is archived, and its use is counted', async () => {
    const { deps, job, request } = await setUp()
    const { data: field } = await request('POST', url, draft)
    const { studioId: studio_id, jobId: job_id } = job
    const asked = { studio_id, job_id, name: 'Homeroom', label: 'Homeroom', template_id: field.id }
    await deps.db.insertInto('job_fields').values(asked).execute()
    expect((await request('GET', `${url}/${field.id}`)).data).toMatchObject({
      jobCount: 1,
      studioCount: 1,
      subjectCount: 0,
    })
    const templates = async () => (await request('GET', 'settings')).data.templates
    expect(await templates()).toMatchObject([{ id: field.id, label: 'Homeroom' }])
    expect((await request('DELETE', `${url}/${field.id}`)).data).toEqual({ outcome: 'archived' })
    expect(await templates()).toEqual([])
  })

  it('an imported value belongs to the field with its name', async () => {
    const { deps, request, preview, run } = await setUp()
    const { data: field } = await request('POST', url, draft)
    await run(await preview('First,Last,HR #,Club\nAda,Lovelace,A,Chess\n'))
    const values = await deps.db.selectFrom('subject_fields').select(['name', 'template_id']).orderBy('name').execute()
    expect(values).toEqual([
      { name: 'Club', template_id: null },
      { name: 'Homeroom', template_id: field.id },
    ])
    expect((await request('GET', `${url}/${field.id}`)).data.subjectCount).toBe(1)
  })

  it('options keep their ids, and new ones get ids of their own', async () => {
    const { request } = await setUp()
    const { data: field } = await request('POST', url, draft)
    expect(field.options).toEqual([
      { id: 1, value: 'A' },
      { id: 2, value: 'B' },
    ])
    const options = [
      { id: 2, value: 'Bee' },
      { id: 0, value: ' C ' },
    ]
    const { data: changed } = await request('PUT', `${url}/${field.id}`, { ...draft, options })
    expect(changed.options).toEqual([
      { id: 2, value: 'Bee' },
      { id: 3, value: 'C' },
    ])
  })

  it('values are deleted some months after the event, if the field says so', async () => {
    const { deps, job, request } = await setUp()
    const recent = await given(deps).job(job.studioId, { name: 'Fall', event_date: '2027-03-01' })
    await deps.db.updateTable('jobs').set({ event_date: '2026-01-10' }).where('id', '=', job.jobId).execute()
    for (const key of [job, recent]) {
      const subject_id = await given(deps).subject(key, { name: 'Ada Lovelace' })
      const values = ['homeroom', 'Grade'].map((name) => ({ studio_id: job.studioId, subject_id, name, value: 'A' }))
      await deps.db.insertInto('subject_fields').values(values).execute()
    }
    const names = async () =>
      (await deps.db.selectFrom('subject_fields').select('name').orderBy('id').execute()).map(({ name }) => name)
    await request('POST', url, { ...draft, retentionMonths: 12 })
    await purgeFieldValues({ db: deps.db, clock: () => new Date('2027-01-09T00:00:00Z') })
    expect(await names()).toEqual(['homeroom', 'Grade', 'homeroom', 'Grade'])
    await purgeFieldValues({ db: deps.db, clock: () => new Date('2027-04-15T00:00:00Z') })
    expect(await names()).toEqual(['Grade', 'homeroom', 'Grade'])
  })

  it.each([
    ['a dropdown without options', { options: [] }, 'options', 'Enter at least one option'],
    [
      'two equal options',
      {
        options: [
          { id: 1, value: 'A' },
          { id: 2, value: ' a' },
        ],
      },
      'options',
      'Two options are the same',
    ],
    ['a heading of signs', { aliases: ['--'] }, 'aliases', 'Enter up to 50 headings with letters or digits'],
    ['two headings that read the same', { aliases: ['Home Room', 'homeroom'] }, 'aliases', 'Two headings are the same'],
  ])('%s is refused at its field', async (_, change, field, message) => {
    const { request } = await setUp()
    const refused = await request('POST', url, { ...draft, ...change })
    expect(refused).toMatchObject({ status: 422, fields: { [field]: [message] } })
  })
})
