import { sql } from 'kysely'
import type { SavedReport } from '#contract/studio/saved-reports.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import {
  nextSending,
  type SavedReportDraft,
  savedReportMessages,
  savedReportRules,
} from '#domain/studio/saved-report.ts'
import type { User } from '../access/tokens/access-token.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'

export type SavedReportKey = { readonly studioId: number; readonly id: number }

/** Names do not begin or end with spaces. */
const trimmed = (draft: SavedReportDraft): SavedReportDraft => ({ ...draft, name: draft.name.trim() })

/** A draft as columns. */
const toColumns = ({ name, choices, schedule }: SavedReportDraft) => ({
  name,
  choices: JSON.stringify(choices),
  schedule,
})

const columns = sql`r.id, r.name, r.choices, r.schedule, u.name as recipient, r.version`
const source = sql`from saved_reports r left join users u on u.id = r.recipient_id`
const sorts = { name: sql`lower(r.name)` }

/** Lists the saved reports of a studio by name. */
export const listSavedReports = (
  { db }: Pick<Deps, 'db'>,
  studioId: number,
  query: PageQuery & { sort?: string | undefined },
): Promise<SavedReport[] | Page<SavedReport>> =>
  paginateQuery<SavedReport>(
    db,
    {
      columns,
      from: sql`${source} where r.studio_id = ${studioId} and r.name ilike ${likePattern(query.filter ?? '')}`,
      order: orderBy(sorts, query.sort, sql`r.id`),
    },
    query,
  )

export const readSavedReport = async (
  db: Db | Transaction,
  { studioId, id }: SavedReportKey,
): Promise<SavedReport | Problem<'not-found'>> => {
  const { rows } = await sql<SavedReport>`
    select ${columns} ${source} where r.studio_id = ${studioId} and r.id = ${id}`.execute(db)
  return rows[0] ?? problem('not-found')
}

type Change = { readonly user: User; readonly draft: SavedReportDraft }

/** Locks the saved reports of a studio, whose names differ. Returns its time zone. */
const lockNames = async (tx: Transaction, studioId: number): Promise<string> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`saved reports of ${studioId}`}))`.execute(tx)
  const studio = tx.selectFrom('studios').select('time_zone').where('id', '=', studioId)
  return (await studio.executeTakeFirstOrThrow()).time_zone
}

const draftProblem = async (
  tx: Transaction,
  { studioId, id }: SavedReportKey,
  draft: SavedReportDraft,
): Promise<Problem<'refused'> | undefined> => {
  const fields = validate(draft, savedReportRules)
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  const { rows } = await sql`
    select id from saved_reports where studio_id = ${studioId} and id <> ${id} and lower(name) = lower(${draft.name})`.execute(
    tx,
  )
  const { taken } = savedReportMessages
  return rows.length === 0 ? undefined : problem('refused', taken, { fields: { name: [taken] } })
}

/** Saves a report. If it has a schedule, the user gets its emails. */
export const createSavedReport = (
  deps: Deps,
  studioId: number,
  { user, draft: body }: Change,
): Promise<SavedReport | Problem<'refused' | 'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const timeZone = await lockNames(tx, studioId)
    const draft = trimmed(body)
    const invalid = await draftProblem(tx, { studioId, id: 0 }, draft)
    if (invalid) return invalid
    const { schedule } = draft
    const { id } = await tx
      .insertInto('saved_reports')
      .values({
        ...toColumns(draft),
        studio_id: studioId,
        recipient_id: schedule && user.id,
        next_at: schedule && nextSending(schedule, deps.clock().toISOString(), timeZone),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return await readSavedReport(tx, { studioId, id })
  })

/** Replaces a saved report. The emails go to the user who chose the schedule; who changes the rest gets none. */
export const replaceSavedReport = (
  deps: Deps,
  key: SavedReportKey,
  { user, draft: body, version }: Change & { readonly version?: number | undefined },
): Promise<SavedReport | Problem<'refused' | 'not-found' | 'conflict'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, id } = key
    const timeZone = await lockNames(tx, studioId)
    const ofKey = tx.selectFrom('saved_reports').where('studio_id', '=', studioId).where('id', '=', id)
    const saved = await ofKey.select(['version', 'schedule', 'recipient_id', 'next_at']).executeTakeFirst()
    if (!saved) return problem('not-found')
    if (isStale(saved, version)) return problem('conflict')
    const draft = trimmed(body)
    const invalid = await draftProblem(tx, key, draft)
    if (invalid) return invalid
    const { schedule } = draft
    const nextAt = schedule && nextSending(schedule, deps.clock().toISOString(), timeZone)
    const sending =
      schedule === saved.schedule && saved.recipient_id !== null
        ? { recipient_id: saved.recipient_id, next_at: saved.next_at }
        : { recipient_id: schedule && user.id, next_at: nextAt }
    await tx
      .updateTable('saved_reports')
      .set(({ eb }) => ({ ...toColumns(draft), ...sending, version: eb('version', '+', 1) }))
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .execute()
    return await readSavedReport(tx, key)
  })

/** Deletes a saved report, and with it its emails. */
export const removeSavedReport = async (
  { db }: Pick<Deps, 'db'>,
  { studioId, id }: SavedReportKey,
): Promise<Record<string, never> | Problem<'not-found'>> => {
  const { numDeletedRows } = await db
    .deleteFrom('saved_reports')
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 0n ? problem('not-found') : {}
}
