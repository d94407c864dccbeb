import { type RawBuilder, sql } from 'kysely'
import type { StudioUser } from '#contract/studio/accounts.ts'
import type { StudioRole, UserRole } from '#contract/system/auth.ts'
import { userGrantMessages } from '#domain/platform/platform-studio.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'
import { isStale, type Problem, problem } from '#server/http/problem.ts'
import { hasSecondFactor } from '../credentials/second-factors.ts'
import { endAllAccess } from '../tokens/revoke-refresh-tokens.ts'
import { hasOwner, readOwners } from '../tokens/studio-owners.ts'

/** A user and their studio: null for an administrator of the platform. */
export type UserKey = { readonly studioId: number | null; readonly id: number }

/** A row of a user in the database. */
export type UserRow<User extends { signedInAt: string | null }> = Omit<User, 'signedInAt'> & { signedInAt: Date | null }

/** A user as it is sent. */
export const userOf = <Row extends { signedInAt: Date | null }>({ signedInAt, ...row }: Row) => ({
  ...row,
  signedInAt: signedInAt?.toISOString() ?? null,
})

export const userColumns = sql`u.id, u.name, u.email, u.role, u.disabled_at is not null as "isDisabled",
  u.signed_in_at as "signedInAt", u.version, ${hasSecondFactor} as "hasSecondFactor"`

export const userSorts = {
  name: sql`lower(u.name)`,
  email: sql`u.email`,
  role: sql`u.role`,
  signedInAt: sql`u.signed_in_at`,
}

type UserQuery = PageQuery & { sort?: string | undefined; type?: StudioRole | undefined }

/** Lists a studio's users. */
export const listUsers = async (
  db: Db,
  studioId: number,
  query: UserQuery,
): Promise<StudioUser[] | Page<StudioUser>> => {
  const searchText = query.filter?.trim()
  const matchesSearch: RawBuilder<unknown> = searchText
    ? sql`(u.name ilike ${likePattern(searchText)} or u.email ilike ${likePattern(searchText)})`
    : sql`true`
  const hasRole: RawBuilder<unknown> = query.type ? sql`u.role = ${query.type}` : sql`true`
  const from = sql`from users u where u.studio_id = ${studioId} and u.removed_at is null and ${matchesSearch} and ${hasRole}`
  const order = orderBy(userSorts, query.sort, sql`u.id`)
  return mapPage(await paginateQuery<UserRow<StudioUser>>(db, { columns: userColumns, from, order }, query), userOf)
}

/** Reads a user of a studio; undefined for an unknown or removed user. */
export const readUser = async (db: Db | Transaction, { studioId, id }: UserKey): Promise<StudioUser | undefined> => {
  const { rows } = await sql<UserRow<StudioUser>>`
    select ${userColumns} from users u where u.studio_id is not distinct from ${studioId}::bigint and u.id = ${id} and u.removed_at is null`.execute(
    db,
  )
  return rows[0] && userOf(rows[0])
}

const lastManagerProblem = ({ studioId }: UserKey): Problem<'refused'> =>
  problem(
    'refused',
    studioId === null
      ? 'The platform needs an administrator who can sign in. Invite another one first'
      : 'A studio needs an owner who can sign in. Make someone else an owner first',
  )

/** The problem of a removal: the user is in use as the last owner of the studio, or as the last administrator. */
const lastManagerInUse = async (tx: Transaction, { studioId }: UserKey): Promise<Problem<'conflict'>> => {
  if (studioId === null)
    return problem('conflict', 'This user is in use: the platform needs an administrator who can sign in')
  const query = tx.selectFrom('studios').select('name').where('id', '=', studioId)
  const { name } = await query.executeTakeFirstOrThrow()
  return problem(
    'conflict',
    `This user is in use: ${name} needs an owner who can sign in. Make someone else an owner first`,
  )
}

/** Whether this is the last owner of the studio, or the last administrator of the platform, who may sign in. */
const isLastManager = async (tx: Transaction, { studioId, id }: UserKey): Promise<boolean> => {
  const isManager = sql`studio_id is not distinct from ${studioId}::bigint and role in ('owner', 'administrator') and disabled_at is null`
  const { rows } = await sql<{ isLast: boolean }>`
    select exists (select from users where ${isManager} and id = ${id})
       and not exists (select from users where ${isManager} and id <> ${id}) as "isLast"`.execute(tx)
  return rows[0]?.isLast ?? false
}

