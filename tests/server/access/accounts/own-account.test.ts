import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { createSignInFixtures } from '../sign-in/sign-in-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('a user’s own account on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const fixtures = await createSignInFixtures(database())
    const token = await fixtures.tokenOf('staff@riverside.test')
    const preferencesPath = `/api/studioadmin/studios/${fixtures.studioId}/UserPreferences`
    return { ...fixtures, token, preferencesPath }
  }

  it('the account shows the user and the studio they work in', async () => {
    const { request, token, userId, tokenOf, studioId } = await setUp()
    expect((await request('GET', '/api/account', { token })).data).toEqual({
      ...{
        id: await userId('staff@riverside.test'),
        name: 'Sam',
        email: 'staff@riverside.test',
        role: 'staff',
        version: 1,
      },
      ...{ studioId, studioName: 'Riverside Portraits' },
    })
    const adminToken = await tokenOf('admin@fieldproof.test')
    expect((await request('GET', '/api/account', { token: adminToken })).data).toMatchObject({
      ...{ role: 'administrator', studioId: null, studioName: null },
    })
  })

  it('a user can change only their name, and only if the version is current', async () => {
    const { request, token } = await setUp()
    const patch = (body: object) => request('PATCH', '/api/account', { token, body })
    expect((await patch({ version: 1, name: ' Samuel ' })).data).toMatchObject({ name: 'Samuel', version: 2 })
    expect(await patch({ version: 1, name: 'Sammy' })).toMatchObject({ status: 409, problem: 'conflict' })
    expect(await patch({ version: 2, name: ' ' })).toMatchObject({ fields: { name: ['This field is required'] } })
    expect((await patch({ version: 2, name: 'S', email: 'else@x.test' })).status).toBe(400)
    expect((await patch({ version: 2, name: 'S', role: 'owner' })).status).toBe(400)
  })

  it('preferences have the defaults of section 9 until they are changed', async () => {
    const { request, token, userId, preferencesPath } = await setUp()
    const first = (await request('GET', preferencesPath, { token })).data
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
    expect((await request('PATCH', preferencesPath, { token, body })).data).toEqual(changed)
    const secondChange = { BuildImagesPerRow: 3 }
    const changedTwice = { ...changed, buildImagesPerRow: 3 }
    expect((await request('PATCH', '/api/account/preferences', { token, body: secondChange })).data).toEqual(
      changedTwice,
    )
    expect((await request('GET', preferencesPath, { token })).data).toEqual(changedTwice)
  })

  it('each user has separate preferences, including an administrator who uses a studio’s path; the path of another studio returns 404', async () => {
    const { deps, request, tokenOf, token, userId, preferencesPath, studioId } = await setUp()
    await grantSupportAccess(deps, studioId)
    await request('PATCH', preferencesPath, { token, body: { UseDarkMode: true } })
    const adminToken = await tokenOf('admin@fieldproof.test')
    expect((await request('GET', preferencesPath, { token: adminToken })).data).toMatchObject({
      ...{ userId: await userId('admin@fieldproof.test'), useDarkMode: false },
    })
    const summitOwner = await tokenOf('owner@summit.test')
    expect((await request('GET', preferencesPath, { token: summitOwner })).status).toBe(404)
  })

  it.each([
    [{ BuildMaximumCropperSize: 99 }],
    [{ BuildMaximumCropperSize: 1201 }],
    [{ BuildMaximumCropperSize: 200.5 }],
    [{ BuildImagesPerRow: 0 }],
    [{ BuildImagesPerRow: 13 }],
    [{ UseDarkMode: 'yes' }],
    [{ useDarkMode: true }],
  ])('a preference of %j is rejected', async (body) => {
    const { request, token, preferencesPath } = await setUp()
    expect(await request('PATCH', preferencesPath, { token, body })).toMatchObject({
      status: 400,
      fields: { [Object.keys(body)[0] ?? '']: [expect.any(String)] },
    })
  })

  it('a removed user is no longer signed in', async () => {
    const { deps, request, token, preferencesPath } = await setUp()
    const removal = { disabled_at: deps.clock(), removed_at: deps.clock() }
    await deps.db.updateTable('users').set(removal).where('name', '=', 'Sam').execute()
    const body = { version: 1, name: 'Sam' }
    for (const answer of [
      await request('GET', '/api/account', { token }),
      await request('PATCH', '/api/account', { token, body }),
      await request('GET', preferencesPath, { token }),
      await request('PATCH', preferencesPath, { token, body: {} }),
    ]) {
      expect(answer).toMatchObject({ status: 401, problem: 'not-signed-in' })
    }
  })
})
