import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { RemovalOutcome } from '#contract/studio/package-sets.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
import type { PackageSetKey } from './read-package-sets.ts'
import { isInUse } from './read-packages.ts'

type PackageSetProblem = Problem<'not-found' | 'conflict' | 'refused'>

export type LockedPackageSet = { name: string; version: number; archived_at: Date | null }

/** Locks a set, which also serializes changes of its packages. */
export const lockPackageSet = (
  tx: Transaction,
  { studioId, packageSetId }: PackageSetKey,
): Promise<LockedPackageSet | undefined> =>
  tx
    .selectFrom('package_sets')
    .select(['name', 'version', 'archived_at'])
    .where('studio_id', '=', studioId)
    .where('id', '=', packageSetId)
    .forUpdate()
    .executeTakeFirst()

type SetFields = { readonly name: string; readonly description: string }

/** Creates an empty set; returns its id. */
export const insertPackageSet = async (
  tx: Transaction,
  deps: Deps,
  { studioId, user, fields: { name, description } }: { studioId: number; user: User; fields: SetFields },
): Promise<number> => {
  const { id } = await tx
    .insertInto('package_sets')
    .values({ studio_id: studioId, name: name.trim(), description, created_at: deps.clock(), updated_at: deps.clock() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const detail = { name }
  await recordAudit(tx, deps, { studioId, action: 'package-set.made', entityId: String(id), detail, userId: user.id })
  return id
}

export const createPackageSet = (
  deps: Deps,
  input: { studioId: number; user: User; fields: SetFields },
): Promise<number> => inTransaction(deps.db, (tx) => insertPackageSet(tx, deps, input))

type PackageSetChange = { name?: string; description?: string; archived_at?: Date | null }

/** Updates a locked set and increments its version. */
export const writePackageSet = async (
  tx: Transaction,
  { clock }: Deps,
  { key: { studioId, packageSetId }, change }: { key: PackageSetKey; change: PackageSetChange },
): Promise<void> => {
  await tx
    .updateTable('package_sets')
    .set(({ eb }) => ({ ...change, updated_at: clock(), version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', packageSetId)
    .execute()
}

type PackageSetReplacement = {
  readonly key: PackageSetKey
  readonly user: User
  readonly fields: SetFields & { readonly version?: number | undefined; readonly isArchived?: boolean | undefined }
}

/** The new archiving time: unchanged, now, or null. */
export const archivedAt = (current: Date | null, isArchived: boolean | undefined, now: Date): Date | null =>
  (isArchived ?? current !== null) ? (current ?? now) : null

/** Replaces a set's name and description, and archives or restores it. */
export const replacePackageSet = (
  deps: Deps,
  { key, user, fields }: PackageSetReplacement,
): Promise<undefined | PackageSetProblem> =>
  inTransaction(deps.db, async (tx) => {
    const locked = await lockPackageSet(tx, key)
    if (!locked) return problem('not-found')
    if (isStale(locked, fields.version)) return problem('conflict')
    const newArchivedAt = archivedAt(locked.archived_at, fields.isArchived, deps.clock())
    const { description } = fields
    const name = fields.name.trim()
    await writePackageSet(tx, deps, { key, change: { name, description, archived_at: newArchivedAt } })
    const isArchiveChange = (newArchivedAt === null) !== (locked.archived_at === null)
    const action = isArchiveChange
      ? newArchivedAt
        ? 'package-set.archived'
        : 'package-set.restored'
      : 'package-set.changed'
    const { studioId, packageSetId } = key
    await recordAudit(tx, deps, { studioId, action, entityId: String(packageSetId), detail: { name }, userId: user.id })
    return undefined
  })

const isSetInUse = async (tx: Transaction, { studioId, packageSetId }: PackageSetKey): Promise<boolean> => {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from jobs where studio_id = ${studioId} and package_set_id = ${packageSetId})
        or exists (select from packages p where p.studio_id = ${studioId} and p.package_set_id = ${packageSetId} and ${isInUse})
           as used`.execute(tx)
  return rows[0]?.used ?? false
}

/**
 * Deletes a set with its packages, or archives it if a job offers it, or if one of its packages was ever
 * added to a cart or sold.
 */
export const removePackageSet = (
  deps: Deps,
  { key, user }: { key: PackageSetKey; user: User },
): Promise<Infer<typeof RemovalOutcome> | PackageSetProblem> =>
  inTransaction(deps.db, async (tx) => {
    const locked = await lockPackageSet(tx, key)
    if (!locked) return problem('not-found')
    const { studioId, packageSetId } = key
    const isUsed = await isSetInUse(tx, key)
    if (isUsed && locked.archived_at) return { outcome: 'archived' }
    if (isUsed) await writePackageSet(tx, deps, { key, change: { archived_at: deps.clock() } })
    else {
      await tx
        .deleteFrom('packages')
        .where('studio_id', '=', studioId)
        .where('package_set_id', '=', packageSetId)
        .execute()
      await tx.deleteFrom('package_sets').where('studio_id', '=', studioId).where('id', '=', packageSetId).execute()
    }
    const outcome = isUsed ? 'archived' : 'removed'
    const detail = { name: locked.name }
    await recordAudit(tx, deps, {
      ...{ studioId, detail, userId: user.id },
      action: `package-set.${outcome}`,
      entityId: String(packageSetId),
    })
    return { outcome }
  })

type PackageOrder = {
  readonly key: PackageSetKey
  readonly packageIds: readonly number[]
  readonly version?: number | undefined
}

/** Orders the packages of a set; packages that are not listed follow in their previous order. */
export const reorderPackages = (
  deps: Deps,
  { key, packageIds, version }: PackageOrder,
): Promise<undefined | PackageSetProblem> =>
  inTransaction(deps.db, async (tx) => {
    const locked = await lockPackageSet(tx, key)
    if (!locked) return problem('not-found')
    if (isStale(locked, version)) return problem('conflict')
    const { studioId, packageSetId } = key
    const { rows } = await sql<{ id: number }>`
      select id from packages where studio_id = ${studioId} and package_set_id = ${packageSetId} order by position, id`.execute(
      tx,
    )
    const ids = new Set(rows.map(({ id }) => id))
    if (packageIds.some((id) => !ids.has(id))) return problem('refused', 'Not all of these packages are in this set')
    const order = [...new Set([...packageIds, ...ids])]
    await sql`
      update packages p set position = o.place
        from jsonb_array_elements_text(${JSON.stringify(order)}::jsonb) with ordinality o (id, place)
       where p.studio_id = ${studioId} and p.id = o.id::bigint and p.position <> o.place`.execute(tx)
    await writePackageSet(tx, deps, { key, change: {} })
    return undefined
  })

/** The problem of adding to a set if it is archived; undefined otherwise. */
export const archivedSetProblem = (set: LockedPackageSet): Problem<'refused'> | undefined =>
  set.archived_at ? problem('refused', 'This set is archived. Restore it first') : undefined
