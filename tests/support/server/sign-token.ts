import { permissionsOf } from '#server/access/authorization/role-permissions.ts'
import { signAccessToken, type User } from '#server/access/tokens/access-token.ts'
import type { Deps } from '#server/deps.ts'

type Role = keyof typeof permissionsOf

const holds = (role: Role, { permissions }: User): boolean =>
  permissions.every((permission) => (permissionsOf[role] as User['permissions']).includes(permission))

const isStudio = async ({ db }: Deps, id: number | null): Promise<boolean> =>
  id !== null && (await db.selectFrom('studios').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

const makeUser = async ({ db }: Deps, role: Role, studioId: number | null): Promise<number> => {
  const email = `${role}-of-${studioId ?? 'all'}@tokens.test`
  const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (known) return known.id
  const row = { email, name: 'Somebody', role, studio_id: studioId }
  return (await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/**
 * An access token that the server accepts. When the user in the database is of another studio or has a lesser role than the token needs,
 * the token is for a new user.
 */
export const signToken = async (deps: Deps, user: User): Promise<{ token: string }> => {
  const { id, studioId } = user
  const role = (['staff', 'owner', 'administrator'] as const).find((one) => holds(one, user)) ?? 'administrator'
  const saved = await deps.db.selectFrom('users').select(['role', 'studio_id']).where('id', '=', id).executeTakeFirst()
  const isSaved = saved === undefined || (holds(saved.role, user) && saved.studio_id === studioId)
  const isNobodys = role !== 'administrator' && !(await isStudio(deps, studioId))
  if (isSaved || isNobodys) return await signAccessToken(deps, user)
  const of = role === 'administrator' ? null : studioId
  return await signAccessToken(deps, { ...user, id: await makeUser(deps, role, of), studioId: of })
}
