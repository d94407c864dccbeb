import { describe, expect, it } from 'vitest'
import { purgeResetLinks, sendResetEmail } from '#server/access/sign-in/password-reset-links.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createSignInFixtures, password } from './sign-in-fixtures.ts'

const minute = 60 * 1000
const other = 'another good long one'
const used = 'This link was used already. Please ask for a new one'

describe.each(enginesFor(import.meta.filename))('passwords on $name', (engine) => {
  const database = freshDatabase(engine)
  const begin = async () => {
    const desk = await createSignInFixtures(database())
    const forget = (email = 'owner@riverside.test') => desk.post('forgot-password', { email })
    const reset = (token: string, wanted = other) => desk.post('reset-password', { token, password: wanted })
    return { ...desk, forget, reset }
  }

  it('a forgotten password is replaced by a mailed link, which ends every sign-in', async () => {
    const { deps, forget, reset, signIn, post, newestToken } = await begin()
    const before = (await signIn('owner@riverside.test')).data
    expect(await forget(' Owner@Riverside.test ')).toEqual({ status: 200, data: {} })
    const token = await newestToken()
    expect(await reset(token)).toEqual({ status: 200, data: {} })
    expect((await signIn('owner@riverside.test')).status).toBe(401)
    expect((await signIn('owner@riverside.test', other)).status).toBe(200)
    expect(await post('refresh', { refreshToken: before.refreshToken })).toMatchObject({
      status: 401,
      errors: ['Invalid token'],
    })
    const letter = await deps.db.selectFrom('mail_log').select(['kind', 'to_email', 'subject']).executeTakeFirst()
    expect(letter).toEqual({
      kind: 'password-reset',
      to_email: 'owner@riverside.test',
      subject: 'Choose a new password',
    })
    const trail = await deps.db.selectFrom('audit_log').select(['action', 'user_id']).execute()
    expect(trail).toEqual([{ action: 'user.password-reset', user_id: 2 }])
  })

  it('reset links leave no secret in the database or the queue, before and after they are mailed', async () => {
    const { deps, jobs, forget, carryMail } = await begin()
    await forget()
    const queued = JSON.stringify(jobs)
    const [link = ''] = await carryMail()
    const token = new URL(link).searchParams.get('token') ?? ''
    expect(link).toMatch(/^https:\/\/fieldproof\.test\/reset-password\?token=[\w-]{43}$/)
    expect(queued).not.toContain(token)
    const kept = JSON.stringify([...(await allRows(deps.db))])
    expect(kept).toContain('https://fieldproof.test/reset-password?token=…')
    expect(kept).not.toContain(token)
  })

  it('a reset for an unknown address gets the same answer, and nothing is sent', async () => {
    const { jobs, forget } = await begin()
    const known = await forget()
    expect(await forget('nobody@riverside.test')).toEqual(known)
    expect(jobs).toHaveLength(1)
  })

  it('a reset takes as long for a known address as for an unknown one', async () => {
    const { forget, clock } = await begin()
    const took: Record<string, number[]> = {}
    for (const email of ['owner@riverside.test', 'nobody@riverside.test']) {
      for (let ask = 0; ask < 11; ask += 1) {
        const before = clock().getTime()
        await forget(email)
        took[email] = [...(took[email] ?? []), clock().getTime() - before]
      }
    }
    const [known, unknown] = Object.values(took)
    expect(known).toEqual(unknown)
    expect(known?.at(-1)).toBe(2_000)
  })

  it('a mailbox cannot be flooded: five links are valid at a time', async () => {
    const { jobs, forget } = await begin()
    for (let ask = 0; ask < 8; ask += 1) await forget()
    expect(jobs).toHaveLength(5)
  })

  it('administrators can reset their passwords, too', async () => {
    const { deps, forget, reset, newestToken } = await begin()
    await forget('admin@fieldproof.test')
    const token = await newestToken()
    expect((await reset(token)).status).toBe(200)
    const letter = await deps.db.selectFrom('mail_log').select(['studio_id', 'to_email']).execute()
    expect(letter).toEqual([{ studio_id: null, to_email: 'admin@fieldproof.test' }])
  })

  it('a reset link is mailed once, however often the job runs', async () => {
    const { deps, jobs, forget, carryMail } = await begin()
    await forget('admin@fieldproof.test')
    await forget()
    const waiting = [...jobs]
    await carryMail()
    for (const { payload } of waiting) await sendResetEmail(deps, payload)
    expect(await deps.db.selectFrom('mail_log').select('to_email').execute()).toHaveLength(2)
  })

  it('a reset link works once: a second use is refused, unless it is the same request again', async () => {
    const { forget, reset, newestToken, signIn } = await begin()
    await forget()
    const token = await newestToken()
    await reset(token)
    expect(await reset(token, 'yet another long one')).toMatchObject({ status: 422, errors: [used] })
    expect(await reset(token)).toEqual({ status: 200, data: {} })
    expect((await signIn('owner@riverside.test', other)).status).toBe(200)
  })

  it('a link used twice at the same moment sets one password', async () => {
    const { forget, reset, newestToken } = await begin()
    await forget()
    const token = await newestToken()
    const answers = await Promise.all([reset(token, 'the first of the two'), reset(token, 'the second of the two')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })

  it('any of several links sets the password, and the others end with it', async () => {
    const { forget, reset, carryMail } = await begin()
    await forget()
    await forget()
    const tokens = (await carryMail()).map((link) => new URL(link).searchParams.get('token') ?? '')
    expect((await reset(tokens[0] ?? '')).status).toBe(200)
    expect(await reset(tokens[1] ?? '', 'yet another long one')).toMatchObject({ status: 422, errors: [used] })
  })

  it('an expired or unknown link is refused', async () => {
    const { deps, forget, reset, newestToken, advance, signIn } = await begin()
    await forget()
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
    const { deps, forget, reset, newestToken, jobs } = await begin()
    await forget()
    const token = await newestToken()
    await deps.db.updateTable('users').set({ disabled_at: deps.clock() }).where('name', '=', 'Olive').execute()
    expect((await reset(token)).errors).toEqual(['We do not know this link. Please ask for a new one'])
    await forget()
    expect(jobs).toEqual([])
  })

  it.each([
    ['short', 'Please use at least 10 characters'],
    ['x'.repeat(201), 'Please use at most 200 characters'],
    ['Owner@Riverside.test', 'Please choose something other than your email'],
  ])('a password such as %s is refused, and the link stays valid', async (wanted, sentence) => {
    const { forget, reset, newestToken } = await begin()
    await forget()
    const token = await newestToken()
    expect(await reset(token, wanted)).toMatchObject({ status: 422, fields: { password: [sentence] } })
    expect((await reset(token)).status).toBe(200)
  })

  it('a user who knows the old password changes it: this device stays signed in, the others do not', async () => {
    const { ask, signIn, post } = await begin()
    const [here, there] = [(await signIn('staff@riverside.test')).data, (await signIn('staff@riverside.test')).data]
    const change = (currentPassword: string, newPassword = other) =>
      ask('POST', '/api/account/password', {
        token: here.token,
        body: { currentPassword, newPassword, refreshToken: here.refreshToken },
      })
    expect(await change('not it at all')).toMatchObject({
      status: 422,
      fields: { currentPassword: ['This is not your password'] },
    })
    expect(await change(password, 'short')).toMatchObject({ fields: { newPassword: [expect.any(String)] } })
    expect(await change(password)).toEqual({ status: 200, data: {} })
    expect((await post('refresh', { refreshToken: there.refreshToken })).status).toBe(401)
    expect((await post('refresh', { refreshToken: here.refreshToken })).status).toBe(200)
    expect((await signIn('staff@riverside.test', other)).status).toBe(200)
  })
})
