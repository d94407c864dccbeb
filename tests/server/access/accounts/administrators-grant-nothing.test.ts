import { describe, expect, it } from 'vitest'
import { userGrantMessages } from '#domain/platform/platform-studio.ts'
import { sendStudioEmail } from '#server/platform/studio-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { createSignInFixtures, password } from '../sign-in/sign-in-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('administrators and the users of a studio on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createSignInFixtures(database())
    const { deps, jobs, mailTexts, request, studioId, userId } = fixtures
    const token = await fixtures.tokenOf('admin@fieldproof.test')
    const asAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
      request(method, `/api/admin/users${path}`, { token, ...(body && { body }) })
    const invite = (role: 'owner' | 'staff', email: string, ofStudio = studioId) =>
      asAdmin('POST', '', { name: 'Ira', email, role, studioId: ofStudio })
    const accept = async (link: string) =>
      await fixtures.post('invitation/accept', { token: link, name: 'Ira', password })
    /** Sends the emails about the studio, and returns who gets which. */
    const emails = async () => {
      for (const { name, payload } of jobs.splice(0))
        if (name === 'send-studio-email') await sendStudioEmail(deps, payload)
      const sent = deps.db
        .selectFrom('mail_log')
        .select(['to_email as to', 'subject'])
        .orderBy('to_email')
        .orderBy('id')
      return { texts: mailTexts, sent: (await sent.execute()).map(({ to, subject }) => [to, subject]) }
    }
    const [olive, sam] = [await userId('owner@riverside.test'), await userId('staff@riverside.test')]
    return { ...fixtures, asAdmin, invite, accept, emails, olive, sam }
  }

  it('where a studio has an owner, an administrator invites no user, and gives no user more rights', async () => {
    const { deps, asAdmin, invite, sam, olive } = await setUp()
    const roles = async () => {
      const users = deps.db.selectFrom('users').select(['id', 'role', 'disabled_at as disabledAt'])
      return await users.where('id', 'in', [sam, olive]).orderBy('id').execute()
    }
    const before = await roles()
    for (const role of ['owner', 'staff'] as const)
      expect(await invite(role, 'alex@mine.test')).toMatchObject({
        ...{ status: 422, errors: [userGrantMessages.ownersInvite] },
      })
    const promote = { name: 'Sam', role: 'owner', isDisabled: false }
    expect(await asAdmin('PUT', `/${sam}`, promote)).toMatchObject({
      ...{ status: 422, errors: [userGrantMessages.ownersGrant] },
    })
    expect(await roles()).toEqual(before)
    expect(await deps.db.selectFrom('invitations').select('id').execute()).toEqual([])
    const renamed = { name: 'Samuel', role: 'staff', isDisabled: false }
    expect((await asAdmin('PUT', `/${sam}`, renamed)).data).toMatchObject({ name: 'Samuel', studioHasOwner: true })
    expect((await asAdmin('PUT', `/${sam}`, { ...renamed, isDisabled: true })).status).toBe(200)
    expect(await asAdmin('PUT', `/${sam}`, renamed)).toMatchObject({ errors: [userGrantMessages.ownersGrant] })
  })

  it('an administrator takes rights away, and everyone who owned the studio before is emailed', async () => {
    const { deps, asAdmin, emails, studioId, sam } = await setUp()
    const { id: dora } = await given(deps).user(studioId, { email: 'dora@riverside.test', name: 'Dora', role: 'owner' })
    await asAdmin('PUT', `/${dora}`, { name: 'Dora', role: 'staff', isDisabled: false })
    const first = await emails()
    expect(first.sent).toEqual([
      ['dora@riverside.test', 'Dora is staff at Riverside Portraits now'],
      ['owner@riverside.test', 'Dora is staff at Riverside Portraits now'],
    ])
    expect(first.texts[0]).toContain('Alex, who works for the platform')
    await deps.db.deleteFrom('mail_log').execute()
    await asAdmin('PUT', `/${sam}`, { name: 'Sam', role: 'staff', isDisabled: true })
    await asAdmin('DELETE', `/${sam}`)
    expect((await emails()).sent).toEqual([
      ['owner@riverside.test', 'Sam may not sign in at Riverside Portraits now'],
      ['owner@riverside.test', 'Sam does not work at Riverside Portraits any more'],
    ])
  })

  it('a new name of a user is no news for the owners, and neither are changes that an owner makes', async () => {
    const { request, asAdmin, tokenOf, emails, studioId, sam } = await setUp()
    await asAdmin('PUT', `/${sam}`, { name: 'Samuel', role: 'staff', isDisabled: false })
    const token = await tokenOf('owner@riverside.test')
    const body = { name: 'Samuel', role: 'owner', isDisabled: false }
    expect((await request('PUT', `/api/studioadmin/studios/${studioId}/users/${sam}`, { token, body })).status).toBe(
      200,
    )
    expect((await emails()).sent).toEqual([])
  })

  it('where no owner is yet, an owner can be invited; their joining ends the other invitations of administrators', async () => {
    const { deps, invite, accept, newestToken } = await setUp()
    const lakeside = await given(deps).studio({ slug: 'lakeside', name: 'Lakeside' })
    expect(await invite('staff', 'alex@mine.test', lakeside)).toMatchObject({
      ...{ status: 422, fields: { role: [userGrantMessages.ownerFirst] } },
    })
    expect((await invite('owner', 'alex@mine.test', lakeside)).status).toBe(200)
    const second = await newestToken()
    expect((await invite('owner', 'lou@lakeside.test', lakeside)).status).toBe(200)
    expect((await accept(await newestToken())).status).toBe(200)
    expect(await accept(second)).toMatchObject({ status: 422, errors: [userGrantMessages.superseded] })
    const users = deps.db.selectFrom('users').select(['email', 'role']).where('studio_id', '=', lakeside)
    expect(await users.execute()).toEqual([{ email: 'lou@lakeside.test', role: 'owner' }])
  })

  it('of two invitations of an administrator that are accepted at once, one makes an owner', async () => {
    const { deps, invite, accept, newestToken } = await setUp()
    const lakeside = await given(deps).studio({ slug: 'lakeside', name: 'Lakeside' })
    const links: string[] = []
    for (const email of ['alex@mine.test', 'lou@lakeside.test']) {
      await invite('owner', email, lakeside)
      links.push(await newestToken())
    }
    const answers = await Promise.all(links.map(accept))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })

  it('what an owner invites is accepted as before', async () => {
    const { request, accept, newestToken, tokenOf, studioId } = await setUp()
    const token = await tokenOf('owner@riverside.test')
    const body = { name: 'Ira', email: 'ira@riverside.test', role: 'staff' }
    await request('POST', `/api/studioadmin/studios/${studioId}/users`, { token, body })
    expect((await accept(await newestToken())).status).toBe(200)
  })
})
