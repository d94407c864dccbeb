import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/system/two-factor.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { mount } from '#server/http/mount.ts'
import { Problem } from '#server/http/problem.ts'
import {
  authorizeChange,
  readTwoFactor,
  removeAuthenticator,
  removePasskey,
  replaceRecoveryCodes,
} from './change-second-factors.ts'
import { signInWithPasskey, startPasskeySignIn } from './passkey-sign-in.ts'
import { renamePasskey, trimPasskeyName } from './passkeys.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import {
  confirmAuthenticatorSetUp,
  confirmPasskeySetUp,
  startAuthenticatorSetUp,
  startPasskeySetUp,
} from './set-up-second-factor.ts'
import { changeTwoFactorPolicy, readTwoFactorPolicy } from './two-factor-policy.ts'
import { verifySecondFactor } from './verify-second-factor.ts'

/** Answers with secrets are not recorded, nor is anything of a request with a password. */
const unrecorded = { repetition: 'unrecorded' } as const

const mountSignInSteps = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.verifySecondFactor, ({ body, request }) =>
    verifySecondFactor(deps, { ...body, address: clientAddressOf(request) }),
  )
  mount(app, deps, calls.startPasskeySignIn, ({ body }) => startPasskeySignIn(deps, body.stepToken))
  mount(app, deps, calls.signInWithPasskey, ({ body }) => signInWithPasskey(deps, body))
  mount(app, deps, calls.startAuthenticatorSetUp, ({ body }) => startAuthenticatorSetUp(deps, body.stepToken))
  mount(app, deps, calls.confirmAuthenticatorSetUp, ({ body }) => confirmAuthenticatorSetUp(deps, body))
  mount(app, deps, calls.startPasskeySetUp, ({ body }) => startPasskeySetUp(deps, body.stepToken))
  mount(app, deps, calls.confirmPasskeySetUp, ({ body }) => confirmPasskeySetUp(deps, body))
}

const mountOwnTwoFactor = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.getTwoFactor, ({ user }) => readTwoFactor(deps, user.id))
  mount(
    app,
    deps,
    calls.authorizeTwoFactorChange,
    ({ body, user, request }) =>
      authorizeChange(deps, { userId: user.id, password: body.password, address: clientAddressOf(request) }),
    unrecorded,
  )
  mount(
    app,
    deps,
    calls.replaceRecoveryCodes,
    ({ body, user }) => replaceRecoveryCodes(deps, { ...body, user }),
    unrecorded,
  )
  mount(
    app,
    deps,
    calls.removeAuthenticator,
    async ({ body, user }) => (await removeAuthenticator(deps, { ...body, user })) ?? {},
  )
  mount(app, deps, calls.renamePasskey, async ({ params: { passkeyId }, body, user }) => {
    const name = trimPasskeyName(body.name)
    return name instanceof Problem ? name : await renamePasskey(deps, { user, passkeyId, name })
  })
  mount(
    app,
    deps,
    calls.removePasskey,
    async ({ params, body, user }) => (await removePasskey(deps, { ...params, ...body, user })) ?? {},
  )
}

/** Routes of two-factor sign-in and passkeys, of a studio's rule for both, and to reset those of others. */
export const mountTwoFactor = (app: FastifyInstance, deps: Deps): void => {
  mountSignInSteps(app, deps)
  mountOwnTwoFactor(app, deps)
  mount(
    app,
    deps,
    calls.resetSecondFactor,
    async ({ params: key, user }) => (await resetSecondFactor(deps, { key, actor: user })) ?? {},
  )
  mount(
    app,
    deps,
    calls.resetPlatformSecondFactor,
    async ({ params: key, user }) => (await resetSecondFactor(deps, { key, actor: user })) ?? {},
  )
  mount(app, deps, calls.getTwoFactorPolicy, ({ params: { studioId } }) => readTwoFactorPolicy(deps.db, studioId))
  mount(app, deps, calls.putTwoFactorPolicy, ({ params: { studioId }, body, user }) =>
    changeTwoFactorPolicy(deps, { studioId, isRequired: body.isRequired, actor: user }),
  )
}
