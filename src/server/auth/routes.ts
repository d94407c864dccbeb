import type { FastifyInstance } from 'fastify'
import type { TokenPair } from '../../contract/auth.ts'
import { logIn, logOut, refresh } from '../../contract/auth.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { signAccessToken } from '../http/access-token.ts'
import { addressOf } from '../http/address.ts'
import { guard } from '../http/guessing.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { isPassword } from './passwords.ts'
import { endFamily, rotate, startFamily } from './refresh-tokens.ts'
import { permissionsOf } from './roles.ts'

type Account = { id: number; name: string; email: string; role: keyof typeof permissionsOf; studio_id: number | null }

const enabled = ({ db }: Pick<Deps, 'db'>) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'studio_id', 'password_hash'])
    .where('disabled_at', 'is', null)

const pairOf = async (deps: Deps, account: Account, refreshToken: string): Promise<TokenPair> => {
  const user = { ...account, permissions: permissionsOf[account.role], studioId: account.studio_id }
  const { token, expires } = await signAccessToken(deps, user)
  return { token, refreshToken, expiration: expires.toISOString() }
}

/** Signs in by e-mail address and password; undefined for a wrong one of either, after the same time. */
const signIn = async (deps: Deps, username: string, password: string): Promise<TokenPair | undefined> => {
  const account = await enabled(deps).where('email', '=', username).executeTakeFirst()
  const right = await isPassword(password, account?.password_hash)
  if (!account || !right) return undefined
  const refreshToken = await inTransaction(deps.db, async (tx) => {
    await tx.updateTable('users').set({ signed_in_at: deps.clock() }).where('id', '=', account.id).execute()
    return await startFamily(deps, tx, account.id)
  })
  return await pairOf(deps, account, refreshToken)
}

const refreshPair = async (
  deps: Deps,
  shown: { token: string; key: string | undefined },
): Promise<TokenPair | undefined> => {
  const rotation = await inTransaction(deps.db, (tx) => rotate(deps, tx, shown))
  if (!rotation) return undefined
  const account = await enabled(deps).where('id', '=', rotation.userId).executeTakeFirst()
  return account && (await pairOf(deps, account, rotation.token))
}

export const mountAuth = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, logIn, async ({ body, request }) => {
    const username = body.username.trim().toLowerCase()
    const attempt = { kind: 'sign-in', targets: [username], address: addressOf(request) } as const
    return (await guard(deps, attempt, () => signIn(deps, username, body.password))) ?? problem('authentication-failed')
  })

  mount(app, deps, refresh, async ({ body, request, key }) => {
    const attempt = { kind: 'refresh', address: addressOf(request) } as const
    const shown = { token: body.refreshToken, key }
    return (await guard(deps, attempt, () => refreshPair(deps, shown))) ?? problem('invalid-token')
  })

  mount(app, deps, logOut, async ({ body }) => {
    await inTransaction(deps.db, (tx) => endFamily(deps, tx, body.refreshToken))
    return {}
  })
}
