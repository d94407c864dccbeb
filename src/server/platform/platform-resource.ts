import { type RawBuilder, sql } from 'kysely'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import { type FieldErrors, fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import type { User } from '../access/tokens/access-token.ts'
import { type PlatformNoun, recordAudit } from '../audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import { likePattern, orderBy, paginateQuery, type SortColumns } from '../http/paging/paginate-query.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'

/** A kind of record that the platform's administrators define for all studios. Its table has a `name`, a `version` and an `archived_at`. */
export type PlatformResource<Draft> = {
  readonly table: keyof Tables & string
  /** What a record is called in the audit trail. */
  readonly noun: PlatformNoun
  /** The columns of an item, of the table as `r`. */
  readonly columns: RawBuilder<unknown>
  readonly sorts: SortColumns
  /** The errors of a draft by field; empty if it is valid. */
  readonly errorsOf: (draft: Draft) => FieldErrors
  /** The values to write, by column. */
  readonly valuesOf: (draft: Draft) => Readonly<Record<string, unknown>>
  /** SQL: whether anything refers to the record `r`. A record in use is archived instead of deleted. */
  readonly isUsed: RawBuilder<boolean>
}

type ResourceDraft = { readonly name: string; readonly isArchived?: boolean | undefined }

type ListQuery = PageQuery & { sort?: string | undefined; type?: 'current' | 'archived' | undefined }

/** Lists the records whose name contains the filter: the current ones, unless the archived ones are asked for. */
export const listResource = <Row>(
  db: Db,
  { table, columns, sorts }: PlatformResource<never>,
  query: ListQuery,
): Promise<Row[] | Page<Row>> => {
  const archived = query.type === 'archived' ? sql`r.archived_at is not null` : sql`r.archived_at is null`
  const from = sql`from ${sql.table(table)} r where ${archived} and r.name ilike ${likePattern(query.filter?.trim() ?? '')}`
  return paginateQuery<Row>(db, { columns, from, order: orderBy(sorts, query.sort, sql`r.id`) }, query)
}

/** Reads a record, also an archived one. */
export const readResource = async <Item>(
  db: Db | Transaction,
  { table, columns }: PlatformResource<never>,
  id: number,
): Promise<Item | Problem<'not-found'>> => {
  const { rows } = await sql<Item>`select ${columns} from ${sql.table(table)} r where r.id = ${id}`.execute(db)
  return rows[0] ?? problem('not-found')
}

const draftProblem = <Draft>(resource: PlatformResource<Draft>, draft: Draft): Problem<'refused'> | undefined => {
  const errors = resource.errorsOf(draft)
  if (isValid(errors)) return undefined
  const fields = Object.fromEntries(Object.entries(errors).map(([path, messages]) => [path, [...messages]]))
  return problem('refused', fixFieldsMessage, { fields })
}

type Change = { readonly user: User; readonly id: number; readonly name: string }

const recordChange = (
  tx: Transaction,
  deps: Pick<Deps, 'clock'>,
  action: `${PlatformNoun}.${'made' | 'changed' | 'archived' | 'restored' | 'removed'}`,
  { user, id, name }: Change,
): Promise<void> =>
  recordAudit(tx, deps, { studioId: null, action, entityId: String(id), detail: { name }, userId: user.id })

/** Creates a record in a transaction. Returns its id. */
export const createResource = async <Draft extends ResourceDraft>(
  tx: Transaction,
  deps: Pick<Deps, 'clock'>,
  { resource, draft, user }: { resource: PlatformResource<Draft>; draft: Draft; user: User },
): Promise<number | Problem<'refused'>> => {
  const invalid = draftProblem(resource, draft)
  if (invalid) return invalid
  const now = deps.clock()
  const values = Object.entries({ ...resource.valuesOf(draft), created_at: now, updated_at: now })
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(resource.table)} (${sql.join(values.map(([column]) => sql.ref(column)))})
    values (${sql.join(values.map(([, value]) => value))}) returning id`.execute(tx)
  const id = rows[0]?.id ?? 0
  await recordChange(tx, deps, `${resource.noun}.made`, { user, id, name: draft.name })
  return id
}

type LockedRecord = { name: string; version: number; isArchived: boolean; isUsed: boolean }

const lockRecord = async (
  tx: Transaction,
  { table, isUsed }: PlatformResource<never>,
  id: number,
): Promise<LockedRecord | undefined> => {
  const { rows } = await sql<LockedRecord>`
    select r.name, r.version, r.archived_at is not null as "isArchived", ${isUsed} as "isUsed"
      from ${sql.table(table)} r where r.id = ${id} for update of r`.execute(tx)
  return rows[0]
}

const updateRecord = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { table, id, values }: { table: string; id: number; values: Readonly<Record<string, unknown>> },
): Promise<void> => {
  const assignments = Object.entries({ ...values, updated_at: clock() }).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  )
  await sql`update ${sql.table(table)} set ${sql.join(assignments)}, version = version + 1 where id = ${id}`.execute(tx)
}

const archivalAction = (isArchived: boolean, willBeArchived: boolean): 'changed' | 'archived' | 'restored' => {
  if (isArchived === willBeArchived) return 'changed'
  return willBeArchived ? 'archived' : 'restored'
}

type Replacement<Draft> = {
  readonly resource: PlatformResource<Draft>
  readonly id: number
  readonly user: User
  readonly body: Draft & { readonly version?: number | undefined }
}

/** Replaces a record. Archives or restores it if the draft says so; otherwise it stays as it is. */
export const replaceResource = <Draft extends ResourceDraft>(
  deps: Deps,
  { resource, id, user, body }: Replacement<Draft>,
): Promise<Problem<'not-found' | 'conflict' | 'refused'> | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const record = await lockRecord(tx, resource, id)
    if (!record) return problem('not-found')
    if (isStale(record, body.version)) return problem('conflict')
    const invalid = draftProblem(resource, body)
    if (invalid) return invalid
    const { isArchived = record.isArchived } = body
    const action = archivalAction(record.isArchived, isArchived)
    const archival = action === 'changed' ? {} : { archived_at: isArchived ? deps.clock() : null }
    await updateRecord(tx, deps, { table: resource.table, id, values: { ...resource.valuesOf(body), ...archival } })
    await recordChange(tx, deps, `${resource.noun}.${action}`, { user, id, name: body.name })
    return undefined
  })

/** Deletes a record, or archives it if it is in use. */
export const removeResource = (
  deps: Deps,
  { resource, id, user }: { resource: PlatformResource<never>; id: number; user: User },
): Promise<{ outcome: 'removed' | 'archived' } | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const record = await lockRecord(tx, resource, id)
    if (!record) return problem('not-found')
    const { table, noun } = resource
    const { name } = record
    if (!record.isUsed) {
      await sql`delete from ${sql.table(table)} where id = ${id}`.execute(tx)
      await recordChange(tx, deps, `${noun}.removed`, { user, id, name })
      return { outcome: 'removed' }
    }
    if (record.isArchived) return { outcome: 'archived' }
    await updateRecord(tx, deps, { table, id, values: { archived_at: deps.clock() } })
    await recordChange(tx, deps, `${noun}.archived`, { user, id, name })
    return { outcome: 'archived' }
  })
