import { type RawBuilder, sql } from 'kysely'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import { fixFieldsMessage, isValid, type Rules, validate } from '#domain/shared/validators.ts'
import type { PlatformNoun } from '#domain/studio/audit-actions.ts'
import type { User } from '../access/tokens/access-token.ts'
import { type AuditedItem, changedValues, recordAudit } from '../audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Deps } from '../deps.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { likePattern, orderBy, paginateQuery, type SortColumns } from '../http/paging/paginate-query.ts'
import { isStale, Problem, problem } from '../http/problem.ts'

/** A kind of record that the platform's administrators define for all studios. Its table, as `r` in SQL, has an `id` and a `version`. */
export type PlatformResource<Draft> = {
  readonly table: keyof Tables & string
  /** What a record is called in the audit trail. */
  readonly noun: PlatformNoun
  /** The columns of an item. */
  readonly columns: RawBuilder<unknown>
  /** SQL of a record's name, by which it is found. */
  readonly name: RawBuilder<string>
  readonly sorts: SortColumns
  readonly rules: Rules<Draft>
  /** The values to write, by column. */
  readonly valuesOf: (draft: Draft) => Readonly<Record<string, unknown>>
  /** A further check of a draft in the database. */
  readonly checkDraft?: (tx: Transaction, draft: Draft) => Promise<Problem<'refused'> | undefined>
  /** Writes what a record refers to, after the record. */
  readonly writeLinks?: (tx: Transaction, id: number, draft: Draft) => Promise<void>
  /** Runs in the transaction of every change. */
  readonly afterChange?: (tx: Transaction) => Promise<void>
  /** SQL: the names of what uses a record, as a JSON list. A record that is used is not deleted. */
  readonly usedBy?: RawBuilder<string[]>
  /** SQL: whether anything refers to a record. It is then archived (`archived_at`) instead of deleted. Without it, no record is archived. */
  readonly isUsed?: RawBuilder<boolean>
  /** SQL: the key of a record's file, which is removed with it; null for none. */
  readonly fileKey?: RawBuilder<string | null>
  /** The kinds of records that can be listed alone (`?type=`), as SQL conditions, besides `current` and `archived`. */
  readonly types?: Readonly<Record<string, RawBuilder<boolean>>>
  /**
   * The columns that are unique together, upper and lower case being the same, and the message for a draft with the values of another
   * record. `field`: the field that shows the message.
   */
  readonly unique?: { readonly columns: readonly string[]; readonly message: string; readonly field?: string }
  /** A column that others refer to, and the message if it changes while the record is in use. `field`: the field that shows the message. */
  readonly fixedWhileUsed?: { readonly column: string; readonly message: string; readonly field: string }
}

/** The number of names in the message that a record is in use. */
const maxListedUses = 5

type ListQuery = PageQuery & { sort?: string | undefined; type?: string | undefined }

/** SQL: whether a record is of the requested kind. Archived records are listed only when they are asked for. */
const typeCondition = ({ isUsed, types = {} }: PlatformResource<never>, type: string | undefined) => {
  const ofType = type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined
  if (!isUsed) return ofType ?? sql`true`
  if (type === 'archived') return sql`r.archived_at is not null`
  return sql`r.archived_at is null and ${ofType ?? sql`true`}`
}

/** Lists the records whose name contains the filter: the current ones, unless the archived ones are asked for. */
const listResource = <Row>(db: Db, resource: PlatformResource<never>, query: ListQuery): Promise<Row[] | Page<Row>> => {
  const { table, columns, name, sorts } = resource
  const from = sql`
    from ${sql.table(table)} r where ${typeCondition(resource, query.type)} and ${name} ilike ${likePattern(query.filter?.trim() ?? '')}`
  return paginateQuery<Row>(db, { columns, from, order: orderBy(sorts, query.sort, sql`r.id`) }, query)
}

/** Reads a record, also an archived one. */
const readResource = async <Item>(
  db: Db | Transaction,
  { table, columns }: PlatformResource<never>,
  id: number,
): Promise<Item | Problem<'not-found'>> => {
  const { rows } = await sql<Item>`select ${columns} from ${sql.table(table)} r where r.id = ${id}`.execute(db)
  return rows[0] ?? problem('not-found')
}

/** A problem with its message at a field, if there is one. */
const refusal = ({ message, field }: { message: string; field?: string }): Problem<'refused'> =>
  field === undefined
    ? problem('refused', message)
    : problem('refused', fixFieldsMessage, { fields: { [field]: [message] } })

