import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createSubjectFixtures } from './subject-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('values that are not options on $name', (engine) => {
  const database = freshDatabase(engine)

  it('a saved value that is not one of the field’s options stays valid until it is changed', async () => {
    const { deps, studioId, spring, staffRequest, subjectsUrl, readSubject } = await createSubjectFixtures(database())
    const created = await staffRequest('POST', `${subjectsUrl}?returnData=true`, {
      ...{ firstName: 'Ada', lastName: 'Byron', fields: [{ name: 'Grade', value: '12' }] },
    })
    const { id } = created.data
    const options = JSON.stringify([{ id: 1, value: '3' }])
    const field = {
      studio_id: studioId,
      job_id: spring.jobId,
      name: 'Grade',
      label: 'Grade',
      has_options: true,
      options,
    }
    await deps.db.insertInto('job_fields').values(field).execute()
    const patch = (value: string, version: number) =>
      staffRequest('PATCH', `subjects/${id}`, { lastName: 'Lovelace', fields: [{ name: 'Grade', value }], version })
    expect(await patch('12', 1)).toMatchObject({ status: 200, data: { lastName: 'Lovelace', version: 2 } })
    expect((await readSubject(id)).fields).toMatchObject([{ name: 'Grade', value: '12', optionId: null }])
    expect(await patch('11', 2)).toMatchObject({
      status: 422,
      fields: { 'fields.Grade': ['This value must be one of 3'] },
    })
    expect(await patch('3', 2)).toMatchObject({ status: 200, data: { fields: [{ value: '3', optionId: 1 }] } })
  })
})
