import type { FastifyInstance } from 'fastify'
import type { TokenPair } from '../../contract/auth.ts'
import * as calls from '../../contract/auth.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { addressOf } from '../http/address.ts'
import { guard } from '../http/guessing.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { acceptInvitation, readInvitation, unknownInvitation } from './accept-invitation.ts'
import { changePassword } from './change-password.ts'
import { sendResetLink } from './forgot-password.ts'
import { isPassword } from './passwords.ts'
import { endFamily, rotate } from './refresh-tokens.ts'
import { resetPassword, unknownLink } from './reset-password.ts'
import { setUp, slugMessage } from './set-up.ts'
import { enabledAccounts, pairOf, signInAs } from './token-pair.ts'

/** Signs in by e-mail address and password; undefined for a wrong one of either, after the same time. */
const signIn = async (deps: Deps, username: string, password: string): Promise<TokenPair | undefined> => {
  const account = await enabledAccounts(deps.db).where('email', '=', username).executeTakeFirst()
  const right = await isPassword(password, account?.password_hash)
  if (!account || !right) return undefined
  return await inTransaction(deps.db, (tx) => signInAs(deps, tx, account))
}

const refreshPair = async (
  deps: Deps,
  shown: { token: string; key: string | undefined },
): Promise<TokenPair | undefined> => {
  const rotation = await inTransaction(deps.db, (tx) => rotate(deps, tx, shown))
  if (!rotation) return undefined
  const account = await enabledAccounts(deps.db).where('id', '=', rotation.userId).executeTakeFirst()
  return account && (await pairOf(deps, account, rotation.token))
}

const mountSignIns = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.logIn, async ({ body, request }) => {
    const username = body.username.trim().toLowerCase()
    const attempt = { kind: 'sign-in', targets: [username], address: addressOf(request) } as const
    return (await guard(deps, attempt, () => signIn(deps, username, body.password))) ?? problem('authentication-failed')
  })

  mount(app, deps, calls.refresh, async ({ body, request, key }) => {
    const attempt = { kind: 'refresh', address: addressOf(request) } as const
    const shown = { token: body.refreshToken, key }
    return (await guard(deps, attempt, () => refreshPair(deps, shown))) ?? problem('invalid-token')
  })

  mount(app, deps, calls.logOut, async ({ body }) => {
    await inTransaction(deps.db, (tx) => endFamily(deps, tx, body.refreshToken))
    return {}
  })
}

const mountPasswords = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.forgotPassword, async ({ body, request }) => {
    const email = body.email.trim().toLowerCase()
    const attempt = { kind: 'forgot-password', targets: [email], address: addressOf(request) } as const
    // Each ask counts: one that did not would tell which addresses are known.
    const tooMany = await guard(deps, attempt, async () => {
      await sendResetLink(deps, email)
      return undefined
    })
    return tooMany instanceof Problem ? tooMany : {}
  })

  mount(app, deps, calls.resetPassword, async ({ body, request }) => {
    const attempt = { kind: 'forgot-password', address: addressOf(request) } as const
    const result = (await guard(deps, attempt, () => resetPassword(deps, body))) ?? unknownLink()
    return result === 'done' ? {} : result
  })

  mount(app, deps, calls.changePassword, ({ body, request, user }) =>
    changePassword(deps, { ...body, userId: user.id, address: addressOf(request) }),
  )
}

const mountBeginnings = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.checkSlug, async ({ query }) => {
    const message = await slugMessage(deps.db, query.slug)
    return { valid: message === null, message }
  })

  mount(app, deps, calls.setUp, ({ body, request }) => setUp(deps, body, addressOf(request)))

  mount(app, deps, calls.readInvitation, async ({ body, request }) => {
    const attempt = { kind: 'invitation', address: addressOf(request) } as const
    return (await guard(deps, attempt, () => readInvitation(deps, body.token))) ?? unknownInvitation()
  })

  mount(app, deps, calls.acceptInvitation, async ({ body, request }) => {
    const attempt = { kind: 'invitation', address: addressOf(request) } as const
    return (await guard(deps, attempt, () => acceptInvitation(deps, body))) ?? unknownInvitation()
  })
}

/** Coming in, staying in and getting back in (section 7, sessions); how studios and their staff begin. */
export const mountAuth = (app: FastifyInstance, deps: Deps): void => {
  mountSignIns(app, deps)
  mountPasswords(app, deps)
  mountBeginnings(app, deps)
}
