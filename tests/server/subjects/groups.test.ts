import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { addImage, jpegAt } from '../discovery/job-fixtures.ts'
import { createSubjectFixtures } from './subject-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('groups of a job on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createSubjectFixtures(database())

  it('groups can be created, listed with counts and images, renamed and deleted', async () => {
    const { deps, app, staffRequest, spring, grade } = await setUp()
    const created = await staffRequest('POST', 'groups', { name: ' Grade  4 ' })
    expect(created).toMatchObject({ status: 200, data: { name: 'Grade 4', position: 1, subjectCount: 0, version: 1 } })
    const owner = { kind: 'hosted-group', groupId: grade } as const
    await addImage(deps, spring, { fileName: 'class.jpg', owner, position: 1, publishedAt: null }, await jpegAt(1))
    const { data } = await staffRequest('GET', 'groups')
    expect(data).toMatchObject([
      { id: grade, name: 'Grade 3', subjectCount: 2, imageCount: 1, images: [{ name: 'class.jpg', state: 'ready' }] },
      { id: created.data.id, imageCount: 0, images: [] },
    ])
    expect((await app.inject(data[0].images[0].thumbnailUrl)).statusCode).toBe(200)
    expect((await staffRequest('GET', 'groups?filter=4&sort=-name')).data).toMatchObject({
      totalRecords: 1,
      resultItems: [{ name: 'Grade 4' }],
    })
    const farAway = { version: 1, name: 'Owls', position: 2_147_483_647 }
    expect(await staffRequest('PUT', `groups/${created.data.id}`, farAway)).toMatchObject({ status: 400 })
    const renamed = await staffRequest('PUT', `groups/${created.data.id}`, { version: 1, name: 'Owls', position: 0 })
    expect(renamed.data).toMatchObject({ name: 'Owls', position: 0, version: 2 })
    expect(await staffRequest('PUT', `groups/${created.data.id}`, { version: 1, name: 'Bees' })).toMatchObject({
      status: 409,
    })
    expect(await staffRequest('DELETE', `groups/${created.data.id}`)).toMatchObject({ status: 200 })
    expect(await staffRequest('GET', `groups/${created.data.id}`)).toMatchObject({ status: 404 })
  })

  it('names are unique, and a group with images cannot be deleted', async () => {
    const { deps, staffRequest, spring, grade } = await setUp()
    expect(await staffRequest('POST', 'groups', { name: 'GRADE 3' })).toMatchObject({
      status: 422,
      fields: { name: ['There is already a group with this name'] },
    })
    expect(await staffRequest('POST', 'groups', { name: ' ' })).toMatchObject({
      status: 422,
      fields: { name: ['This field is required'] },
    })
    expect(await staffRequest('PUT', `groups/${grade}`, { version: 1, name: 'grade 3' })).toMatchObject({ status: 200 })
    const owner = { kind: 'hosted-group', groupId: grade } as const
    await addImage(deps, spring, { fileName: 'class.jpg', owner, position: 1, publishedAt: null }, await jpegAt(1))
    expect(await staffRequest('DELETE', `groups/${grade}`)).toMatchObject({
      status: 422,
      errors: ['This group has images. Move or delete them first'],
    })
  })

  it('a group whose replaced images are in orders or carts cannot be deleted, and the refusal says why', async () => {
    const { deps, staffRequest, spring, grade } = await setUp()
    const owner = { kind: 'hosted-group', groupId: grade } as const
    await addImage(deps, spring, { fileName: 'class.jpg', owner, position: 1, publishedAt: null }, await jpegAt(1))
    await deps.db.updateTable('image_lookups').set({ superseded_at: deps.clock() }).execute()
    expect((await staffRequest('GET', `groups/${grade}`)).data).toMatchObject({ imageCount: 0, images: [] })
    expect(await staffRequest('DELETE', `groups/${grade}`)).toMatchObject({
      status: 422,
      errors: ['This group cannot be deleted: orders or carts use older images of it'],
    })
  })

  it('subjects of a deleted group stay and are no longer found by it', async () => {
    const { staffRequest, listNames, readSubject, ada, grade } = await setUp()
    expect(await staffRequest('DELETE', `groups/${grade}`)).toMatchObject({ status: 200 })
    expect((await readSubject(ada)).groups).toEqual([])
    expect(await listNames('filter=grade')).toEqual([])
  })
})
