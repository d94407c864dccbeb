import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createSignInFixtures, password } from '../sign-in/sign-in-fixtures.ts'

const url = '/api/admin/users'

describe.each(enginesFor(import.meta.filename))('users of all studios on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createSignInFixtures(database())
    const token = await fixtures.tokenOf('admin@fieldproof.test')
    const asAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', body?: object) =>
      fixtures.request(method, path.startsWith('/api') ? path : `${url}${path}`, { token, ...(body && { body }) })
    const accountStatus = async (userToken: string) =>
      (await fixtures.request('GET', '/api/account', { token: userToken })).status
    return { ...fixtures, token, asAdmin, accountStatus }
  }

  it('the list can be searched, filtered by role, studio and state, sorted and paged', async () => {
    const { asAdmin, studioId, userId } = await setUp()
    const sam = await userId('staff@riverside.test')
    await asAdmin('PUT', `/${sam}`, { name: 'Sam', role: 'staff', isDisabled: true })
    const names = async (query: string) =>
      (await asAdmin('GET', `?currentPage=1&${query}`)).data.resultItems.map(({ name }: { name: string }) => name)
    expect(await names('sort=-name')).toEqual(['Sam', 'Olive', 'Dana', 'Alex'])
    expect(await names('sort=studio')).toEqual(['Olive', 'Sam', 'Dana', 'Alex'])
    expect(await names('filter=SUMMIT.test')).toEqual(['Dana'])
    expect(await names('filter=sum%20dan')).toEqual(['Dana'])
    expect(await names('filter=ana')).toEqual([])
    expect(await names('filter=\\%25!')).toHaveLength(4)
    expect(await names('type=administrator')).toEqual(['Alex'])
    expect(await names(`studioId=${studioId}&sort=name`)).toEqual(['Olive', 'Sam'])
    expect(await names('state=disabled')).toEqual(['Sam'])
    expect(await names(`studioId=${studioId}&state=enabled`)).toEqual(['Olive'])
    expect((await asAdmin('GET', '?currentPage=2&pageSize=3')).data).toMatchObject({ totalRecords: 4 })
    expect((await asAdmin('GET', `/${sam}`)).data).toMatchObject({ studioId, studioName: 'Riverside Portraits' })
  })

  it('an administrator, and the owner of a studio that has none, are invited and join', async () => {
    const { deps, asAdmin, post, newestToken, studioId, advance } = await setUp()
    const invite = (email: string, role: string, ofStudio: number | null) =>
      asAdmin('POST', '', { name: 'Ira', email, role, studioId: ofStudio })
    expect((await invite('ira@fieldproof.test', 'administrator', studioId)).fields).toEqual({
      role: ['Administrators do not belong to a studio'],
    })
    expect((await invite('ira@fieldproof.test', 'owner', null)).fields).toEqual({
      role: ['Choose a studio for this role'],
    })
    expect((await invite('ira@fieldproof.test', 'owner', 999)).status).toBe(404)
    expect((await invite('owner@riverside.test', 'administrator', null)).fields).toEqual({
      email: ['Someone already signs in with this address'],
    })
    const { data: invitation } = await invite('ira@fieldproof.test', 'administrator', null)
    expect(invitation).toMatchObject({ role: 'administrator', studioId: null, studioName: null, invitedBy: 'Alex' })
    advance(60_000)
    expect((await asAdmin('POST', `/api/admin/invitations/${invitation.id}/resend`, {})).status).toBe(200)
    const token = await newestToken()
    expect((await post('invitation', { token })).data).toMatchObject({ studioName: null, role: 'administrator' })
    const joined = (await post('invitation/accept', { token, name: 'Ira', password })).data
    expect(joined).toMatchObject({ step: 'set-up', stepToken: expect.any(String) })
    const { data: owner } = await invite('lou@lakeside.test', 'owner', await given(deps).studio({ slug: 'lakeside' }))
    const list = async () => (await asAdmin('GET', '/api/admin/invitations')).data
    expect(await list()).toEqual([owner])
    expect((await asAdmin('DELETE', `/api/admin/invitations/${owner.id}`)).status).toBe(200)
    expect((await asAdmin('DELETE', `/api/admin/invitations/${owner.id}`)).status).toBe(404)
    expect(await list()).toEqual([])
    expect((await asAdmin('GET', '?type=administrator&currentPage=1')).data.resultItems).toHaveLength(2)
  })

  it('when all sign-ins of a user end, the next request is refused, and they can sign in again', async () => {
    const { deps, asAdmin, signIn, post, userId, accountStatus, advance } = await setUp()
    const id = await userId('staff@riverside.test')
    const sam = (await signIn('staff@riverside.test')).data
    const olive = (await signIn('owner@riverside.test')).data
    advance(1)
    expect(await accountStatus(sam.token)).toBe(200)
    expect(await asAdmin('POST', `/${id}/end-sessions`, {})).toEqual({ status: 200, data: {} })
    expect(await accountStatus(sam.token)).toBe(401)
    expect((await post('refresh', { refreshToken: sam.refreshToken })).errors).toEqual(['Invalid token'])
    expect(await accountStatus(olive.token)).toBe(200)
    expect(await accountStatus((await signIn('staff@riverside.test')).data.token)).toBe(200)
    expect((await asAdmin('POST', '/999/end-sessions', {})).status).toBe(404)
    const entries = await deps.db.selectFrom('audit_log').select(['action', 'entity_id', 'user_id']).execute()
    expect(entries).toEqual([
      { action: 'user.sessions-ended', entity_id: String(id), user_id: await userId('admin@fieldproof.test') },
    ])
  })

  it('a disabled or removed user is refused at the next request; a stale change is a conflict', async () => {
    const { asAdmin, tokenOf, userId, accountStatus } = await setUp()
    const [sam, dana] = [await userId('staff@riverside.test'), await userId('owner@summit.test')]
    const token = await tokenOf('staff@riverside.test')
    const change = { name: 'Sam', role: 'staff', isDisabled: true, version: 1 }
    expect((await asAdmin('PUT', `/${sam}`, change)).data).toMatchObject({ isDisabled: true, version: 2 })
    expect(await accountStatus(token)).toBe(401)
    expect((await asAdmin('PUT', `/${sam}`, change)).status).toBe(409)
    expect((await asAdmin('DELETE', `/${sam}`)).status).toBe(200)
    expect((await asAdmin('DELETE', `/${sam}`)).status).toBe(404)
    expect(await asAdmin('DELETE', `/${dana}`)).toMatchObject({
      status: 409,
      errors: [expect.stringMatching(/^This user is in use: .+ needs an owner who can sign in/)],
    })
    expect((await asAdmin('PUT', `/${dana}`, { name: 'Dana', role: 'administrator', isDisabled: false })).status).toBe(
      422,
    )
  })

  it('administrators cannot disable or remove themselves, and one of them always remains', async () => {
    const { deps, request, asAdmin, tokenOf, userId, token } = await setUp()
    const alex = await userId('admin@fieldproof.test')
    const disabled = { name: 'Alex', role: 'administrator', isDisabled: true }
    expect((await asAdmin('DELETE', `/${alex}`)).errors).toEqual(['You cannot remove yourself'])
    expect((await asAdmin('PUT', `/${alex}`, disabled)).errors).toEqual(['You cannot disable yourself'])
    const { id: kim } = await deps.db
      .insertInto('users')
      .values({ email: 'kim@fieldproof.test', name: 'Kim', role: 'administrator' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const kimToken = await tokenOf('kim@fieldproof.test')
    const answers = await Promise.all([
      request('DELETE', `${url}/${kim}`, { token }),
      request('DELETE', `${url}/${alex}`, { token: kimToken }),
    ])
    // The other administrator is refused because they are removed by then, or because they are the last one's remover.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const left = deps.db.selectFrom('users').select('id').where('role', '=', 'administrator')
    expect(await left.where('removed_at', 'is', null).execute()).toHaveLength(1)
  })
})
