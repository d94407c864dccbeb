import type { FastifyInstance } from 'fastify'
import type { TokenPair } from '#contract/system/auth.ts'
import * as calls from '#contract/system/auth.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { mount } from '#server/http/mount.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { continueAfterPassword, maintenanceRefusal } from '../credentials/password-steps.ts'
import { lacksSecondFactor } from '../credentials/second-factors.ts'
import { verifyPassword } from '../credentials/verify-password.ts'
import { endTokenFamily, rotateRefreshToken } from '../tokens/refresh-tokens.ts'
import { createTokenPair, enabledAccounts } from '../tokens/token-pair.ts'
import { acceptInvitation, readInvitation } from './accept-invitation.ts'
import { changePassword } from './change-password.ts'
import { sendResetLink } from './password-reset-links.ts'
import { resetPassword } from './reset-password.ts'
import { setUpStudio, slugMessage } from './set-up-studio.ts'

const refreshPair = async (
  deps: Deps,
  presented: { token: string; key: string | undefined },
): Promise<TokenPair | undefined> => {
  const rotation = await inTransaction(deps.db, (tx) => rotateRefreshToken(deps, tx, presented))
  if (!rotation) return undefined
  const account = await enabledAccounts(deps.db).where('id', '=', rotation.userId).executeTakeFirst()
  if (!account || (await lacksSecondFactor(deps.db, account.id))) return undefined
  return await createTokenPair(deps, account, rotation.token)
}

const mountSignIns = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.logIn, async ({ body, request }) => {
    const email = body.username.trim().toLowerCase()
    const account = await verifyPassword(deps, { email, password: body.password, address: clientAddressOf(request) })
    if (!account) return problem('authentication-failed')
    if (account instanceof Problem) return account
    const refusal = await maintenanceRefusal(deps, account)
    return refusal ?? (await inTransaction(deps.db, (tx) => continueAfterPassword(deps, tx, account)))
  })

  // Also during maintenance: a refused refresh could end a sign-in, and the new token opens nothing meanwhile.
  // No rate limit: a token of 256 bits cannot be guessed, and attempts of others at the same address must not end the
  // sign-ins of staff.
  mount(app, deps, calls.refreshTokens, async ({ body, key }) => {
    return (await refreshPair(deps, { token: body.refreshToken, key })) ?? problem('invalid-token')
  })

  mount(app, deps, calls.logOut, async ({ body }) => {
    await inTransaction(deps.db, (tx) => endTokenFamily(deps, tx, body.refreshToken))
    return {}
  })
}

const mountPasswords = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.forgotPassword, async ({ body, request }) => {
    const email = body.email.trim().toLowerCase()
    const attempt = { kind: 'forgot-password', targets: [email], address: clientAddressOf(request) } as const
    // Every request counts: counting only misses would reveal which addresses are known.
    const rejection = await bruteForceGuard(deps, attempt, async () => {
      await sendResetLink(deps, email)
      return undefined
    })
    return rejection instanceof Problem ? rejection : {}
  })

  mount(app, deps, calls.resetPassword, ({ body, request }) =>
    resetPassword(deps, { ...body, address: clientAddressOf(request) }),
  )

  mount(app, deps, calls.changePassword, ({ body, request, user }) =>
    changePassword(deps, { ...body, userId: user.id, address: clientAddressOf(request) }),
  )
}

const mountSignUps = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.checkSlug, async ({ query }) => {
    const message = await slugMessage(deps.db, query.slug)
    return { valid: message === null, message }
  })

  mount(app, deps, calls.setUpStudio, ({ body, request }) => setUpStudio(deps, body, clientAddressOf(request)))

  mount(app, deps, calls.readInvitation, ({ body, request }) =>
    readInvitation(deps, { ...body, address: clientAddressOf(request) }),
  )

  mount(app, deps, calls.acceptInvitation, ({ body, request }) =>
    acceptInvitation(deps, { ...body, address: clientAddressOf(request) }),
  )
}

/** Routes to sign in, refresh, sign out and recover an account (section 7, sessions), and to set up studios and accept invitations. */
export const mountAuth = (app: FastifyInstance, deps: Deps): void => {
  mountSignIns(app, deps)
  mountPasswords(app, deps)
  mountSignUps(app, deps)
}