/**
 * Returns a problem if another record has the unique values of a draft. Locks the table against other writes until the transaction ends, so
 * that two drafts with the same values cannot both be written.
 */
const clashProblem = async <Draft>(
  tx: Transaction,
  { table, unique, valuesOf }: PlatformResource<Draft>,
  { draft, exceptId }: { draft: Draft; exceptId: number },
): Promise<Problem<'refused'> | undefined> => {
  if (!unique) return undefined
  await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(tx)
  const values = valuesOf(draft)
  const isSame = sql.join(
    unique.columns.map((column) => sql`lower(${sql.ref(column)}::text) = lower(${values[column]}::text)`),
    sql` and `,
  )
  const { rows } = await sql`select from ${sql.table(table)} where ${isSame} and id <> ${exceptId}`.execute(tx)
  return rows.length > 0 ? refusal(unique) : undefined
}

const draftProblem = async <Draft>(
  tx: Transaction,
  resource: PlatformResource<Draft>,
  { draft, exceptId }: { draft: Draft; exceptId: number },
): Promise<Problem<'refused'> | undefined> => {
  const fields = validate(draft, resource.rules)
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  return (await clashProblem(tx, resource, { draft, exceptId })) ?? (await resource.checkDraft?.(tx, draft))
}

type Change = {
  readonly resource: PlatformResource<never>
  readonly action: 'made' | 'changed' | 'archived' | 'restored' | 'removed'
  readonly user: User
  readonly id: number
  /** The item before the change, unless it was created. */
  readonly before?: AuditedItem
}

const recordChange = async (
  tx: Transaction,
  deps: Pick<Deps, 'clock'>,
  { resource, action, user, id, before }: Change,
): Promise<void> => {
  const { table, noun, name, afterChange } = resource
  const named = sql<{ name: string }>`select ${name} as name from ${sql.table(table)} r where r.id = ${id}`
  const item = await readResource<AuditedItem>(tx, resource, id)
  const values = item instanceof Problem ? {} : action === 'removed' ? { before: item } : changedValues(before, item)
  const detail = { name: (await named.execute(tx)).rows[0]?.name ?? null, ...values }
  const entry = { action: `${noun}.${action}`, entityId: String(id), userId: user.id } as const
  await recordAudit(tx, deps, { studioId: null, ...entry, detail })
  await afterChange?.(tx)
}

/** Creates a record in a transaction. Returns its id. */
const createResource = async <Draft>(
  tx: Transaction,
  deps: Pick<Deps, 'clock'>,
  { resource, draft, user }: { resource: PlatformResource<Draft>; draft: Draft; user: User },
): Promise<number | Problem<'refused'>> => {
  const invalid = await draftProblem(tx, resource, { draft, exceptId: 0 })
  if (invalid) return invalid
  const now = deps.clock()
  const values = Object.entries({ ...resource.valuesOf(draft), created_at: now, updated_at: now })
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(resource.table)} (${sql.join(values.map(([column]) => sql.ref(column)))})
    values (${sql.join(values.map(([, value]) => value))}) returning id`.execute(tx)
  const id = rows[0]?.id ?? 0
  await resource.writeLinks?.(tx, id, draft)
  await recordChange(tx, deps, { resource, action: 'made', user, id })
  return id
}

/** Returns a problem if a draft changes the value by which others refer to a record. */
const fixedValueProblem = async <Draft>(
  tx: Transaction,
  { table, fixedWhileUsed, valuesOf }: PlatformResource<Draft>,
  { draft, id }: { draft: Draft; id: number },
): Promise<Problem<'refused'> | undefined> => {
  if (!fixedWhileUsed) return undefined
  const { column } = fixedWhileUsed
  const { rows } = await sql`
    select from ${sql.table(table)} where id = ${id} and ${sql.ref(column)} = ${valuesOf(draft)[column]}`.execute(tx)
  return rows.length > 0 ? undefined : refusal(fixedWhileUsed)
}

type LockedRecord = {
  version: number
  isArchived: boolean
  isUsed: boolean
  userNames: string[]
  fileKey: string | null
}

const lockRecord = async (
  tx: Transaction,
  { table, isUsed, usedBy, fileKey }: PlatformResource<never>,
  id: number,
): Promise<LockedRecord | undefined> => {
  const { rows } = await sql<LockedRecord>`
    select r.version, ${isUsed ? sql`r.archived_at is not null` : sql`false`} as "isArchived", ${isUsed ?? sql`false`} as "isUsed",
           ${usedBy ?? sql`'[]'::json`} as "userNames", ${fileKey ?? sql`null`} as "fileKey"
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

