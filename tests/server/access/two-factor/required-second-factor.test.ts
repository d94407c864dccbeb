import { describe, expect, it } from 'vitest'
import { createAdministrator } from '#server/access/sign-in/create-administrator.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { password } from '../sign-in/sign-in-fixtures.ts'
import { createTwoFactorFixtures } from './two-factor-fixtures.ts'

const admin = 'admin@fieldproof.test'
const owner = 'owner@riverside.test'
const staff = 'staff@riverside.test'
const wrongPassword = { password: ['This is not your password'] }

describe.each(enginesFor(import.meta.filename))('required and changed second factors on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createTwoFactorFixtures(database())
    const { deps, request, studioId } = fixtures
    const endExemption = () => deps.db.updateTable('users').set({ is_second_factor_exempt: false }).execute()
    const policyPath = `/api/studioadmin/studios/${studioId}/two-factor`
    const requireOfStudio = (token: string, isRequired = true) =>
      request('PUT', policyPath, { token, body: { isRequired } })
    return { ...fixtures, endExemption, policyPath, requireOfStudio }
  }

  it('an administrator without a second factor can only set one up after the password, and then has a session', async () => {
    const { endExemption, passwordStep, request, setUpApp, proveCode, codeOf, post } = await setUp()
    await endExemption()
    const step = await passwordStep(admin)
    expect(step).toEqual({
      step: 'set-up',
      stepToken: expect.any(String),
      expiration: '2027-04-15T10:15:00.000Z',
      methods: [],
    })
    expect((await request('GET', '/api/admin/users', { token: step.stepToken })).status).toBe(401)
    expect((await proveCode(step.stepToken, '000000')).status).toBe(401)
    const { key, recoveryCodes, tokens } = await setUpApp(step.stepToken)
    expect(recoveryCodes).toHaveLength(10)
    expect((await request('GET', '/api/admin/users', { token: tokens?.token ?? '' })).status).toBe(200)
    expect((await post('set-up/authenticator', { stepToken: step.stepToken })).status).toBe(200)
    expect((await setUpApp(step.stepToken)).status).toBe(401)
    const next = await passwordStep(admin)
    expect((await proveCode(next.stepToken, codeOf(key))).status).toBe(200)
  })

  it('a passkey can be the second factor that an administrator sets up', async () => {
    const { endExemption, passwordStep, setUpPasskey, signInWithPasskey } = await setUp()
    await endExemption()
    const { authenticator, answer } = await setUpPasskey((await passwordStep(admin)).stepToken)
    expect(answer.data.tokens.token).toEqual(expect.any(String))
    expect((await signInWithPasskey(authenticator)).status).toBe(200)
  })

  it('the key is stored sealed, and only after a correct code', async () => {
    const { deps, passwordStep, authorize, post, codeOf } = await setUp()
    const { token } = await passwordStep(owner)
    const stepToken = await authorize(token)
    const { key, uri, qrCode, keyToken } = (await post('set-up/authenticator', { stepToken })).data
    expect(uri).toBe(
      `otpauth://totp/Fieldproof:owner%40riverside.test?issuer=Fieldproof&secret=${key}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(qrCode).toMatch(/^<svg /)
    const rows = () => deps.db.selectFrom('totp_secrets').selectAll().execute()
    const confirm = (code: string) => post('set-up/authenticator/confirm', { stepToken, keyToken, code })
    expect((await confirm('000000')).fields.code).toHaveLength(1)
    expect(await rows()).toEqual([])
    expect((await confirm(codeOf(key))).status).toBe(200)
    expect(JSON.stringify(await rows())).not.toContain(key)
    expect((await confirm(codeOf(key))).status).toBe(401)
  })

  it('a new administrator made on the server signs in by setting up a second factor', async () => {
    const { deps, post, passwordStep, setUpApp } = await setUp()
    const link = new URL(String(await createAdministrator(deps, 'first@platform.test')))
    await post('reset-password', { token: link.searchParams.get('token'), password })
    const { step, stepToken } = await passwordStep('first@platform.test')
    expect(step).toBe('set-up')
    expect((await setUpApp(stepToken)).tokens).not.toBeNull()
  })

  it('the operator of the server can remove the second factor of an administrator who lost it', async () => {
    const { deps, endExemption, setUpApp, passwordStep } = await setUp()
    await endExemption()
    await setUpApp((await passwordStep(admin)).stepToken)
    await createAdministrator(deps, admin)
    expect((await passwordStep(admin)).step).toBe('second-factor')
    await createAdministrator(deps, admin, { removesSecondFactor: true })
    expect((await passwordStep(admin)).step).toBe('set-up')
  })

  it('a studio’s owner requires it: staff without one are signed out at the next refresh and set one up', async () => {
    const { deps, requireOfStudio, policyPath, request, userWithApp, passwordStep, post, setUpApp, advance } =
      await setUp()
    const sam = await passwordStep(staff)
    const alone = await passwordStep(owner)
    expect((await requireOfStudio(alone.token)).errors).toEqual(['Set up two-factor sign-in in your own account first'])
    expect((await requireOfStudio(sam.token)).status).toBe(403)
    const { tokens } = await userWithApp(owner)
    expect((await requireOfStudio(tokens.token)).data).toEqual({ isRequired: true, userCount: 2, withoutCount: 1 })
    expect((await post('refresh', { refreshToken: sam.refreshToken })).errors).toEqual(['Invalid token'])
    expect((await post('refresh', { refreshToken: tokens.refreshToken })).status).toBe(200)
    const step = await passwordStep(staff)
    expect(step.step).toBe('set-up')
    advance(1)
    const samWithApp = await setUpApp(step.stepToken)
    expect((await post('refresh', { refreshToken: samWithApp.tokens?.refreshToken })).status).toBe(200)
    expect((await request('GET', policyPath, { token: tokens.token })).data.withoutCount).toBe(0)
    const summit = await passwordStep('owner@summit.test')
    expect(summit.token).toEqual(expect.any(String))
    expect((await requireOfStudio(summit.token)).status).toBe(404)
    await requireOfStudio(tokens.token, false)
    const audited = deps.db.selectFrom('audit_log').select('action').where('entity', '=', 'studio').orderBy('id')
    const actions = await audited.execute()
    expect(actions.map(({ action }) => action)).toEqual([
      'studio.second-factor-required',
      'studio.second-factor-optional',
    ])
  })

  it('an invited user of a studio that requires it sets one up before the first session', async () => {
    const { requireOfStudio, userWithApp, request, newestToken, post, studioId } = await setUp()
    const { tokens } = await userWithApp(owner)
    await requireOfStudio(tokens.token)
    const body = { name: 'Ira', email: 'ira@riverside.test', role: 'staff' }
    await request('POST', `/api/studioadmin/studios/${studioId}/users`, { token: tokens.token, body })
    const joined = await post('invitation/accept', { token: await newestToken(), name: 'Ira', password })
    expect(joined.data).toMatchObject({ step: 'set-up' })
  })

  it('setting one up ends the other sign-ins of the user, and changes need the password again', async () => {
    const { passwordStep, authorize, setUpApp, request, post } = await setUp()
    const [here, elsewhere] = [await passwordStep(owner), await passwordStep(owner)]
    const ask = (body: object) => request('POST', '/api/account/two-factor/authorize', { token: here.token, body })
    expect(await ask({ password: 'wrong' })).toMatchObject({ status: 422, fields: wrongPassword })
    await setUpApp(await authorize(here.token), here.refreshToken)
    expect((await post('refresh', { refreshToken: elsewhere.refreshToken })).status).toBe(401)
    expect((await post('refresh', { refreshToken: here.refreshToken })).status).toBe(200)
    for (const path of ['recovery-codes', 'authenticator/remove']) {
      const url = `/api/account/two-factor/${path}`
      expect((await request('POST', url, { token: here.token, body: { stepToken: 'none' } })).status).toBe(401)
    }
  })

  it('new recovery codes replace the old ones, and the answer is not stored for a replay', async () => {
    const { deps, request, userWithApp, authorize, passwordStep, proveCode } = await setUp()
    const { tokens, recoveryCodes: old } = await userWithApp(owner)
    const body = { stepToken: await authorize(tokens.token) }
    const options = { token: tokens.token, body, key: 'one' }
    const { data } = await request('POST', '/api/account/two-factor/recovery-codes', options)
    const prove = async (code = '') => proveCode((await passwordStep(owner)).stepToken, code, 'recovery-code')
    expect((await prove(old?.[0])).status).toBe(422)
    expect((await prove(data.recoveryCodes[0])).status).toBe(200)
    expect(await deps.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
  })

  it('a second factor can be turned off, but not the last one of a user who must have one', async () => {
    const { userWithApp, authorize, request, requireOfStudio, setUpPasskey, passwordStep } = await setUp()
    const { tokens } = await userWithApp(owner)
    const { token } = tokens
    const stepToken = await authorize(token)
    const remove = () => request('POST', '/api/account/two-factor/authenticator/remove', { token, body: { stepToken } })
    const read = async () => (await request('GET', '/api/account/two-factor', { token })).data
    await requireOfStudio(token)
    expect((await remove()).errors).toEqual([
      'You must have two-factor sign-in. Set up another way first, then remove this one',
    ])
    await setUpPasskey(stepToken)
    expect((await remove()).status).toBe(200)
    expect(await read()).toMatchObject({ hasAuthenticator: false, recoveryCodesLeft: 10, isRequired: true })
    await requireOfStudio(token, false)
    const [{ id }] = (await read()).passkeys
    expect((await request('POST', `/api/account/passkeys/${id}/remove`, { token, body: { stepToken } })).status).toBe(
      200,
    )
    expect(await read()).toMatchObject({ passkeys: [], recoveryCodesLeft: 0, isRequired: false })
    expect((await passwordStep(owner)).token).toEqual(expect.any(String))
    expect((await remove()).status).toBe(404)
  })

  it('an owner resets the second factor of their staff, and an administrator that of anyone, but not their own', async () => {
    const fixtures = await setUp()
    const { request, userWithApp, userId, studioId, otherStudioId, passwordStep, tokenOf, post, advance } = fixtures
    const sam = await userWithApp(staff)
    const olive = await userWithApp(owner)
    advance(1)
    const samId = await userId(staff)
    const reset = (token: string, id: number, studio = studioId) =>
      request('DELETE', `/api/studioadmin/studios/${studio}/users/${id}/second-factor`, { token })
    const users = await request('GET', `/api/studioadmin/studios/${studioId}/users`, { token: olive.tokens.token })
    expect(users.data.map(({ hasSecondFactor }: { hasSecondFactor: boolean }) => hasSecondFactor)).toEqual([true, true])
    expect((await reset(sam.tokens.token, samId)).status).toBe(403)
    const dana = await tokenOf('owner@summit.test')
    expect((await reset(dana, samId)).status).toBe(404)
    expect((await reset(dana, samId, otherStudioId)).status).toBe(404)
    expect(await reset(olive.tokens.token, await userId(owner))).toMatchObject({
      status: 422,
      errors: ['You change your own two-factor sign-in in your account'],
    })
    expect((await reset(olive.tokens.token, samId)).status).toBe(200)
    expect((await request('GET', '/api/account', { token: sam.tokens.token })).status).toBe(401)
    expect((await post('refresh', { refreshToken: sam.tokens.refreshToken })).status).toBe(401)
    expect((await passwordStep(staff)).token).toEqual(expect.any(String))
    await fixtures.deliverMail()
    expect(fixtures.mailTexts.at(-1)).toContain('Olive reset your two-factor sign-in.')
    const token = await tokenOf(admin)
    const asAdmin = async (email: string) =>
      (await request('DELETE', `/api/admin/users/${await userId(email)}/second-factor`, { token })).status
    expect(await asAdmin(owner)).toBe(200)
    expect(await asAdmin(admin)).toBe(422)
    expect((await passwordStep(owner)).token).toEqual(expect.any(String))
    expect((await fixtures.auditActions()).filter((action) => action === 'user.second-factor-reset')).toHaveLength(2)
  })
})
