import { permissionsOf } from '#server/access/authorization/role-permissions.ts'
import { signAccessToken, type User } from '#server/access/tokens/access-token.ts'
import type { Deps } from '#server/deps.ts'
import { given } from './given.ts'

type Role = keyof typeof permissionsOf

const hasPermissions = (role: Role, { permissions }: User): boolean =>
  permissions.every((permission) => (permissionsOf[role] as User['permissions']).includes(permission))

const isStudio = async ({ db }: Deps, id: number | null): Promise<boolean> =>
  id !== null && (await db.selectFrom('studios').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

const makeUser = async ({ db }: Pick<Deps, 'db'>, role: Role, studioId: number | null): Promise<number> => {
  const email = `${role}-of-${studioId ?? 'all'}@tokens.test`
  const existing = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (existing) return existing.id
  return (await given({ db }).user(studioId, { email, name: 'Token User', role, password_hash: null })).id
}

/** The id of the administrator that the tokens of administrators are for, if the test has no other. */
export const tokenAdministrator = (deps: Pick<Deps, 'db'>): Promise<number> => makeUser(deps, 'administrator', null)

/**
 * An access token with the permissions of `user`. If the user in the database belongs to another studio or has a lesser
 * role than the permissions need, the token is for a helper user with the right studio and role, created at first use.
 * A token for an unsaved user, or without an existing studio, is signed unchanged, and the server may reject it.
 */
export const signToken = async (deps: Deps, user: User): Promise<{ token: string }> => {
  const { id, studioId } = user
  const role =
    (['staff', 'owner', 'administrator'] as const).find((candidate) => hasPermissions(candidate, user)) ??
    'administrator'
  const savedUser = await deps.db
    .selectFrom('users')
    .select(['role', 'studio_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  const matchesSaved =
    savedUser === undefined || (hasPermissions(savedUser.role, user) && savedUser.studio_id === studioId)
  const hasNoStudio = role !== 'administrator' && !(await isStudio(deps, studioId))
  if (matchesSaved || hasNoStudio) return await signAccessToken(deps, user)
  const newStudioId = role === 'administrator' ? null : studioId
  return await signAccessToken(deps, { ...user, id: await makeUser(deps, role, newStudioId), studioId: newStudioId })
}
