import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { softwareAuthenticator } from '#support/server/software-authenticator.ts'
import { createTwoFactorFixtures } from './two-factor-fixtures.ts'

const owner = 'owner@riverside.test'
const refused = 'This passkey does not work here. Log in with your password, and check your passkeys'
const unchecked = 'This passkey could not be checked. Please try again'

describe.each(enginesFor(import.meta.filename))('passkeys on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const fixtures = await createTwoFactorFixtures(database())
    const { passwordStep, authorize, setUpPasskey } = fixtures
    const tokens = await passwordStep(owner)
    const stepToken = await authorize(tokens.token)
    const { authenticator, options, answer } = await setUpPasskey(stepToken)
    return { ...fixtures, tokens, stepToken, authenticator, options, answer }
  }

  it('a passkey belongs to the public host, verifies its user, and comes with recovery codes when it is the first factor', async () => {
    const { options, answer } = await setUp()
    expect(options).toMatchObject({
      rp: { id: 'fieldproof.test', name: 'Fieldproof' },
      user: { name: owner, displayName: 'Olive' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(answer).toEqual({ status: 200, data: { recoveryCodes: expect.any(Array), tokens: null } })
  })

  it('a passkey signs in without a password, and its use is stored', async () => {
    const { deps, authenticator, signInWithPasskey, request, tokens, userId, advance } = await setUp()
    advance(60_000)
    const { status, data } = await signInWithPasskey(authenticator)
    expect(status).toBe(200)
    expect((await request('GET', '/api/account', { token: data.token })).data.id).toBe(await userId(owner))
    const { passkeys } = (await request('GET', '/api/account/two-factor', { token: tokens.token })).data
    expect(passkeys).toEqual([
      {
        id: expect.any(Number),
        name: 'Phone',
        createdAt: expect.stringMatching(/^2027-04-15T10:00:00/),
        lastUsedAt: expect.stringMatching(/^2027-04-15T10:01:00/),
      },
    ])
    const stored = await deps.db.selectFrom('passkeys').select('sign_count').executeTakeFirstOrThrow()
    expect(stored.sign_count).toBe(1)
  })

  it('after a password, a passkey of that user is the second factor, and a passkey of someone else is not', async () => {
    const { authenticator, signInWithPasskey, passwordStep, authorize, setUpPasskey, post } = await setUp()
    const sam = await passwordStep('staff@riverside.test')
    const { authenticator: other } = await setUpPasskey(await authorize(sam.token))
    const step = await passwordStep(owner)
    expect(step).toMatchObject({ step: 'second-factor', methods: ['passkey', 'recovery-code'] })
    const { options } = (await post('passkey/options', { stepToken: step.stepToken })).data
    expect(options.allowCredentials).toEqual([{ id: expect.any(String), type: 'public-key', transports: ['internal'] }])
    expect(await signInWithPasskey(other, step.stepToken)).toMatchObject({ status: 422, errors: [refused] })
    expect((await signInWithPasskey(authenticator, step.stepToken)).status).toBe(200)
  })

  it('a challenge works once and expires after five minutes', async () => {
    const { authenticator, post, advance } = await setUp()
    const { options, challengeToken } = (await post('passkey/options', {})).data
    const body = () => ({ challengeToken, credential: authenticator.get(options) })
    expect((await post('passkey', body())).status).toBe(200)
    expect(await post('passkey', body())).toMatchObject({ status: 401, problem: 'invalid-token' })
    const later = (await post('passkey/options', {})).data
    advance(5 * 60_000)
    const late = { challengeToken: later.challengeToken, credential: authenticator.get(later.options) }
    expect((await post('passkey', late)).status).toBe(401)
  })

  it.each([
    ['of another site', { origin: 'https://fieldproof.example' }],
    ['for another host', { rpId: 'example.test' }],
    ['without verification of the user', { isUserVerified: false }],
    ['with a sign count that did not grow', { signCount: -1 }],
  ])('an assertion %s is refused', async (_, state) => {
    const { authenticator, signInWithPasskey } = await setUp()
    authenticator.state.signCount = 4
    expect((await signInWithPasskey(authenticator)).status).toBe(200)
    Object.assign(authenticator.state, 'signCount' in state ? { signCount: 4 } : state)
    expect(await signInWithPasskey(authenticator)).toMatchObject({ status: 422, errors: [refused] })
  })

  it('an assertion for another challenge, with a changed signature or of an unknown passkey is refused', async () => {
    const { authenticator, signInWithPasskey, post } = await setUp()
    const { options, challengeToken } = (await post('passkey/options', {})).data
    const other = authenticator.get({ ...options, challenge: 'AAAA' })
    expect((await post('passkey', { challengeToken, credential: other })).status).toBe(422)
    const good = authenticator.get(options)
    const forged = { ...good, response: { ...good.response, signature: other.response.signature } }
    expect((await post('passkey', { challengeToken, credential: forged })).status).toBe(422)
    expect((await signInWithPasskey(softwareAuthenticator())).status).toBe(422)
  })

  it.each([
    ['of another site', { origin: 'https://fieldproof.example' }],
    ['for another host', { rpId: 'example.test' }],
    ['without verification of the user', { isUserVerified: false }],
  ])('a new passkey %s is refused', async (_, state) => {
    const { post, stepToken } = await setUp()
    const authenticator = softwareAuthenticator()
    Object.assign(authenticator.state, state)
    const { options, challengeToken } = (await post('set-up/passkey', { stepToken })).data
    const body = { stepToken, challengeToken, name: 'Key', credential: authenticator.create(options) }
    expect(await post('set-up/passkey/confirm', body)).toMatchObject({ status: 422, errors: [unchecked] })
  })

  it('the challenge of a registration works once, and a passkey is added once', async () => {
    const { post, stepToken, authenticator } = await setUp()
    const start = async () => (await post('set-up/passkey', { stepToken })).data
    const first = await start()
    expect(first.options.excludeCredentials).toHaveLength(1)
    const confirm = (challengeToken: string, credential: object) =>
      post('set-up/passkey/confirm', { stepToken, challengeToken, name: 'Key', credential })
    expect(await confirm(first.challengeToken, authenticator.create(first.options))).toMatchObject({
      status: 422,
      errors: ['This passkey was added before'],
    })
    const second = await start()
    const key = softwareAuthenticator()
    const { data } = await confirm(second.challengeToken, key.create(second.options))
    expect(data).toEqual({ recoveryCodes: null, tokens: null })
    const again = softwareAuthenticator().create(second.options)
    expect((await confirm(second.challengeToken, again)).status).toBe(401)
  })

  it('the user renames a passkey and removes it after the password; others cannot', async () => {
    const {
      request,
      tokens,
      stepToken,
      tokenOf,
      authenticator,
      signInWithPasskey,
      deliverMail,
      mailTexts,
      auditActions,
      jobs,
      studioId,
      userId: userIdOf,
    } = await setUp()
    const userId = await userIdOf('owner@riverside.test')
    const read = async () => (await request('GET', '/api/account/two-factor', { token: tokens.token })).data
    const [{ id }] = (await read()).passkeys
    const path = `/api/account/passkeys/${id}`
    const rename = (token: string, name: string) => request('PATCH', path, { token, body: { name } })
    expect((await rename(tokens.token, ' Blue key ')).data.name).toBe('Blue key')
    expect((await rename(tokens.token, '  ')).fields).toEqual({ name: ['This field is required'] })
    const sam = await tokenOf('staff@riverside.test')
    expect((await rename(sam, 'Mine')).status).toBe(404)
    const remove = (token: string, usedStepToken: string) =>
      request('POST', `${path}/remove`, { token, body: { stepToken: usedStepToken } })
    expect((await remove(tokens.token, 'no step')).status).toBe(401)
    expect((await remove(sam, stepToken)).status).toBe(401)
    expect((await remove(tokens.token, stepToken)).status).toBe(200)
    expect(await read()).toEqual({ hasAuthenticator: false, passkeys: [], recoveryCodesLeft: 0, isRequired: false })
    expect((await signInWithPasskey(authenticator)).status).toBe(422)
    // Jobs are stored for days after their work: with a studio they are deleted with it, and without names nothing of the user is left in them.
    const payloads = jobs.filter(({ name }) => name === 'send-security-email').map(({ payload }) => payload)
    for (const payload of payloads)
      expect(payload).toEqual({ studioId, userId, change: expect.any(String), auditId: expect.any(Number) })
    expect(payloads).toHaveLength(3)
    await deliverMail()
    expect(mailTexts.map((text) => text.split('\n\n')[1])).toEqual([
      'The passkey “Phone” was added to your account.',
      'A passkey of your account was renamed to “Blue key”.',
      'The passkey “Blue key” was removed from your account.',
    ])
    expect(await auditActions()).toEqual(['user.passkey-added', 'user.passkey-renamed', 'user.passkey-removed'])
  })

  it('a disabled user cannot sign in with a passkey', async () => {
    const { deps, authenticator, signInWithPasskey } = await setUp()
    await deps.db.updateTable('users').set({ disabled_at: deps.clock() }).where('email', '=', owner).execute()
    expect((await signInWithPasskey(authenticator)).status).toBe(422)
  })
})
