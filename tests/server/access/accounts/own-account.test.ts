import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createSignInFixtures } from '../sign-in/sign-in-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('a user’s own account on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = async () => {
    const desk = await createSignInFixtures(database())
    const token = await desk.tokenOf('staff@riverside.test')
    const preferences = `/api/studioadmin/studios/${desk.studioId}/UserPreferences`
    return { ...desk, token, preferences }
  }

  it('the account shows the user and the studio they work in', async () => {
    const { ask, token, userId, tokenOf, studioId } = await begin()
    expect((await ask('GET', '/api/account', { token })).data).toEqual({
      ...{
        id: await userId('staff@riverside.test'),
        name: 'Sam',
        email: 'staff@riverside.test',
        role: 'staff',
        version: 1,
      },
      ...{ studioId, studioName: 'Riverside Portraits' },
    })
    const admin = await tokenOf('admin@fieldproof.test')
    expect((await ask('GET', '/api/account', { token: admin })).data).toMatchObject({
      ...{ role: 'administrator', studioId: null, studioName: null },
    })
  })

  it('a user changes only the name, and only from the version they read', async () => {
    const { ask, token } = await begin()
    const patch = (body: object) => ask('PATCH', '/api/account', { token, body })
    expect((await patch({ version: 1, name: ' Samuel ' })).data).toMatchObject({ name: 'Samuel', version: 2 })
    expect(await patch({ version: 1, name: 'Sammy' })).toMatchObject({ status: 409, problem: 'conflict' })
    expect(await patch({ version: 2, name: ' ' })).toMatchObject({ fields: { name: ['This field is required'] } })
    expect((await patch({ version: 2, name: 'S', email: 'else@x.test' })).status).toBe(400)
    expect((await patch({ version: 2, name: 'S', role: 'owner' })).status).toBe(400)
  })

  it('preferences have the defaults of section 9 until they are changed', async () => {
    const { ask, token, userId, preferences } = await begin()
    const first = (await ask('GET', preferences, { token })).data
    expect(first).toEqual({
      ...{
        id: 1,
        userId: await userId('staff@riverside.test'),
        buildMaximumCropperSize: 200,
        buildImagesPerRow: 6,
        useDarkMode: false,
      },
    })
    const body = { BuildMaximumCropperSize: 480, UseDarkMode: true }
    const changed = { ...first, buildMaximumCropperSize: 480, useDarkMode: true }
    expect((await ask('PATCH', preferences, { token, body })).data).toEqual(changed)
    const more = { BuildImagesPerRow: 3 }
    const both = { ...changed, buildImagesPerRow: 3 }
    expect((await ask('PATCH', '/api/account/preferences', { token, body: more })).data).toEqual(both)
    expect((await ask('GET', preferences, { token })).data).toEqual(both)
  })

  it('preferences belong to the user, whichever studio the path names', async () => {
    const { ask, tokenOf, token, userId, preferences } = await begin()
    await ask('PATCH', preferences, { token, body: { UseDarkMode: true } })
    const admin = await tokenOf('admin@fieldproof.test')
    expect((await ask('GET', preferences, { token: admin })).data).toMatchObject({
      ...{ userId: await userId('admin@fieldproof.test'), useDarkMode: false },
    })
    const elsewhere = await tokenOf('owner@summit.test')
    expect((await ask('GET', preferences, { token: elsewhere })).status).toBe(404)
  })

  it.each([
    [{ BuildMaximumCropperSize: 99 }],
    [{ BuildMaximumCropperSize: 1201 }],
    [{ BuildMaximumCropperSize: 200.5 }],
    [{ BuildImagesPerRow: 0 }],
    [{ BuildImagesPerRow: 13 }],
    [{ UseDarkMode: 'yes' }],
    [{ useDarkMode: true }],
  ])('a name or preference of %j is refused', async (body) => {
    const { ask, token, preferences } = await begin()
    expect(await ask('PATCH', preferences, { token, body })).toMatchObject({
      status: 400,
      fields: { [Object.keys(body)[0] ?? '']: [expect.any(String)] },
    })
  })

  it('the account of a removed user is not found', async () => {
    const { deps, ask, token, preferences } = await begin()
    const gone = { disabled_at: deps.clock(), removed_at: deps.clock() }
    await deps.db.updateTable('users').set(gone).where('name', '=', 'Sam').execute()
    const body = { version: 1, name: 'Sam' }
    for (const answer of [
      await ask('GET', '/api/account', { token }),
      await ask('PATCH', '/api/account', { token, body }),
      await ask('GET', preferences, { token }),
      await ask('PATCH', preferences, { token, body: {} }),
    ]) {
      expect(answer).toMatchObject({ status: 401, problem: 'not-signed-in' })
    }
  })
})
