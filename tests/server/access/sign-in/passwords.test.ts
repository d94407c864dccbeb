import { describe, expect, it } from 'vitest'
import { purgeResetLinks, sendResetEmail } from '#server/access/sign-in/password-reset-links.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createSignInFixtures, password } from './sign-in-fixtures.ts'

const minute = 60 * 1000
const otherPassword = 'another good long one'
const usedLinkError = 'This link was used already. Please ask for a new one'

describe.each(enginesFor(import.meta.filename))('passwords on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const fixtures = await createSignInFixtures(database())
    const requestReset = (email = 'owner@riverside.test') => fixtures.post('forgot-password', { email })
    const reset = (token: string, chosen = otherPassword) =>
      fixtures.post('reset-password', { token, password: chosen })
    return { ...fixtures, requestReset, reset }
  }

  it('a mailed link replaces a forgotten password and ends every sign-in', async () => {
    const { deps, requestReset, reset, signIn, post, newestToken } = await setUp()
    const signedIn = (await signIn('owner@riverside.test')).data
    expect(await requestReset(' Owner@Riverside.test ')).toEqual({ status: 200, data: {} })
    const token = await newestToken()
    expect(await reset(token)).toEqual({ status: 200, data: {} })
    expect((await signIn('owner@riverside.test')).status).toBe(401)
    expect((await signIn('owner@riverside.test', otherPassword)).status).toBe(200)
    expect(await post('refresh', { refreshToken: signedIn.refreshToken })).toMatchObject({
      status: 401,
      errors: ['Invalid token'],
    })
    const mail = await deps.db.selectFrom('mail_log').select(['kind', 'to_email', 'subject']).executeTakeFirst()
    expect(mail).toEqual({
      kind: 'password-reset',
      to_email: 'owner@riverside.test',
      subject: 'Choose a new password',
    })
    const auditEntries = await deps.db.selectFrom('audit_log').select(['action', 'user_id']).execute()
    expect(auditEntries).toEqual([{ action: 'user.password-reset', user_id: 2 }])
  })

  it('the secret of a reset link is not in the queue before it is mailed, and not in the database afterwards', async () => {
    const { deps, jobs, requestReset, deliverMail } = await setUp()
    await requestReset()
    const queued = JSON.stringify(jobs)
    const [link = ''] = await deliverMail()
    const token = new URL(link).searchParams.get('token') ?? ''
    expect(link).toMatch(/^https:\/\/fieldproof\.test\/reset-password\?token=[\w-]{43}$/)
    expect(queued).not.toContain(token)
    const storedRows = JSON.stringify([...(await allRows(deps.db))])
    expect(storedRows).toContain('https://fieldproof.test/reset-password?token=…')
    expect(storedRows).not.toContain(token)
  })

  it('a reset request for an unknown address gets the same answer as for a known one, but no mail is sent', async () => {
    const { jobs, requestReset } = await setUp()
    const knownAnswer = await requestReset()
    expect(await requestReset('nobody@riverside.test')).toEqual(knownAnswer)
    expect(jobs).toHaveLength(1)
  })

  it('a reset request takes as long for a known address as for an unknown one', async () => {
    const { requestReset, clock } = await setUp()
    const waits: Record<string, number[]> = {}
    for (const email of ['owner@riverside.test', 'nobody@riverside.test']) {
      for (let request = 0; request < 11; request += 1) {
        const before = clock().getTime()
        await requestReset(email)
        waits[email] = [...(waits[email] ?? []), clock().getTime() - before]
      }
    }
    const [knownWaits, unknownWaits] = Object.values(waits)
    expect(knownWaits).toEqual(unknownWaits)
    expect(knownWaits?.at(-1)).toBe(2_000)
  })

  it('of many requests for an account only five queue a reset link', async () => {
    const { jobs, requestReset } = await setUp()
    for (let request = 0; request < 8; request += 1) await requestReset()
    expect(jobs).toHaveLength(5)
  })

  it('administrators can reset their passwords, too', async () => {
    const { deps, requestReset, reset, newestToken } = await setUp()
    await requestReset('admin@fieldproof.test')
    const token = await newestToken()
    expect((await reset(token)).status).toBe(200)
    const mail = await deps.db.selectFrom('mail_log').select(['studio_id', 'to_email']).execute()
    expect(mail).toEqual([{ studio_id: null, to_email: 'admin@fieldproof.test' }])
  })

  it('a reset link is mailed once even if the job runs repeatedly', async () => {
    const { deps, jobs, requestReset, deliverMail } = await setUp()
    await requestReset('admin@fieldproof.test')
    await requestReset()
    const queuedJobs = [...jobs]
    await deliverMail()
    for (const { payload } of queuedJobs) await sendResetEmail(deps, payload)
    expect(await deps.db.selectFrom('mail_log').select('to_email').execute()).toHaveLength(2)
  })

  it('a reset link works once: a second use is refused, unless it repeats the same request', async () => {
    const { requestReset, reset, newestToken, signIn } = await setUp()
    await requestReset()
    const token = await newestToken()
    await reset(token)
    expect(await reset(token, 'yet another long one')).toMatchObject({ status: 422, errors: [usedLinkError] })
    expect(await reset(token)).toEqual({ status: 200, data: {} })
    expect((await signIn('owner@riverside.test', otherPassword)).status).toBe(200)
  })

  it('a link used twice at the same moment sets one password', async () => {
    const { requestReset, reset, newestToken } = await setUp()
    await requestReset()
    const token = await newestToken()
    const answers = await Promise.all([reset(token, 'the first of the two'), reset(token, 'the second of the two')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })

  it('any of several links sets the password, and the others become invalid', async () => {
    const { requestReset, reset, deliverMail } = await setUp()
    await requestReset()
    await requestReset()
    const tokens = (await deliverMail()).map((link) => new URL(link).searchParams.get('token') ?? '')
    expect((await reset(tokens[0] ?? '')).status).toBe(200)
    expect(await reset(tokens[1] ?? '', 'yet another long one')).toMatchObject({ status: 422, errors: [usedLinkError] })
  })

  it('an expired or unknown link is refused', async () => {
    const { deps, requestReset, reset, newestToken, advance, signIn } = await setUp()
    await requestReset()
    const token = await newestToken()
    advance(60 * minute)
    expect(await reset(token)).toMatchObject({
      status: 422,
      errors: ['This link was good for one hour. Please ask for a new one'],
    })
    const unknown = { status: 422, errors: ['We do not know this link. Please ask for a new one'] }
    expect(await reset('A'.repeat(43))).toMatchObject(unknown)
    expect((await signIn('owner@riverside.test')).status).toBe(200)
    advance(25 * 60 * minute)
    await purgeResetLinks(deps)
    expect(await reset(token)).toMatchObject(unknown)
  })

  it('a disabled user cannot reset their password', async () => {
    const { deps, requestReset, reset, newestToken, jobs } = await setUp()
    await requestReset()
    const token = await newestToken()
    await deps.db.updateTable('users').set({ disabled_at: deps.clock() }).where('name', '=', 'Olive').execute()
    expect((await reset(token)).errors).toEqual(['We do not know this link. Please ask for a new one'])
    await requestReset()
    expect(jobs).toEqual([])
  })

  it('a reset link is not mailed to a user who was disabled after the request', async () => {
    const { deps, requestReset, deliverMail } = await setUp()
    await requestReset()
    await deps.db.updateTable('users').set({ disabled_at: deps.clock() }).where('name', '=', 'Olive').execute()
    expect(await deliverMail()).toEqual([])
  })

  it.each([
    ['short', 'Please use at least 10 characters'],
    ['x'.repeat(201), 'Please use at most 200 characters'],
    ['Owner@Riverside.test', 'Please choose something other than your email'],
  ])('a password such as %s is refused, and the link stays valid', async (chosen, message) => {
    const { requestReset, reset, newestToken } = await setUp()
    await requestReset()
    const token = await newestToken()
    expect(await reset(token, chosen)).toMatchObject({ status: 422, fields: { password: [message] } })
    expect((await reset(token)).status).toBe(200)
  })

  it('changing the password keeps this device signed in and signs out the others', async () => {
    const { request, signIn, post } = await setUp()
    const [thisDevice, otherDevice] = [
      (await signIn('staff@riverside.test')).data,
      (await signIn('staff@riverside.test')).data,
    ]
    const change = (currentPassword: string, newPassword = otherPassword) =>
      request('POST', '/api/account/password', {
        token: thisDevice.token,
        body: { currentPassword, newPassword, refreshToken: thisDevice.refreshToken },
      })
    expect(await change('not it at all')).toMatchObject({
      status: 422,
      fields: { currentPassword: ['This is not your password'] },
    })
    expect(await change(password, 'short')).toMatchObject({ fields: { newPassword: [expect.any(String)] } })
    expect(await change(password)).toEqual({ status: 200, data: {} })
    expect((await post('refresh', { refreshToken: otherDevice.refreshToken })).status).toBe(401)
    expect((await post('refresh', { refreshToken: thisDevice.refreshToken })).status).toBe(200)
    expect((await signIn('staff@riverside.test', otherPassword)).status).toBe(200)
  })
})
