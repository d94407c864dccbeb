import { type RawBuilder, sql } from 'kysely'
import type { StudioUser } from '#contract/studio/accounts.ts'
import type { StudioRole } from '#contract/system/auth.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { isStale } from '#server/http/stale.ts'
import { endSignIns } from '../tokens/revoke-refresh-tokens.ts'

export type UserKey = { readonly studioId: number; readonly id: number }

type Row = Omit<StudioUser, 'signedInAt'> & { signedInAt: Date | null }

const userOf = ({ signedInAt, ...row }: Row): StudioUser => ({ ...row, signedInAt: signedInAt?.toISOString() ?? null })

const columns = sql`u.id, u.name, u.email, u.role, u.disabled_at is not null as "isDisabled",
  u.signed_in_at as "signedInAt", u.version`

const sorts = {
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
  wanted: UserQuery,
): Promise<StudioUser[] | Page<StudioUser>> => {
  const sought = wanted.filter?.trim()
  const named: RawBuilder<unknown> = sought
    ? sql`(u.name ilike ${likePattern(sought)} or u.email ilike ${likePattern(sought)})`
    : sql`true`
  const ofType: RawBuilder<unknown> = wanted.type ? sql`u.role = ${wanted.type}` : sql`true`
  const from = sql`from users u where u.studio_id = ${studioId} and u.removed_at is null and ${named} and ${ofType}`
  const order = orderBy(sorts, wanted.sort, sql`u.id`)
  return mapPage(await paginateQuery<Row>(db, { columns, from, order }, wanted), userOf)
}

/** One user of a studio; undefined where there is none or the user was removed. */
export const readUser = async (db: Db | Transaction, { studioId, id }: UserKey): Promise<StudioUser | undefined> => {
  const { rows } = await sql<Row>`
    select ${columns} from users u where u.studio_id = ${studioId} and u.id = ${id} and u.removed_at is null`.execute(
    db,
  )
  return rows[0] && userOf(rows[0])
}

const lastOwner = (): Problem<'refused'> =>
  problem('refused', 'A studio needs an owner who can sign in. Make somebody else an owner first')

/** Whether this is the studio's last owner. */
const isLastOwner = async (tx: Transaction, { studioId, id }: UserKey): Promise<boolean> => {
  const { rows } = await sql<{ last: boolean }>`
    select exists (select from users where studio_id = ${studioId} and id = ${id} and role = 'owner' and disabled_at is null)
       and not exists (select from users
                        where studio_id = ${studioId} and id <> ${id} and role = 'owner' and disabled_at is null) as last`.execute(
    tx,
  )
  return rows[0]?.last ?? false
}

/** Locks the studio, so that its users change one after the other: two owners must not remove each other at once. */
const withStudio = <Result>(
  { db }: Deps,
  studioId: number,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  inTransaction(db, async (tx) => {
    await tx.selectFrom('studios').select('id').where('id', '=', studioId).forNoKeyUpdate().execute()
    return await work(tx)
  })

type UserChanges = { version?: number | undefined; name: string; role: StudioRole; isDisabled: boolean }

/** Changes a user's name, role and whether they may sign in. A token with wider permissions is refused at its next call. */
export const changeUser = (
  deps: Deps,
  { key, changes, by }: { key: UserKey; changes: UserChanges; by: number },
): Promise<StudioUser | Problem<'not-found' | 'conflict' | 'refused'>> =>
  withStudio(deps, key.studioId, async (tx) => {
    const before = await readUser(tx, key)
    if (!before) return problem('not-found')
    if (isStale(before, changes.version)) return problem('conflict')
    const { name, role, isDisabled } = changes
    const staysOwner = role === 'owner' && !isDisabled
    if (!staysOwner && (await isLastOwner(tx, key))) return lastOwner()
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
      .where('studio_id', '=', key.studioId)
      .where('id', '=', key.id)
      .execute()
    if (isDisabled) await endSignIns(tx, deps, { userId: key.id })
    const detail = { name, role, disabled: isDisabled ? 'yes' : 'no' }
    const { studioId } = key
    await recordAudit(tx, deps, { studioId, action: 'user.changed', entityId: String(key.id), detail, userId: by })
    return (await readUser(tx, key)) ?? problem('not-found')
  })

/** Removes a user: their sign-ins end and their address is free. Records of what they did keep their name. */
export const removeUser = (
  deps: Deps,
  { key, by }: { key: UserKey; by: number },
): Promise<undefined | Problem<'not-found' | 'refused'>> =>
  withStudio(deps, key.studioId, async (tx) => {
    const before = await readUser(tx, key)
    if (!before) return problem('not-found')
    if (await isLastOwner(tx, key)) return lastOwner()
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
      .where('studio_id', '=', key.studioId)
      .where('id', '=', key.id)
      .execute()
    await endSignIns(tx, deps, { userId: key.id })
    const detail = { name: before.name, role: before.role }
    const { studioId } = key
    await recordAudit(tx, deps, { studioId, action: 'user.removed', entityId: String(key.id), detail, userId: by })
    return undefined
  })
