import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import { subHours } from 'date-fns/subHours'
import { subMonths } from 'date-fns/subMonths'
import { sql } from 'kysely'
import type { AuditAction } from '#domain/studio/audit-actions.ts'
import { readSetting } from '../configuration/read-settings.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

type AuditScalar = string | number | boolean | null
/** A value, or values before and after a change by name. */
type AuditValue = AuditScalar | Readonly<Record<string, unknown>>

/** The request that makes a change: the client's address and the request's id. */
export type AuditOrigin = {
  readonly address: string
  readonly requestId: string
  /** The owner who let the administrator in who makes the request. */
  readonly consentedBy?: number | null
  /** The API token that it was made with. */
  readonly apiToken?: string
}

const origins = new AsyncLocalStorage<AuditOrigin>()

/** Does work for a request. The audit entries that it writes have the request's address and id. */
export const auditedAs = <Result>(origin: AuditOrigin, work: () => Promise<Result>): Promise<Result> =>
  origins.run(origin, work)

/** Does work for the same request, whose caller is known now. Its audit entries have the parts that are given, too. */
export const auditedWith = <Result>(
  parts: Pick<AuditOrigin, 'consentedBy' | 'apiToken'>,
  work: () => Promise<Result>,
): Promise<Result> => {
  const origin = origins.getStore()
  return origin ? auditedAs({ ...origin, ...parts }, work) : work()
}

/** The API token of the current request, as a part of an entry's details. */
const tokenDetail = (): { apiToken?: string } => {
  const { apiToken } = origins.getStore() ?? {}
  return apiToken === undefined ? {} : { apiToken }
}

/**
 * One entry of the audit trail: a change of money, state, access or visibility, and the user who made it. Changes
 * without a user were made by the server or a customer.
 */
export type AuditEntry = {
  /** Null for a change that concerns an administrator of the platform. */
  readonly studioId: number | null
  readonly action: AuditAction
  /** The attempt's id, the order's number, the refund's key, or the entity's own id. */
  readonly entityId: string
  readonly detail: Readonly<Record<string, AuditValue>>
  readonly sessionId?: number | null
  readonly userId?: number | null
  /** The owner by whose consent an administrator makes the change. */
  readonly consentedBy?: number | null
}

export type AuditedItem = Readonly<Record<string, unknown>>

/** The values of an item before and after a change, without those that are the same. A created item has none before. */
export const changedValues = (
  before: AuditedItem | undefined,
  after: AuditedItem,
): Readonly<Record<string, AuditedItem>> => {
  if (!before) return { after }
  const names = Object.keys(before).filter(
    (name) => name !== 'version' && !isDeepStrictEqual(before[name], after[name]),
  )
  const valuesIn = (item: AuditedItem): AuditedItem =>
    Object.fromEntries(names.map((name) => [name, item[name] ?? null]))
  return { before: valuesIn(before), after: valuesIn(after) }
}

/** Writes an audit entry in the transaction of the change, so that neither is stored without the other. Returns its id. */
export const insertAudit = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { studioId, action, entityId, detail, sessionId = null, userId = null, consentedBy }: AuditEntry,
): Promise<number> => {
  const [entity = action] = action.split('.')
  const { id } = await tx
    .insertInto('audit_log')
    .values({
      studio_id: studioId,
      user_id: userId,
      session_id: sessionId,
      consented_by: consentedBy ?? origins.getStore()?.consentedBy ?? null,
      action,
      entity,
      entity_id: entityId,
      detail: JSON.stringify({ ...detail, ...tokenDetail() }),
      address: origins.getStore()?.address ?? null,
      request_id: origins.getStore()?.requestId ?? null,
      created_at: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** As `insertAudit`, where nothing refers to the entry. */
export const recordAudit = async (tx: Transaction, deps: Pick<Deps, 'clock'>, entry: AuditEntry): Promise<void> => {
  await insertAudit(tx, deps, entry)
}

type AuditEntries = Omit<AuditEntry, 'entityId' | 'detail'> & {
  readonly lines: readonly Pick<AuditEntry, 'entityId' | 'detail'>[]
}

/** Writes one entry for each of many entities with the same change, in one statement. */
export const recordAudits = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { studioId, action, lines, sessionId = null, userId = null }: AuditEntries,
): Promise<void> => {
  const [entity = action] = action.split('.')
  const { address = null, requestId = null, consentedBy = null } = origins.getStore() ?? {}
  const tokenLines = lines.map(({ entityId, detail }) => ({ entityId, detail: { ...detail, ...tokenDetail() } }))
  await sql`
    insert into audit_log (studio_id, user_id, session_id, consented_by, action, entity, entity_id, detail, address, request_id, created_at)
    select ${studioId}::bigint, ${userId}::bigint, ${sessionId}::bigint, ${consentedBy}::bigint, ${action}, ${entity}, l."entityId", l.detail,
           ${address}::text, ${requestId}::text, ${clock()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(tokenLines)}::jsonb) as l("entityId" text, detail jsonb)`.execute(tx)
}

const purgeBatchSize = 1000

/** Deletes old entries of a log, oldest first, in batches, so that no checkout or email waits for the deletion. */
const purgeLog = async (db: Deps['db'], log: 'tax_log' | 'mail_log', cutoff: Date): Promise<void> => {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(log)} where id in (
        select id from ${sql.table(log)} where created_at < ${cutoff}
         order by created_at, id limit ${purgeBatchSize})`.execute(db)
    if (numAffectedRows < purgeBatchSize) return
  }
}

type PurgeDeps = Pick<Deps, 'db' | 'clock' | 'settings'>

const readLogCutoff = async (deps: PurgeDeps): Promise<Date> =>
  subMonths(deps.clock(), await readSetting(deps.db, deps, 'log-months'))

export const purgeTaxLog = async (deps: PurgeDeps): Promise<void> =>
  purgeLog(deps.db, 'tax_log', await readLogCutoff(deps))

/** Removes the texts and recipients of old emails, and deletes older emails. */
export const purgeMailLog = async (deps: PurgeDeps): Promise<void> => {
  const { db, clock } = deps
  await purgeLog(db, 'mail_log', await readLogCutoff(deps))
  const cutoff = subHours(clock(), (await readSetting(db, deps, 'mail-text-days')) * 24)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      update mail_log set to_name = '', to_email = '…' || substring(to_email from '@.*$'), subject = '', body_text = '', body_html = null
       where id in (
        select id from mail_log where body_text <> '' and created_at < ${cutoff}
         order by created_at, id limit ${purgeBatchSize})`.execute(db)
    if (numAffectedRows < purgeBatchSize) return
  }
}
