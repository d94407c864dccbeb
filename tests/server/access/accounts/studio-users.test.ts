import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { purgeInvitations } from '#server/access/accounts/invitation-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createSignInFixtures, password } from '../sign-in/sign-in-fixtures.ts'

const minute = 60 * 1000
const day = 24 * 60 * minute
const lastOwner = 'A studio needs an owner who can sign in. Make somebody else an owner first'
const ira = { name: 'Ira', email: 'ira@riverside.test', role: 'staff' }

describe.each(enginesFor(import.meta.filename))('users of a studio on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = async () => {
    const desk = await createSignInFixtures(database())
    let token = await desk.tokenOf('owner@riverside.test')
    const base = `/api/studioadmin/studios/${desk.studioId}`
    const invite = (body: object = ira) => desk.ask('POST', `${base}/users`, { token, body })
    const open = async () => (await desk.ask('GET', `${base}/invitations`, { token })).data
    const accept = (link: string, own: object = {}) =>
      desk.post('invitation/accept', { token: link, name: 'Ira Levin', password, ...own })
    const put = async (email: string, change: object) => {
      const id = await desk.userId(email)
      const { data } = await desk.ask('GET', `${base}/users/${id}`, { token })
      const { name, role, isDisabled, version } = data
      const body = { name, role, isDisabled, version, ...change }
      return await desk.ask('PUT', `${base}/users/${id}`, { token, body })
    }
    const remove = async (email: string) => desk.ask('DELETE', `${base}/users/${await desk.userId(email)}`, { token })
    /** Days later, still signed in. */
    const later = async (milliseconds: number) => {
      desk.advance(milliseconds)
      token = await desk.tokenOf('owner@riverside.test')
    }
    const askAs = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
      desk.ask(method, `${base}/${path}`, { token, ...(body && { body }) })
    return { ...desk, token, base, invite, open, accept, put, remove, later, askAs }
  }

  it('users are listed whole, paged, filtered, sorted and by role', async () => {
    const { ask, token, base } = await begin()
    const list = async (query = '') => (await ask('GET', `${base}/users${query}`, { token })).data
    expect(await list()).toEqual([
      {
        ...{ id: 2, name: 'Olive', email: 'owner@riverside.test', role: 'owner', isDisabled: false, version: 1 },
        signedInAt: null,
      },
      {
        ...{ id: 3, name: 'Sam', email: 'staff@riverside.test', role: 'staff', isDisabled: false, version: 1 },
        signedInAt: null,
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

  it('only the studio’s owner lists and edits its users, not staff and not another studio’s owner', async () => {
    const { ask, tokenOf, base, studioId, elsewhereId } = await begin()
    const [staff, elsewhere, admin] = [
      await tokenOf('staff@riverside.test'),
      await tokenOf('owner@summit.test'),
      await tokenOf('admin@fieldproof.test'),
    ]
    for (const path of ['users', 'invitations']) {
      expect((await ask('GET', `${base}/${path}`, { token: staff })).status).toBe(403)
      expect((await ask('GET', `${base}/${path}`, { token: elsewhere })).status).toBe(404)
      expect((await ask('GET', `${base}/${path}`, { token: admin })).status).toBe(200)
    }
    // Ids of one studio under the path of the other.
    const there = `/api/studioadmin/studios/${elsewhereId}`
    expect((await ask('GET', `${there}/users/3`, { token: elsewhere })).status).toBe(404)
    expect((await ask('DELETE', `${there}/users/3`, { token: elsewhere })).status).toBe(404)
    expect((await ask('POST', `${base}/users`, { token: staff, body: ira })).status).toBe(403)
    expect(studioId).not.toBe(elsewhereId)
  })

  it('a user is invited by e-mail and joins by the link', async () => {
    const { deps, ask, token, base, invite, open, accept, newestToken, post, studioId } = await begin()
    const { data: sent } = await invite({ ...ira, email: ' Ira@Riverside.test ' })
    expect(sent).toEqual({
      ...{ id: 1, ...ira, invitedBy: 'Olive', isExpired: false },
      ...{
        sentAt: expect.stringContaining('2027-04-15T10:00'),
        expiresAt: expect.stringContaining('2027-04-22T10:00'),
      },
    })
    expect(await open()).toEqual([sent])
    const link = await newestToken()
    expect((await post('invitation', { token: link })).data).toEqual({ studioName: 'Riverside Portraits', ...ira })
    const joined = await accept(link)
    expect(decodeJwt(joined.data.token)).toMatchObject({
      ...{ name: 'Ira Levin', email: ira.email, permission: 'studio.crud', studio_id: studioId },
    })
    expect(await open()).toEqual([])
    const { data } = await ask('GET', `${base}/users?filter=ira`, { token })
    expect(data.resultItems).toMatchObject([{ name: 'Ira Levin', role: 'staff' }])
    const trail = await deps.db.selectFrom('audit_log').select(['action', 'user_id']).orderBy('id').execute()
    expect(trail).toEqual([
      { action: 'user.invited', user_id: 2 },
      { action: 'user.joined', user_id: 5 },
    ])
  })

  it('an invitation is accepted once: the same request again signs in, any other request is refused', async () => {
    const { invite, accept, newestToken, post } = await begin()
    await invite()
    const link = await newestToken()
    await accept(link)
    expect((await accept(link)).data.token).toEqual(expect.any(String))
    const over = { status: 422, errors: ['This invitation was accepted already. Please log in'] }
    expect(await accept(link, { password: 'another good long one' })).toMatchObject(over)
    expect(await post('invitation', { token: link })).toMatchObject(over)
  })

  it('an expired, revoked, replaced or unknown invitation is refused', async () => {
    const { askAs, invite, accept, newestToken, later, open } = await begin()
    await invite()
    const first = await newestToken()
    expect(await askAs('POST', 'invitations/1/resend', {})).toMatchObject({
      status: 422,
      errors: ['This was sent a moment ago. Please wait a minute'],
    })
    await later(minute)
    expect((await askAs('POST', 'invitations/1/resend', {})).data.sentAt).toContain('T10:01')
    const second = await newestToken()
    const unknown = {
      status: 422,
      errors: ['We do not know this invitation. Please look for a newer one in your mail'],
    }
    expect(await accept(first)).toMatchObject(unknown)
    expect(await accept('A'.repeat(43))).toMatchObject(unknown)
    await later(7 * day)
    expect((await open())[0].isExpired).toBe(true)
    expect(await accept(second)).toMatchObject({
      status: 422,
      errors: ['This invitation was good for seven days. Please ask the studio for a new one'],
    })
    await invite()
    expect((await open()).length).toBe(1)
    const third = await newestToken()
    const [{ id }] = await open()
    expect(await askAs('DELETE', `invitations/${id}`)).toEqual({ status: 200, data: {} })
    expect((await askAs('DELETE', `invitations/${id}`)).status).toBe(404)
    expect(await accept(third)).toMatchObject({
      status: 422,
      errors: ['This invitation was taken back. Please ask the studio for a new one'],
    })
  })

  it('an invited address must not have an account already', async () => {
    const { invite, accept, newestToken, tokenOf, ask, elsewhereId } = await begin()
    const fieldsOf = async (email: string, name = 'Ira') => (await invite({ ...ira, email, name })).fields
    expect(await fieldsOf('staff@riverside.test')).toEqual({ email: ['They work here already'] })
    expect(await fieldsOf('OWNER@summit.test')).toEqual({ email: ['Somebody already signs in with this address'] })
    expect(await fieldsOf('ira')).toEqual({ email: ['This value is not a valid email address'] })
    expect(await fieldsOf(ira.email, ' ')).toEqual({ name: ['This field is required'] })
    // Two studios invite the same address: the first accepted invitation counts.
    await invite()
    const here = await newestToken()
    const token = await tokenOf('owner@summit.test')
    await ask('POST', `/api/studioadmin/studios/${elsewhereId}/users`, { token, body: ira })
    const there = await newestToken()
    expect((await accept(here)).status).toBe(200)
    expect(await accept(there, { password: 'another good long one' })).toMatchObject({
      errors: ['Somebody already signs in with this address. Ask to be invited under another one'],
    })
  })

  it('a studio has at most fifty open invitations', async () => {
    const { deps, invite, studioId } = await begin()
    const letters = Array.from({ length: 50 }, (_, index) => ({
      ...{ studio_id: studioId, email: `n${index}@riverside.test`, name: 'N', role: 'staff' as const },
      ...{ token_hash: `${index}`, expires_at: deps.clock() },
    }))
    await deps.db.insertInto('invitations').values(letters).execute()
    expect((await invite()).errors).toEqual(['50 invitations wait for an answer. Take one back first'])
    await purgeInvitations({ db: deps.db, clock: () => new Date(deps.clock().getTime() + 91 * day) })
    expect((await invite()).status).toBe(200)
  })

  it('a changed role takes effect at the next refresh', async () => {
    const { post, put, signIn } = await begin()
    const sam = (await signIn('staff@riverside.test')).data
    expect((await put('staff@riverside.test', { role: 'owner', name: ' Samuel ' })).data).toMatchObject({
      ...{ role: 'owner', name: 'Samuel', version: 2 },
    })
    const next = (await post('refresh', { refreshToken: sam.refreshToken })).data
    expect(decodeJwt(next.token)).toMatchObject({
      name: 'Samuel',
      permission: expect.arrayContaining(['studio.users.crud']),
    })
    expect(await put('staff@riverside.test', { version: 1 })).toMatchObject({ status: 409, problem: 'conflict' })
  })

  it('a disabled user is refused at the next call although the token is valid, and works again once enabled', async () => {
    const { ask, base, deps, post, put, signIn } = await begin()
    const sam = (await signIn('staff@riverside.test')).data
    // Calls about a studio and calls about the user alone use different queries.
    const paths = [`${base}/organizations`, '/api/account']
    const statuses = async () => {
      const answers = await Promise.all(paths.map((path) => ask('GET', path, { token: sam.token })))
      return answers.map(({ status }) => status)
    }
    expect(await statuses()).toEqual([200, 200])
    await put('staff@riverside.test', { isDisabled: true })
    expect(await statuses()).toEqual([401, 401])
    const before = await deps.db.selectFrom('organizations').select('id').execute()
    expect((await ask('POST', `${base}/organizations`, { token: sam.token, body: {} })).status).toBe(401)
    expect(await deps.db.selectFrom('organizations').select('id').execute()).toEqual(before)
    expect((await post('refresh', { refreshToken: sam.refreshToken })).errors).toEqual(['Invalid token'])
    expect((await signIn('staff@riverside.test')).status).toBe(401)
    await put('staff@riverside.test', { isDisabled: false })
    expect((await signIn('staff@riverside.test')).status).toBe(200)
    expect((await post('refresh', { refreshToken: sam.refreshToken })).status).toBe(401)
  })

  it('a removed user’s sign-ins and account end, their name stays in records, and they can be invited again', async () => {
    const { deps, ask, token, base, post, signIn, remove, invite, accept, newestToken, userId } = await begin()
    const sam = (await signIn('staff@riverside.test')).data
    const id = await userId('staff@riverside.test')
    expect(await remove('staff@riverside.test')).toEqual({ status: 200, data: {} })
    expect((await remove('staff@riverside.test')).status).toBe(404)
    expect((await post('refresh', { refreshToken: sam.refreshToken })).errors).toEqual(['Invalid token'])
    expect((await ask('GET', '/api/account', { token: sam.token })).status).toBe(401)
    expect((await signIn('staff@riverside.test')).status).toBe(401)
    expect((await ask('GET', `${base}/users`, { token })).data).toHaveLength(1)
    expect((await ask('GET', `${base}/users/${id}`, { token })).status).toBe(404)
    const row = deps.db.selectFrom('users').select(['name', 'password_hash']).where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({ name: 'Sam', password_hash: null })
    await invite({ ...ira, email: 'staff@riverside.test' })
    expect((await accept(await newestToken())).status).toBe(200)
  })

  it('a studio always has an owner who can sign in', async () => {
    const { ask, put, remove, tokenOf, userId, base } = await begin()
    const refused = { status: 422, errors: [lastOwner] }
    expect(await remove('owner@riverside.test')).toMatchObject(refused)
    expect(await put('owner@riverside.test', { role: 'staff' })).toMatchObject(refused)
    expect(await put('owner@riverside.test', { isDisabled: true })).toMatchObject(refused)
    await put('staff@riverside.test', { role: 'owner', isDisabled: true })
    expect(await remove('owner@riverside.test')).toMatchObject(refused)
    await put('staff@riverside.test', { isDisabled: false })
    // Two owners who remove each other at the same moment: one is left.
    const [olive, sam] = [await userId('owner@riverside.test'), await userId('staff@riverside.test')]
    const [asOlive, asSam] = [await tokenOf('owner@riverside.test'), await tokenOf('staff@riverside.test')]
    const answers = await Promise.all([
      ask('DELETE', `${base}/users/${sam}`, { token: asOlive }),
      ask('DELETE', `${base}/users/${olive}`, { token: asSam }),
    ])
    // The second owner is disabled by then, or is the last one.
    expect([
      [200, 401],
      [200, 422],
    ]).toContainEqual(answers.map(({ status }) => status).toSorted())
  })
})