const archivalAction = (isArchived: boolean, willBeArchived: boolean): Change['action'] => {
  if (isArchived === willBeArchived) return 'changed'
  return willBeArchived ? 'archived' : 'restored'
}

type Replacement<Draft> = {
  readonly resource: PlatformResource<Draft>
  readonly id: number
  readonly user: User
  readonly body: Draft & { readonly version?: number | undefined; readonly isArchived?: boolean | undefined }
}

/** Replaces a record. Archives or restores it if the draft says so; otherwise it stays as it is. */
const replaceResource = <Draft>(
  deps: Deps,
  { resource, id, user, body }: Replacement<Draft>,
): Promise<Problem<'not-found' | 'conflict' | 'refused'> | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const record = await lockRecord(tx, resource, id)
    if (!record) return problem('not-found')
    if (isStale(record, body.version)) return problem('conflict')
    const before = await readResource<AuditedItem>(tx, resource, id)
    if (before instanceof Problem) return before
    const invalid =
      (await draftProblem(tx, resource, { draft: body, exceptId: id })) ??
      (record.isUsed || record.userNames.length > 0
        ? await fixedValueProblem(tx, resource, { draft: body, id })
        : undefined)
    if (invalid) return invalid
    const { isArchived = record.isArchived } = body
    const action = archivalAction(record.isArchived, isArchived)
    const archival = action === 'changed' ? {} : { archived_at: isArchived ? deps.clock() : null }
    await updateRecord(tx, deps, { table: resource.table, id, values: { ...resource.valuesOf(body), ...archival } })
    await resource.writeLinks?.(tx, id, body)
    await recordChange(tx, deps, { resource, action, user, id, before })
    return undefined
  })

const usedProblem = (noun: string, names: readonly string[]): Problem<'conflict'> => {
  const more = names.length > maxListedUses ? ` and ${names.length - maxListedUses} more` : ''
  return problem('conflict', `This ${noun} is in use: ${names.slice(0, maxListedUses).join(', ')}${more}`)
}

/** Deletes a record, or archives it if it is in use. */
const removeResource = (
  deps: Deps,
  { resource, id, user }: { resource: PlatformResource<never>; id: number; user: User },
): Promise<{ outcome: 'removed' | 'archived' } | Problem<'not-found' | 'conflict'>> =>
  inTransaction(deps.db, async (tx) => {
    const record = await lockRecord(tx, resource, id)
    if (!record) return problem('not-found')
    const { table, noun } = resource
    if (record.userNames.length > 0) return usedProblem(noun, record.userNames)
    if (!record.isUsed) {
      await recordChange(tx, deps, { resource, action: 'removed', user, id })
      await sql`delete from ${sql.table(table)} where id = ${id}`.execute(tx)
      if (record.fileKey) await deps.jobs.enqueue(tx, 'remove-files', { folders: [], keys: [record.fileKey] })
      return { outcome: 'removed' }
    }
    if (record.isArchived) return { outcome: 'archived' }
    await updateRecord(tx, deps, { table, id, values: { archived_at: deps.clock() } })
    await recordChange(tx, deps, { resource, action: 'archived', user, id, before: { isArchived: false } })
    return { outcome: 'archived' }
  })

/** The handlers of the generic calls for a kind of record: list, get, create, replace and delete. */
export const resourceHandlers = <Item, Draft>(deps: Deps, resource: PlatformResource<Draft>) => {
  const { db } = deps
  return {
    list: ({ query }: { query: ListQuery }) => listResource<Item>(db, resource, query),
    get: ({ params }: { params: { id: number } }) => readResource<Item>(db, resource, params.id),
    post: ({ body: draft, user, recordResponse }: { body: Draft; user: User; recordResponse: RecordResponse }) =>
      inTransaction(db, async (tx) => {
        const id = await createResource(tx, deps, { resource, draft, user })
        if (id instanceof Problem) return id
        const created = await readResource<Item>(tx, resource, id)
        await recordResponse(tx, created)
        return created
      }),
    put: async ({
      params: { id },
      body,
      user,
    }: { params: { id: number } } & Pick<Replacement<Draft>, 'body' | 'user'>) =>
      (await replaceResource(deps, { resource, id, user, body })) ?? (await readResource<Item>(db, resource, id)),
    remove: ({ params: { id }, user }: { params: { id: number }; user: User }) =>
      removeResource(deps, { resource, id, user }),
  }
}
