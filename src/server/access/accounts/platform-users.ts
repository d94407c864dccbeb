import { type RawBuilder, sql } from 'kysely'
import type { UserRole } from '#contract/system/auth.ts'
import type { PlatformInvitation, PlatformUser, userStates } from '#contract/system/platform-users.ts'
import { userGrantMessages } from '#domain/platform/platform-studio.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { type Db, inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { endAllAccess } from '../tokens/revoke-refresh-tokens.ts'
import { hasOwner, hasOwnerOf } from '../tokens/studio-owners.ts'
import {
  fromOpenInvitations,
  type InvitationKey,
  type InvitationRow,
  invitationColumns,
  invitationOf,
  invitationSorts,
} from './invitations.ts'
import { changeUser, removeUser, type UserRow, userColumns, userOf, userSorts } from './studio-users.ts'

const studioName = sql`(select s.name from studios s where s.id = u.studio_id)`
const membership = sql`u.studio_id as "studioId", ${studioName} as "studioName", ${hasOwnerOf(sql`u.studio_id`)} as "studioHasOwner"`
const columns = sql`${userColumns}, ${membership}`
const fromUsers = sql`from users u where u.removed_at is null`

type UserQuery = PageQuery & {
  sort?: string | undefined
  type?: UserRole | undefined
  studioId?: number | undefined
  state?: (typeof userStates)[number] | undefined
}

/** The number of users that can be paged through; a search finds the others. */
const maxUsers = 10_000

/** Whether each word of a filter begins a word of the user’s name or address. The index `users_words` has the same expression. */
const hasWords = (filter = ''): RawBuilder<unknown> => {
  const words = filter.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return sql`true`
  const prefixes = words.map((word) => `${word}:*`).join(' & ')
  return sql`to_tsvector('simple', translate(u.name || ' ' || u.email, '@.-_+', '     ')) @@ to_tsquery('simple', ${prefixes})`
}

/** Lists the users of all studios and the administrators, except removed users. */
export const listPlatformUsers = async (db: Db, query: UserQuery): Promise<PlatformUser[] | Page<PlatformUser>> => {
  const { filter, sort, type, studioId, state } = query
  const conditions = [
    hasWords(filter),
    ...(type ? [sql`u.role = ${type}`] : []),
    ...(studioId === undefined ? [] : [sql`u.studio_id = ${studioId}`]),
    ...(state ? [sql`(u.disabled_at is not null) = ${state === 'disabled'}`] : []),
  ]
  const from = sql`${fromUsers} and ${sql.join(conditions, sql` and `)}`
  const order = orderBy({ ...userSorts, studio: sql`lower(${studioName})` }, sort, sql`u.id`)
  return mapPage(
    await paginateQuery<UserRow<PlatformUser>>(
      db,
      { columns, from, order, table: { name: sql`users u`, id: sql`u.id` }, maxRecords: maxUsers },
      query,
    ),
    userOf,
  )
}

/** Reads any user who was not removed. */
export const readPlatformUser = async (db: Db, id: number): Promise<PlatformUser | Problem<'not-found'>> => {
  const { rows } = await sql<UserRow<PlatformUser>>`select ${columns} ${fromUsers} and u.id = ${id}`.execute(db)
  return rows[0] ? userOf(rows[0]) : problem('not-found')
}

/** A problem at the role if a role does not fit a user's membership: administrators have no studio, the others have one. */
const roleProblem = (role: UserRole, studioId: number | null): Problem<'refused'> | undefined => {
  if ((role === 'administrator') === (studioId === null)) return undefined
  const message = studioId === null ? 'Choose a studio for this role' : 'Administrators do not belong to a studio'
  return problem('refused', fixFieldsMessage, { fields: { role: [message] } })
}

/**
 * Why an administrator may not invite a user to a studio; undefined if they may. Until the studio has an owner they invite one; then its
 * owners invite. `acceptInvitation` checks it again.
 */
export const invitationProblem = async (
  db: Db,
  { role, studioId }: { role: UserRole; studioId: number | null },
): Promise<Problem<'refused'> | undefined> => {
  const misfit = roleProblem(role, studioId)
  if (misfit || studioId === null) return misfit
  if (await hasOwner(db, studioId)) return problem('refused', userGrantMessages.ownersInvite)
  if (role === 'owner') return undefined
  return problem('refused', fixFieldsMessage, { fields: { role: [userGrantMessages.ownerFirst] } })
}