/** Runs work while the studio, or each administrator, is locked, so that two users cannot remove each other at the same time. */
const withLockedStudio = <Result>(
  { db }: Deps,
  studioId: number | null,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  inTransaction(db, async (tx) => {
    await (studioId === null
      ? tx.selectFrom('users').select('id').where('role', '=', 'administrator').orderBy('id').forUpdate().execute()
      : tx.selectFrom('studios').select('id').where('id', '=', studioId).forNoKeyUpdate().execute())
    return await work(tx)
  })

/** Emails those who owned a studio until now what an administrator did to one of its users. */
const emailFormerOwners = async (
  tx: Transaction,
  deps: Deps,
  { key: { studioId, id }, actorId, news }: { key: UserKey; actorId: number; news: 'user-changed' | 'user-removed' },
): Promise<void> => {
  if (studioId === null) return
  const formerOwnerIds = (await readOwners(tx, studioId)).map((owner) => owner.id)
  if (formerOwnerIds.length === 0) return
  const change = { userId: id, administratorId: actorId, formerOwnerIds }
  const at = deps.clock().toISOString()
  await deps.jobs.enqueue(tx, 'send-studio-email', { studioId, news, reason: '', at, change })
}

type UserChanges = { version?: number | undefined; name: string; role: UserRole; isDisabled: boolean }

type UserChange = {
  readonly key: UserKey
  readonly actorId: number
  /** Whether an administrator of the platform makes the change. */
  readonly isByPlatform?: boolean
}

/** Checks a change that an administrator makes: it gives no rights in a studio that has an owner, and its owners are emailed. */
const checkPlatformChange = async (
  tx: Transaction,
  deps: Deps,
  { key, actorId, user, changes }: UserChange & { user: StudioUser; changes: UserChanges },
): Promise<Problem<'refused'> | undefined> => {
  const { role, isDisabled } = changes
  if (key.studioId === null || (role === user.role && isDisabled === user.isDisabled)) return undefined
  const givesRights = (role === 'owner' && user.role !== 'owner') || (user.isDisabled && !isDisabled)
  if (givesRights && (await hasOwner(tx, key.studioId))) return problem('refused', userGrantMessages.ownersGrant)
  await emailFormerOwners(tx, deps, { key, actorId, news: 'user-changed' })
  return undefined
}

/**
 * Changes a user's name, role and whether they may sign in. A token with more permissions than the new role is refused.
 */
export const changeUser = (
  deps: Deps,
  { key, changes, actorId, isByPlatform }: UserChange & { changes: UserChanges },
): Promise<StudioUser | Problem<'not-found' | 'conflict' | 'refused'>> =>
  withLockedStudio(deps, key.studioId, async (tx) => {
    const user = await readUser(tx, key)
    if (!user) return problem('not-found')
    if (isStale(user, changes.version)) return problem('conflict')
    const { name, role, isDisabled } = changes
    const staysManager = role !== 'staff' && !isDisabled
    if (!staysManager && (await isLastManager(tx, key))) return lastManagerProblem(key)
    const refusal = isByPlatform && (await checkPlatformChange(tx, deps, { key, actorId, user, changes }))
    if (refusal) return refusal
    const now = deps.clock()
    await tx
      .updateTable('users')
      .set(({ eb, ref }) => ({
        name,
        role,
        disabled_at: isDisabled ? eb.fn.coalesce(ref('disabled_at'), eb.val(now)) : null,
        updated_at: now,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', key.id)
      .execute()
    if (isDisabled) await endAllAccess(tx, deps, { userId: key.id })
    const detail = { name, role, disabled: isDisabled ? 'yes' : 'no' }
    const { studioId } = key
    await recordAudit(tx, deps, { studioId, action: 'user.changed', entityId: String(key.id), detail, userId: actorId })
    return (await readUser(tx, key)) ?? problem('not-found')
  })

/**
 * Removes a user: their sign-ins end and another user may use their address. Their name remains in records of their
 * actions.
 */
export const removeUser = (
  deps: Deps,
  { key, actorId, isByPlatform }: UserChange,
): Promise<undefined | Problem<'not-found' | 'conflict'>> =>
  withLockedStudio(deps, key.studioId, async (tx) => {
    const user = await readUser(tx, key)
    if (!user) return problem('not-found')
    if (await isLastManager(tx, key)) return await lastManagerInUse(tx, key)
    if (isByPlatform) await emailFormerOwners(tx, deps, { key, actorId, news: 'user-removed' })
    const now = deps.clock()
    await tx
      .updateTable('users')
      .set(({ eb }) => ({
        disabled_at: now,
        removed_at: now,
        password_hash: null,
        updated_at: now,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', key.id)
      .execute()
    await endAllAccess(tx, deps, { userId: key.id })
    const detail = { name: user.name, role: user.role }
    const { studioId } = key
    await recordAudit(tx, deps, { studioId, action: 'user.removed', entityId: String(key.id), detail, userId: actorId })
    return undefined
  })
