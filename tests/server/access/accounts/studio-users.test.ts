import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { supportMessages } from '#domain/studio/support-access.ts'
import { purgeInvitations } from '#server/access/accounts/invitation-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { createSignInFixtures, password } from '../sign-in/sign-in-fixtures.ts'

const minute = 60 * 1000
const day = 24 * 60 * minute
const lastOwnerError = 'A studio needs an owner who can sign in. Make someone else an owner first'
const ira = { name: 'Ira', email: 'ira@riverside.test', role: 'staff' }

describe.each(enginesFor(import.meta.filename))('users of a studio on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const fixtures = await createSignInFixtures(database())
    let token = await fixtures.tokenOf('owner@riverside.test')
    const base = `/api/studioadmin/studios/${fixtures.studioId}`
    const invite = (body: object = ira) => fixtures.request('POST', `${base}/users`, { token, body })
    const listInvitations = async () => (await fixtures.request('GET', `${base}/invitations`, { token })).data
    const accept = (link: string, overrides: object = {}) =>
      fixtures.post('invitation/accept', { token: link, name: 'Ira Levin', password, ...overrides })
    const updateUser = async (email: string, change: object) => {
      const id = await fixtures.userId(email)
      const { data } = await fixtures.request('GET', `${base}/users/${id}`, { token })
      const { name, role, isDisabled, version } = data
      const body = { name, role, isDisabled, version, ...change }
      return await fixtures.request('PUT', `${base}/users/${id}`, { token, body })
    }
    const remove = async (email: string) =>
      fixtures.request('DELETE', `${base}/users/${await fixtures.userId(email)}`, { token })
    /** Advances the clock and signs the owner in again. */
    const advanceAndSignIn = async (milliseconds: number) => {
      fixtures.advance(milliseconds)
      token = await fixtures.tokenOf('owner@riverside.test')
    }
    const requestAsOwner = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
      fixtures.request(method, `${base}/${path}`, { token, ...(body && { body }) })
    return {
      ...fixtures,
      token,
      base,
      invite,
      listInvitations,
      accept,
      updateUser,
      remove,
      advanceAndSignIn,
      requestAsOwner,
    }
  }

  it('the list of users can be paged, filtered, sorted and limited to a role', async () => {
    const { request, token, base } = await setUp()
    const list = async (query = '') => (await request('GET', `${base}/users${query}`, { token })).data
    expect(await list()).toEqual([
      {
        ...{ id: 2, name: 'Olive', email: 'owner@riverside.test', role: 'owner', isDisabled: false, version: 1 },
        ...{ signedInAt: null, hasSecondFactor: false },
      },
      {
        ...{ id: 3, name: 'Sam', email: 'staff@riverside.test', role: 'staff', isDisabled: false, version: 1 },
        ...{ signedInAt: null, hasSecondFactor: false },
      },
    ])
    const names = async (query: string) => (await list(query)).resultItems.map(({ name }: { name: string }) => name)
    expect(await list('?currentPage=2&pageSize=1')).toMatchObject({
      ...{ currentPage: 2, pageSize: 1, totalRecords: 2 },
      resultItems: [{ name: 'Sam' }],
    })
    expect(await names('?currentPage=1&sort=-name')).toEqual(['Sam', 'Olive'])
    expect(await names('?filter=STAFF@')).toEqual(['Sam'])
    expect(await names('?filter=%25')).toEqual([])
    expect(await names('?currentPage=1&type=owner')).toEqual(['Olive'])
  })

  it('users and invitations are accessible to the studio’s owner, not to staff, another studio’s owner, or administrators with access', async () => {
    const { deps, request, tokenOf, base, studioId, otherStudioId } = await setUp()
    await grantSupportAccess(deps, studioId)
    const [staff, otherOwner, admin] = [
      await tokenOf('staff@riverside.test'),
      await tokenOf('owner@summit.test'),
      await tokenOf('admin@fieldproof.test'),
    ]
    for (const path of ['users', 'invitations']) {
      expect((await request('GET', `${base}/${path}`, { token: staff })).status).toBe(403)
      expect((await request('GET', `${base}/${path}`, { token: otherOwner })).status).toBe(404)
      expect(await request('GET', `${base}/${path}`, { token: admin })).toMatchObject({
        ...{ status: 403, errors: [supportMessages.ownersOnly] },
      })
    }
    expect((await request('POST', `${base}/users`, { token: admin, body: ira })).status).toBe(403)
    expect(await deps.db.selectFrom('invitations').select('id').execute()).toEqual([])
    // Ids of one studio under the path of the other.
    const summitBase = `/api/studioadmin/studios/${otherStudioId}`
    expect((await request('GET', `${summitBase}/users/3`, { token: otherOwner })).status).toBe(404)
    expect((await request('DELETE', `${summitBase}/users/3`, { token: otherOwner })).status).toBe(404)
    expect((await request('POST', `${base}/users`, { token: staff, body: ira })).status).toBe(403)
    expect(studioId).not.toBe(otherStudioId)
  })

  it('a user is invited by email and joins with the link', async () => {
    const { deps, request, token, base, invite, listInvitations, accept, newestToken, post, studioId } = await setUp()
    const { data: sent } = await invite({ ...ira, email: ' Ira@Riverside.test ' })
    expect(sent).toEqual({
      ...{ id: 1, ...ira, invitedBy: 'Olive', isExpired: false },
      ...{
        sentAt: expect.stringContaining('2027-04-15T10:00'),
        expiresAt: expect.stringContaining('2027-04-22T10:00'),
      },
    })
    expect(await listInvitations()).toEqual([sent])
    const link = await newestToken()
    expect((await post('invitation', { token: link })).data).toEqual({ studioName: 'Riverside Portraits', ...ira })
    const joined = await accept(link)
    expect(decodeJwt(joined.data.token)).toMatchObject({
      ...{ name: 'Ira Levin', email: ira.email, permission: 'studio.crud', studio_id: studioId },
    })
    expect(await listInvitations()).toEqual([])
    const { data } = await request('GET', `${base}/users?filter=ira`, { token })
    expect(data.resultItems).toMatchObject([{ name: 'Ira Levin', role: 'staff' }])
    const auditEntries = await deps.db.selectFrom('audit_log').select(['action', 'user_id']).orderBy('id').execute()
    expect(auditEntries).toEqual([
      { action: 'user.invited', user_id: 2 },
      { action: 'user.joined', user_id: 5 },
    ])
  })

  it('an invitation is accepted once: repeating the same request signs in, any other request is refused', async () => {
    const { invite, accept, newestToken, post } = await setUp()
    await invite()
    const link = await newestToken()
    await accept(link)
    expect((await accept(link)).data.token).toEqual(expect.any(String))
    const refusal = { status: 422, errors: ['This invitation was accepted already. Please log in'] }
    expect(await accept(link, { password: 'another good long one' })).toMatchObject(refusal)
    expect(await post('invitation', { token: link })).toMatchObject(refusal)
  })

  it('an expired, revoked, replaced or unknown invitation is refused', async () => {
    const { requestAsOwner, invite, accept, newestToken, advanceAndSignIn, listInvitations } = await setUp()
    await invite()
    const first = await newestToken()
    expect(await requestAsOwner('POST', 'invitations/1/resend', {})).toMatchObject({
      status: 422,
      errors: ['This was sent a moment ago. Please wait a minute'],
    })
    await advanceAndSignIn(minute)
    expect((await requestAsOwner('POST', 'invitations/1/resend', {})).data.sentAt).toContain('T10:01')
    const second = await newestToken()
    const unknownInvitation = {
      status: 422,
      errors: ['This invitation is not valid. Please look for a newer one in your email'],
    }
    expect(await accept(first)).toMatchObject(unknownInvitation)
    expect(await accept('A'.repeat(43))).toMatchObject(unknownInvitation)
    await advanceAndSignIn(7 * day)
    expect((await listInvitations())[0].isExpired).toBe(true)
    expect(await accept(second)).toMatchObject({
      status: 422,
      errors: ['This invitation was good for seven days. Please ask the studio for a new one'],
    })
    await invite()
    expect((await listInvitations()).length).toBe(1)
    const third = await newestToken()
    const [{ id }] = await listInvitations()
    expect(await requestAsOwner('DELETE', `invitations/${id}`)).toEqual({ status: 200, data: {} })
    expect((await requestAsOwner('DELETE', `invitations/${id}`)).status).toBe(404)
    expect(await accept(third)).toMatchObject({
      status: 422,
      errors: ['This invitation was withdrawn. Please ask the studio for a new one'],
    })
  })

  it('an invited address must not have an account already', async () => {
    const { invite, accept, newestToken, tokenOf, request, otherStudioId } = await setUp()
    const fieldsOf = async (email: string, name = 'Ira') => (await invite({ ...ira, email, name })).fields
    expect(await fieldsOf('staff@riverside.test')).toEqual({ email: ['They work here already'] })
    expect(await fieldsOf('OWNER@summit.test')).toEqual({ email: ['Someone already signs in with this address'] })
    expect(await fieldsOf('ira')).toEqual({ email: ['This value is not a valid email address'] })
    expect(await fieldsOf(ira.email, ' ')).toEqual({ name: ['This field is required'] })
    // Two studios invite the same address: the first accepted invitation counts.
    await invite()
    const riversideInvitation = await newestToken()
    const token = await tokenOf('owner@summit.test')
    await request('POST', `/api/studioadmin/studios/${otherStudioId}/users`, { token, body: ira })
    const summitInvitation = await newestToken()
    expect((await accept(riversideInvitation)).status).toBe(200)
    expect(await accept(summitInvitation, { password: 'another good long one' })).toMatchObject({
      errors: ['Someone already signs in with this address. Ask to be invited under another one'],
    })
  })

  it('a studio has at most fifty open invitations', async () => {
    const { deps, invite, studioId } = await setUp()
    const invitations = Array.from({ length: 50 }, (_, index) => ({
      ...{ studio_id: studioId, email: `n${index}@riverside.test`, name: 'N', role: 'staff' as const },
      ...{ token_hash: `${index}`, expires_at: deps.clock() },
    }))
    await deps.db.insertInto('invitations').values(invitations).execute()
    expect((await invite()).errors).toEqual(['50 invitations wait for an answer. Take one back first'])
    await purgeInvitations({ db: deps.db, clock: () => new Date(deps.clock().getTime() + 91 * day) })
    expect((await invite()).status).toBe(200)
  })

  it('a changed role takes effect at the next refresh', async () => {
    const { post, updateUser, signIn } = await setUp()
    const sam = (await signIn('staff@riverside.test')).data
    expect((await updateUser('staff@riverside.test', { role: 'owner', name: ' Samuel ' })).data).toMatchObject({
      ...{ role: 'owner', name: 'Samuel', version: 2 },
    })
    const next = (await post('refresh', { refreshToken: sam.refreshToken })).data
    expect(decodeJwt(next.token)).toMatchObject({
      name: 'Samuel',
      permission: expect.arrayContaining(['studio.users.crud']),
    })
    expect(await updateUser('staff@riverside.test', { version: 1 })).toMatchObject({ status: 409, problem: 'conflict' })
  })

  it('a disabled user is refused at the next call although the token is valid, and can sign in again once enabled', async () => {
    const { request, base, deps, post, updateUser, signIn } = await setUp()
    const sam = (await signIn('staff@riverside.test')).data
    // Calls about a studio and calls about the user alone use different queries.
    const paths = [`${base}/organizations`, '/api/account']
    const statuses = async () => {
      const answers = await Promise.all(paths.map((path) => request('GET', path, { token: sam.token })))
      return answers.map(({ status }) => status)
    }
    expect(await statuses()).toEqual([200, 200])
    await updateUser('staff@riverside.test', { isDisabled: true })
    expect(await statuses()).toEqual([401, 401])
    const before = await deps.db.selectFrom('organizations').select('id').execute()
    expect((await request('POST', `${base}/organizations`, { token: sam.token, body: {} })).status).toBe(401)
    expect(await deps.db.selectFrom('organizations').select('id').execute()).toEqual(before)
    expect((await post('refresh', { refreshToken: sam.refreshToken })).errors).toEqual(['Invalid token'])
    expect((await signIn('staff@riverside.test')).status).toBe(401)
    await updateUser('staff@riverside.test', { isDisabled: false })
    expect((await signIn('staff@riverside.test')).status).toBe(200)
    expect((await post('refresh', { refreshToken: sam.refreshToken })).status).toBe(401)
  })

  it('a removed user’s sign-ins and account end, their name stays in records, and they can be invited again', async () => {
    const { deps, request, token, base, post, signIn, remove, invite, accept, newestToken, userId } = await setUp()
    const sam = (await signIn('staff@riverside.test')).data
    const id = await userId('staff@riverside.test')
    expect(await remove('staff@riverside.test')).toEqual({ status: 200, data: {} })
    expect((await remove('staff@riverside.test')).status).toBe(404)
    expect((await post('refresh', { refreshToken: sam.refreshToken })).errors).toEqual(['Invalid token'])
    expect((await request('GET', '/api/account', { token: sam.token })).status).toBe(401)
    expect((await signIn('staff@riverside.test')).status).toBe(401)
    expect((await request('GET', `${base}/users`, { token })).data).toHaveLength(1)
    expect((await request('GET', `${base}/users/${id}`, { token })).status).toBe(404)
    const row = deps.db.selectFrom('users').select(['name', 'password_hash']).where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({ name: 'Sam', password_hash: null })
    await invite({ ...ira, email: 'staff@riverside.test' })
    expect((await accept(await newestToken())).status).toBe(200)
  })

  it('a studio always has an owner who can sign in', async () => {
    const { request, updateUser, remove, tokenOf, userId, base } = await setUp()
    const refused = { status: 422, errors: [lastOwnerError] }
    const message = expect.stringMatching(/^This user is in use: .+ needs an owner who can sign in/)
    const isInUse = { status: 409, errors: [message] }
    expect(await remove('owner@riverside.test')).toMatchObject(isInUse)
    expect(await updateUser('owner@riverside.test', { role: 'staff' })).toMatchObject(refused)
    expect(await updateUser('owner@riverside.test', { isDisabled: true })).toMatchObject(refused)
    await updateUser('staff@riverside.test', { role: 'owner', isDisabled: true })
    expect(await remove('owner@riverside.test')).toMatchObject(isInUse)
    await updateUser('staff@riverside.test', { isDisabled: false })
    // When two owners remove each other at the same moment, one of them stays.
    const [olive, sam] = [await userId('owner@riverside.test'), await userId('staff@riverside.test')]
    const [asOlive, asSam] = [await tokenOf('owner@riverside.test'), await tokenOf('staff@riverside.test')]
    const answers = await Promise.all([
      request('DELETE', `${base}/users/${sam}`, { token: asOlive }),
      request('DELETE', `${base}/users/${olive}`, { token: asSam }),
    ])
    // The second owner is disabled by then, or is the last one.
    expect([
      [200, 401],
      [200, 409],
    ]).toContainEqual(answers.map(({ status }) => status).toSorted())
  })
})
