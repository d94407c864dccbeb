import { sql } from 'kysely'
import { type ColumnUse, columnUseErrors } from '#domain/imports/import-columns.ts'
import type { MatchPolicy } from '#domain/imports/import-plan.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem } from '../http/problem.ts'
import { pauseMilliseconds } from '../queue/queue.ts'
import { readGroups, readSubjectPages, readTakenCodes } from './known-subjects.ts'
import type { PlannedList } from './parsing/find-list.ts'
import type { ImportKey } from './read-imports.ts'
import { alreadyRanMessage, readFailureProblem, readImportFile } from './upload-import.ts'

type PreviewProblem = Problem<'not-found' | 'conflict' | 'refused' | 'slow-down'>

type PreviewRequest = {
  readonly key: ImportKey
  readonly version: number
  readonly uses: readonly ColumnUse[]
  readonly matches: MatchPolicy
}

type ClaimedImport = {
  readonly version: number
  readonly file_key: string | null
  readonly sheet: string | null
  headerRow: number
}

/**
 * Claims an import for a new preview: deletes the rows of the previous preview and increments the version, so that a
 * concurrent preview fails.
 */
const claim = ({ db }: Deps, { key, version }: PreviewRequest): Promise<ClaimedImport | PreviewProblem> =>
  inTransaction(db, async (tx) => {
    const { studioId, jobId, importId } = key
    const row = await tx
      .selectFrom('imports')
      .select(['state', 'version', 'file_key', 'sheet', 'layout'])
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('id', '=', importId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return problem('not-found')
    if (row.version !== version) return problem('conflict')
    if (row.state !== 'mapping' && row.state !== 'previewed') return problem('refused', alreadyRanMessage)
    await tx.deleteFrom('import_rows').where('studio_id', '=', studioId).where('import_id', '=', importId).execute()
    await tx
      .updateTable('imports')
      .set({ state: 'mapping', version: version + 1 })
      .where('studio_id', '=', studioId)
      .where('id', '=', importId)
      .execute()
    return { version: version + 1, file_key: row.file_key, sheet: row.sheet, headerRow: row.layout.headerRow }
  })

/** The listed subjects of the job as the parser thread reads them, and their ids. */
const readKnown = async (deps: Deps, key: ImportKey): Promise<{ known: string[]; ids: ReadonlySet<number> }> => {
  const known: string[] = []
  const ids = new Set<number>()
  for await (const page of readSubjectPages(deps, key)) {
    for (const { id } of page) ids.add(id)
    known.push(JSON.stringify(page))
  }
  return { known, ids }
}

type List = { readonly file: Buffer; readonly sheet: string | null; readonly headerRow: number }

const planList = async (
  deps: Deps,
  list: List,
  { key, uses, matches }: PreviewRequest,
): Promise<PlannedList | PreviewProblem> => {
  const read = await deps.fileParsers.readCodes({ ...list, uses }, key.studioId)
  if (!('codes' in read)) return readFailureProblem(read)
  const owners = await readTakenCodes(deps.db, key, read.codes)
  const { known, ids } = await readKnown(deps, key)
  const takenCodes = [...owners].flatMap(([code, owner]) => (owner !== null && ids.has(owner) ? [] : code))
  const groups = [...(await readGroups(deps.db, key)).keys()]
  const context = { known, groups, takenCodes }
  const planned = await deps.fileParsers.planList({ ...list, uses, matches, ...context, rowsPerPart }, key.studioId)
  return 'parts' in planned ? planned : readFailureProblem(planned)
}

const insertRows = (tx: Transaction, { studioId, importId }: ImportKey, part: string) => {
  return sql`
    insert into import_rows (studio_id, import_id, row_number, state, person, subject_id, before, after, message, warnings)
    select ${studioId}::bigint, ${importId}::bigint, r.number, r.state, r.person, u.id, r.before,
           case when r.state = 'create' then r.person else r.after end, r.message, r.warnings
      from jsonb_to_recordset(${part}::jsonb) as r (number integer, state text, person jsonb, subject_id bigint,
                                                    before jsonb, after jsonb, message text, warnings jsonb)
      left join subjects u on u.studio_id = ${studioId} and u.id = r.subject_id`.execute(tx)
}

/** Rows per statement, few enough that no one waits long for the database. */
const rowsPerPart = 500

/** Whether the import is still claimed; locks it until the transaction ends. */
const isClaimed = async (tx: Transaction, { studioId, importId }: ImportKey, version: number): Promise<boolean> => {
  const { rows } = await sql`select from imports where studio_id = ${studioId} and id = ${importId}
    and version = ${version} and state = 'mapping' for update`.execute(tx)
  return rows.length > 0
}

const writePlans = async (
  { db, wait }: Deps,
  request: PreviewRequest,
  { version, planned }: { version: number; planned: PlannedList },
) => {
  const { key, uses, matches } = request
  for (const part of planned.parts) {
    const isStillClaimed = await inTransaction(db, async (tx) => {
      if (!(await isClaimed(tx, key, version))) return false
      await insertRows(tx, key, part)
      return true
    })
    if (!isStillClaimed) return problem('conflict')
    await wait(pauseMilliseconds)
  }
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      state: 'previewed',
      mapping: JSON.stringify(uses),
      matches,
      rows_total: planned.rows,
      rows_done: 0,
      version: version + 1,
      previewed_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .where('studio_id', '=', key.studioId)
    .where('id', '=', key.importId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? undefined : problem('conflict')
}

/** Stores what an import would do with each row, without changing any subject. */
export const previewImport = async (deps: Deps, request: PreviewRequest): Promise<undefined | PreviewProblem> => {
  const errors = columnUseErrors(request.uses)
  if (errors.length > 0) return problem('refused', errors)
  const claimed = await claim(deps, request)
  if (!('headerRow' in claimed)) return claimed
  const bytes = await readImportFile(deps, claimed.file_key)
  if (!Buffer.isBuffer(bytes)) return bytes
  const { sheet, headerRow } = claimed
  const planned = await planList(deps, { file: bytes, sheet, headerRow }, request)
  if (planned instanceof Problem) return planned
  return await writePlans(deps, request, { version: claimed.version, planned })
}
