import { TOTP } from 'otpauth'
import type { TestDatabase } from '#support/database/test-database.ts'
import { softwareAuthenticator } from '#support/server/software-authenticator.ts'
import { createSignInFixtures, password } from '../sign-in/sign-in-fixtures.ts'

export const stepMs = 30_000

/** The sign-in fixtures with users who set up second factors. */
export const createTwoFactorFixtures = async (database: TestDatabase) => {
  const fixtures = await createSignInFixtures(database)
  const { clock, advance, post, request, signIn } = fixtures

  /** The code that an authenticator app shows, `steps` of 30 seconds from now. */
  const codeOf = (key: string, steps = 0): string =>
    new TOTP({ secret: key }).generate({ timestamp: clock().getTime() + steps * stepMs })

  /** Signs in with the password, and returns the answer's data. */
  const passwordStep = async (email: string, usedPassword = password) => (await signIn(email, usedPassword)).data

  const authorize = async (token: string): Promise<string> => {
    const body = { password }
    return (await request('POST', '/api/account/two-factor/authorize', { token, body })).data.stepToken
  }

  /** Sets up an authenticator app with a step's token. The next code of the app is of a later step. */
  const setUpApp = async (stepToken: string, refreshToken?: string) => {
    const { key, keyToken } = (await post('set-up/authenticator', { stepToken })).data
    const body = { stepToken, keyToken, code: codeOf(key), ...(refreshToken && { refreshToken }) }
    const { status, data } = await post('set-up/authenticator/confirm', body)
    advance(stepMs)
    return { status, key: String(key), ...data } as {
      status: number
      key: string
      recoveryCodes: string[] | null
      tokens: { token: string; refreshToken: string } | null
    }
  }

  /** A signed-in user who sets up an authenticator app in their account. */
  const userWithApp = async (email: string) => {
    const tokens = await passwordStep(email)
    const app = await setUpApp(await authorize(tokens.token), tokens.refreshToken)
    return { ...app, tokens }
  }

  /** Adds a passkey with a step's token, and returns its authenticator. */
  const setUpPasskey = async (stepToken: string, name = 'Phone') => {
    const authenticator = softwareAuthenticator()
    const { options, challengeToken } = (await post('set-up/passkey', { stepToken })).data
    const credential = authenticator.create(options)
    const answer = await post('set-up/passkey/confirm', { stepToken, challengeToken, name, credential })
    return { authenticator, options, answer }
  }

  /** Signs in with a passkey: after a password with its step, or without. */
  const signInWithPasskey = async (authenticator: ReturnType<typeof softwareAuthenticator>, stepToken?: string) => {
    const { options, challengeToken } = (await post('passkey/options', { ...(stepToken && { stepToken }) })).data
    return await post('passkey', { challengeToken, credential: authenticator.get(options) })
  }

  const proveCode = (stepToken: string, code: string, method = 'authenticator') =>
    post('second-factor', { stepToken, method, code })

  const auditActions = async () =>
    (await fixtures.deps.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(
      ({ action }) => action,
    )

  return {
    ...fixtures,
    codeOf,
    passwordStep,
    authorize,
    setUpApp,
    userWithApp,
    setUpPasskey,
    signInWithPasskey,
    proveCode,
    auditActions,
  }
}
