import { describe, expect, it } from 'vitest'
import { purgeSpentTokens } from '#server/access/credentials/step-tokens.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { password } from '../sign-in/sign-in-fixtures.ts'
import { createTwoFactorFixtures, stepMs } from './two-factor-fixtures.ts'

const owner = 'owner@riverside.test'
const wrongCode = ['This code is not valid. Please use the one your app shows now']
const expired = { status: 401, problem: 'invalid-token', errors: ['This took too long. Please start again'] }

describe.each(enginesFor(import.meta.filename))('signing in with a second factor on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = () => createTwoFactorFixtures(database())

  it('the password alone gives no tokens, and the right code gives them', async () => {
    const { userWithApp, passwordStep, proveCode, codeOf, request } = await setUp()
    const { key } = await userWithApp(owner)
    const step = await passwordStep(owner)
    expect(step).toEqual({
      step: 'second-factor',
      stepToken: expect.any(String),
      expiration: '2027-04-15T10:05:30.000Z',
      methods: ['authenticator', 'recovery-code'],
    })
    const { status, data } = await proveCode(step.stepToken, codeOf(key))
    expect([status, Object.keys(data)]).toEqual([200, ['token', 'refreshToken', 'expiration']])
    expect((await request('GET', '/api/account', { token: data.token })).data.email).toBe(owner)
  })

  it('a code is accepted with spaces, one step early and one step late, but not two', async () => {
    const { userWithApp, passwordStep, proveCode, codeOf, advance } = await setUp()
    const { key } = await userWithApp(owner)
    const statusOf = async (code: string) => (await proveCode((await passwordStep(owner)).stepToken, code)).status
    advance(10 * stepMs)
    expect(await statusOf(codeOf(key, -2))).toBe(422)
    expect(await statusOf(codeOf(key, 2))).toBe(422)
    expect(await statusOf(codeOf(key, -1).replace(/(...)/, '$1 '))).toBe(200)
    expect(await statusOf(codeOf(key))).toBe(200)
    expect(await statusOf(codeOf(key, 1))).toBe(200)
  })

  it('a code is accepted once, and no code of an earlier step after it', async () => {
    const { userWithApp, passwordStep, proveCode, codeOf } = await setUp()
    const { key } = await userWithApp(owner)
    const prove = async (code: string) => proveCode((await passwordStep(owner)).stepToken, code)
    const next = codeOf(key, 1)
    expect((await prove(next)).status).toBe(200)
    expect(await prove(next)).toMatchObject({ status: 422, fields: { code: wrongCode } })
    expect((await prove(codeOf(key))).status).toBe(422)
  })

  it('of several requests with the same code at the same time, one signs in', async () => {
    const { userWithApp, passwordStep, proveCode, codeOf } = await setUp()
    const { key } = await userWithApp(owner)
    const steps = [await passwordStep(owner), await passwordStep(owner), await passwordStep(owner)]
    const answers = await Promise.all(steps.map(({ stepToken }) => proveCode(stepToken, codeOf(key))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('the code with which the app was set up does not sign in', async () => {
    const { passwordStep, authorize, post, codeOf, proveCode } = await setUp()
    const { token } = await passwordStep(owner)
    const stepToken = await authorize(token)
    const { key, keyToken } = (await post('set-up/authenticator', { stepToken })).data
    const code = codeOf(key)
    expect((await post('set-up/authenticator/confirm', { stepToken, keyToken, code })).status).toBe(200)
    expect((await proveCode((await passwordStep(owner)).stepToken, code)).status).toBe(422)
  })

  it('each recovery code works once in any spelling, is stored only as a hash, and its use is mailed', async () => {
    const { deps, userWithApp, passwordStep, proveCode, deliverMail, mailTexts, auditActions } = await setUp()
    const { recoveryCodes } = await userWithApp(owner)
    expect(new Set(recoveryCodes).size).toBe(10)
    const [code = '', other = ''] = recoveryCodes ?? []
    const prove = async (typed: string) => proveCode((await passwordStep(owner)).stepToken, typed, 'recovery-code')
    expect((await prove(` ${code.toLowerCase().replace('-', ' ')} `)).status).toBe(200)
    expect(await prove(code)).toMatchObject({
      status: 422,
      fields: { code: ['This recovery code is not valid, or was used before'] },
    })
    expect((await prove(other)).status).toBe(200)
    expect((await prove('AAAAA-AAAAA')).status).toBe(422)
    const stored = JSON.stringify(await deps.db.selectFrom('recovery_codes').selectAll().execute())
    for (const text of recoveryCodes ?? []) expect(stored).not.toContain(text)
    await deliverMail()
    expect(mailTexts.at(-1)).toContain('A recovery code was used to sign in to your account. Codes left: 8.')
    expect((await auditActions()).filter((action) => action === 'user.recovery-code-used')).toHaveLength(2)
  })

  it('the step’s token expires after five minutes and works once', async () => {
    const { deps, userWithApp, passwordStep, proveCode, codeOf, advance } = await setUp()
    const { key, recoveryCodes } = await userWithApp(owner)
    const { stepToken } = await passwordStep(owner)
    expect((await proveCode(stepToken, codeOf(key))).status).toBe(200)
    expect(await proveCode(stepToken, recoveryCodes?.[0] ?? '', 'recovery-code')).toEqual(expired)
    const { stepToken: late } = await passwordStep(owner)
    advance(5 * 60_000)
    expect(await proveCode(late, codeOf(key))).toEqual(expired)
    await purgeSpentTokens(deps)
    expect(await deps.db.selectFrom('spent_tokens').selectAll().execute()).not.toEqual([])
    advance(15 * 60_000)
    await purgeSpentTokens(deps)
    expect(await deps.db.selectFrom('spent_tokens').selectAll().execute()).toEqual([])
  })

  it('the step’s token is no access token, refresh token or token of another step, and an access token is no step', async () => {
    const { userWithApp, passwordStep, request, post, proveCode, codeOf } = await setUp()
    const { key, tokens } = await userWithApp(owner)
    const { stepToken } = await passwordStep(owner)
    expect((await request('GET', '/api/account', { token: stepToken })).status).toBe(401)
    expect((await post('refresh', { refreshToken: stepToken })).status).toBe(401)
    expect(await post('set-up/authenticator', { stepToken })).toEqual(expired)
    expect(await post('set-up/passkey', { stepToken })).toEqual(expired)
    const body = { stepToken }
    const change = await request('POST', '/api/account/two-factor/recovery-codes', { token: tokens.token, body })
    expect(change).toEqual(expired)
    expect(await proveCode(tokens.token, codeOf(key))).toEqual(expired)
  })

  it('the step’s token does not survive a new password, the end of all sign-ins, or a disabled account', async () => {
    const { deps, userWithApp, passwordStep, proveCode, codeOf, request, tokenOf, userId, advance } = await setUp()
    const { key, tokens } = await userWithApp(owner)
    const token = await tokenOf('admin@fieldproof.test')
    const path = `/api/admin/users/${await userId(owner)}`
    const expectExpiredAfter = async (change: () => Promise<unknown>, usedPassword = password) => {
      const { stepToken } = await passwordStep(owner, usedPassword)
      advance(1)
      await change()
      expect(await proveCode(stepToken, codeOf(key))).toEqual(expired)
    }
    await expectExpiredAfter(() => request('POST', `${path}/end-sessions`, { token, body: {} }))
    const changed = 'another good long one'
    const passwords = { currentPassword: password, newPassword: changed, refreshToken: 'none' }
    const ownToken = (await proveCode((await passwordStep(owner)).stepToken, codeOf(key))).data.token
    expect(tokens.token).not.toBe(ownToken)
    await expectExpiredAfter(() => request('POST', '/api/account/password', { token: ownToken, body: passwords }))
    await expectExpiredAfter(
      () => deps.db.updateTable('users').set({ disabled_at: deps.clock() }).where('email', '=', owner).execute(),
      changed,
    )
  })

  it('wrong codes slow the account down and are mailed to the user once, and the right code still signs in', async () => {
    const { userWithApp, passwordStep, proveCode, codeOf, clock, deliverMail, mailTexts, auditActions } = await setUp()
    const { key } = await userWithApp(owner)
    const { stepToken } = await passwordStep(owner)
    const timed = async (code: string) => {
      const started = clock().getTime()
      const { status } = await proveCode(stepToken, code)
      return { status, took: clock().getTime() - started }
    }
    for (let guess = 0; guess < 10; guess += 1) expect((await timed('000000')).took).toBeLessThan(100)
    expect(await timed('000000')).toEqual({ status: 422, took: 2_000 })
    const { status, took } = await timed(codeOf(key))
    expect(status).toBe(200)
    expect(took).toBe(2_000)
    await deliverMail()
    expect(mailTexts.filter((text) => text.includes('ten wrong codes'))).toHaveLength(1)
    expect((await auditActions()).filter((action) => action === 'user.codes-guessed')).toHaveLength(1)
  })

  it('a password link does not replace the second factor', async () => {
    const { userWithApp, post, newestToken, passwordStep } = await setUp()
    await userWithApp(owner)
    await post('forgot-password', { email: owner })
    const chosen = 'another good long one'
    expect((await post('reset-password', { token: await newestToken(), password: chosen })).status).toBe(200)
    expect(await passwordStep(owner, chosen)).toMatchObject({ step: 'second-factor' })
  })

  it('a repeated sign-up or acceptance of an invitation does not replace the second factor', async () => {
    const { post, setUpApp, authorize, request, tokenOf, studioId, newestToken } = await setUp()
    const email = 'nora@northlight.test'
    const signUp = { studioName: 'Northlight', slug: 'northlight', name: 'Nora', email, password }
    const { data: first } = await post('setup', signUp)
    await setUpApp(await authorize(first.token))
    expect((await post('setup', signUp)).data).toMatchObject({ step: 'second-factor' })
    const token = await tokenOf(owner)
    const invitation = { name: 'Ira', email: 'ira@riverside.test', role: 'staff' }
    await request('POST', `/api/studioadmin/studios/${studioId}/users`, { token, body: invitation })
    const acceptance = { token: await newestToken(), name: 'Ira', password }
    const { data: joined } = await post('invitation/accept', acceptance)
    await setUpApp(await authorize(joined.token))
    expect((await post('invitation/accept', acceptance)).data).toMatchObject({ step: 'second-factor' })
  })
})