type Change = {
  readonly id: number
  readonly actorId: number
  readonly changes: { version?: number | undefined; name: string; role: UserRole; isDisabled: boolean }
}

/** Changes any user's name, role and whether they may sign in. Administrators cannot disable themselves, nor give rights in a studio that has an owner. */
export const changePlatformUser = async (
  deps: Deps,
  { id, actorId, changes }: Change,
): Promise<PlatformUser | Problem<'not-found' | 'conflict' | 'refused'>> => {
  const user = await readPlatformUser(deps.db, id)
  if (user instanceof Problem) return user
  const { studioId } = user
  const invalid = roleProblem(changes.role, studioId)
  if (invalid) return invalid
  if (changes.isDisabled && id === actorId) return problem('refused', 'You cannot disable yourself')
  const changed = await changeUser(deps, { key: { studioId, id }, changes, actorId, isByPlatform: true })
  return changed instanceof Problem ? changed : await readPlatformUser(deps.db, id)
}

/** Removes any user, except the administrator who asks for it. */
export const removePlatformUser = async (
  deps: Deps,
  { id, actorId }: { id: number; actorId: number },
): Promise<undefined | Problem<'not-found' | 'conflict' | 'refused'>> => {
  const user = await readPlatformUser(deps.db, id)
  if (user instanceof Problem) return user
  if (id === actorId) return problem('refused', 'You cannot remove yourself')
  return await removeUser(deps, { key: { studioId: user.studioId, id }, actorId, isByPlatform: true })
}

/** Ends all sign-ins and API tokens of a user: they are refused at the next call, and cannot be refreshed. */
export const endUserSessions = (
  deps: Deps,
  { id, actorId }: { id: number; actorId: number },
): Promise<undefined | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const users = tx.selectFrom('users').select(['name', 'studio_id as studioId']).where('id', '=', id)
    const user = await users.where('removed_at', 'is', null).executeTakeFirst()
    if (!user) return problem('not-found')
    await endAllAccess(tx, deps, { userId: id })
    const entry = { studioId: user.studioId, entityId: String(id), detail: { name: user.name }, userId: actorId }
    await recordAudit(tx, deps, { ...entry, action: 'user.sessions-ended' })
    return undefined
  })

const membershipColumns = sql`s.id as "studioId", s.name as "studioName"`

/** The open invitations of all studios and of the platform. */
export const listPlatformInvitations = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  query: PageQuery & { sort?: string | undefined },
): Promise<PlatformInvitation[] | Page<PlatformInvitation>> => {
  const pattern = likePattern(query.filter?.trim() ?? '')
  const statement = {
    columns: sql`${invitationColumns(clock())}, ${membershipColumns}`,
    from: sql`${fromOpenInvitations} and (i.name ilike ${pattern} or i.email ilike ${pattern})`,
    order: orderBy(invitationSorts, query.sort ?? '-sentAt', sql`i.id desc`),
  }
  return mapPage(await paginateQuery<InvitationRow<PlatformInvitation>>(db, statement, query), invitationOf)
}

/** Reads an open invitation with its studio. */
export const readPlatformInvitation = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: number,
): Promise<PlatformInvitation | Problem<'not-found'>> => {
  const { rows } = await sql<InvitationRow<PlatformInvitation>>`
    select ${invitationColumns(clock())}, ${membershipColumns} ${fromOpenInvitations} and i.id = ${id}`.execute(db)
  return rows[0] ? invitationOf(rows[0]) : problem('not-found')
}

/** Runs a change of an open invitation, which is found by its id alone. */
export const withInvitation = async <Result>(
  deps: Pick<Deps, 'db' | 'clock'>,
  id: number,
  work: (key: InvitationKey) => Promise<Result>,
): Promise<Result | Problem<'not-found'>> => {
  const invitation = await readPlatformInvitation(deps, id)
  return invitation instanceof Problem
    ? invitation
    : await work({ studioId: invitation.studioId, invitationId: invitation.id })
}
