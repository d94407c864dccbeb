import { sql } from 'kysely'
import type { ImportRowState } from '#contract/studio/imports.ts'
import type { SubjectDetails } from '#domain/subjects/subject-details.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { enqueueAnalyze } from '../database/analyze-tables.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/** An import in progress, locked until the transaction ends. */
export type LockedImport = {
  readonly job: JobKey
  readonly importId: number
  readonly state: 'running' | 'undoing'
  readonly madeBy: number | null
  readonly previewedAt: Date | null
  readonly groupIds: readonly number[]
  /** The ids of the groups that its rows name, by the `groupKey` of the name at the time of the run. */
  readonly groupByKey: Readonly<Record<string, number>>
  /** How many rows this step processes. */
  readonly rowsPerStep: number
}

/** Locks an import that is running or being undone; undefined if it has ended or was deleted. */
export const lockImport = async (
  tx: Transaction,
  { studioId, importId, rowsPerStep }: { studioId: number; importId: number; rowsPerStep: number },
): Promise<LockedImport | undefined> => {
  const row = await tx
    .selectFrom('imports')
    .select(['job_id', 'state', 'made_by', 'previewed_at', 'group_ids', 'group_by_key'])
    .where('studio_id', '=', studioId)
    .where('id', '=', importId)
    .forUpdate()
    .executeTakeFirst()
  if (row?.state !== 'running' && row?.state !== 'undoing') return undefined
  const job = { studioId, jobId: row.job_id }
  return {
    job,
    importId,
    state: row.state,
    madeBy: row.made_by,
    previewedAt: row.previewed_at,
    groupIds: row.group_ids,
    groupByKey: row.group_by_key,
    rowsPerStep,
  }
}

/** A row that is still to be processed. */
export type StepRow = {
  readonly number: number
  readonly state: ImportRowState
  readonly subjectId: number | null
  readonly details: SubjectDetails
  readonly before: SubjectDetails | null
  readonly after: SubjectDetails | null
}

/** The next rows in these states. A run starts at the top of the list, an undo at its end. */
export const nextRows = async (
  tx: Transaction,
  { job, importId, state, rowsPerStep }: LockedImport,
  states: readonly ImportRowState[],
): Promise<StepRow[]> => {
  const order = state === 'running' ? sql`asc` : sql`desc`
  const { rows } = await sql<StepRow>`
    select r.row_number as number, r.state, r.subject_id as "subjectId", r.details, r.before, r.after from import_rows r
     where r.studio_id = ${job.studioId} and r.import_id = ${importId} and r.state = any(${[...states]}::text[])
     order by r.row_number ${order} limit ${rowsPerStep}`.execute(tx)
  return rows
}

/** The result of a row. */
export type RowOutcome = {
  readonly number: number
  readonly state: ImportRowState
  readonly subjectId: number | null
  readonly message: string | null
}

/** Stores the results of rows, in the transaction that produced them. */
export const writeOutcomes = async (
  tx: Transaction,
  { job: { studioId }, importId }: LockedImport,
  outcomes: readonly RowOutcome[],
): Promise<void> => {
  const rows = outcomes.map(({ number, state, subjectId, message }) => ({
    number,
    state,
    subject_id: subjectId,
    message,
  }))
  await sql`
    update import_rows i set state = r.state, subject_id = r.subject_id, message = coalesce(r.message, i.message)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (number integer, state text, subject_id bigint, message text)
     where i.studio_id = ${studioId} and i.import_id = ${importId} and i.row_number = r.number`.execute(tx)
  await sql`
    update imports set rows_done = rows_done + ${outcomes.length}, updated_at = now()
     where studio_id = ${studioId} and id = ${importId}`.execute(tx)
}

/** Marks an import as done or undone. */
export const finishImport = async (tx: Transaction, deps: Deps, locked: LockedImport): Promise<void> => {
  const { job, importId, state, madeBy } = locked
  const now = deps.clock()
  const change =
    state === 'running' ? { state: 'done' as const, finished_at: now } : { state: 'undone' as const, undone_at: now }
  const { rows_done: rows } = await tx
    .updateTable('imports')
    .set(({ eb, ref }) => ({
      ...change,
      rows_total: ref('rows_done'),
      file_key: null,
      version: eb('version', '+', 1),
      updated_at: now,
    }))
    .where('studio_id', '=', job.studioId)
    .where('id', '=', importId)
    .returning('rows_done')
    .executeTakeFirstOrThrow()
  await enqueueAnalyze(tx, deps, { data: ['subjects', 'imports'], rows })
  const action = state === 'running' ? 'import.done' : 'import.undone'
  const detail = { jobId: job.jobId }
  await recordAudit(tx, deps, { studioId: job.studioId, action, entityId: String(importId), detail, userId: madeBy })
}
