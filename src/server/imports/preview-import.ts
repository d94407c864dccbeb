import { sql } from 'kysely'
import { type ColumnUse, columnUseErrors } from '#domain/imports/import-columns.ts'
import type { MatchPolicy } from '#domain/imports/import-plan.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem } from '../http/problem.ts'
import { pauseMs } from '../queue/queue.ts'
import { readGroups, readSubjectPages, readTakenCodes } from './known-subjects.ts'
import type { PlannedList } from './parsing/find-list.ts'
import type { ImportKey } from './read-imports.ts'
import { alreadyRanMessage, readFailureProblem, readImportFile } from './upload-import.ts'

type PreviewProblem = Problem<'not-found' | 'conflict' | 'refused' | 'slow-down'>

type PreviewRequest = {
  readonly key: ImportKey
  readonly version: number
  readonly uses: readonly ColumnUse[]
  readonly matchPolicy: MatchPolicy
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
const claimImport = ({ db }: Deps, { key, version }: PreviewRequest): Promise<ClaimedImport | PreviewProblem> =>
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

/** Reads the listed subjects of the job, as JSON for the parser thread, and their ids. */
const readExistingSubjects = async (
  deps: Deps,
  key: ImportKey,
): Promise<{ existingSubjects: string[]; ids: ReadonlySet<number> }> => {
  const existingSubjects: string[] = []
  const ids = new Set<number>()
  for await (const page of readSubjectPages(deps, key)) {
    for (const { id } of page) ids.add(id)
    existingSubjects.push(JSON.stringify(page))
  }
  return { existingSubjects, ids }
}

type ListFile = { readonly file: Buffer; readonly sheet: string | null; readonly headerRow: number }

const planList = async (
  deps: Deps,
  list: ListFile,
  { key, uses, matchPolicy }: PreviewRequest,
): Promise<PlannedList | PreviewProblem> => {
  const codesResult = await deps.fileParsers.readCodes({ ...list, uses }, key.studioId)
  if (!('codes' in codesResult)) return readFailureProblem(codesResult)
  const owners = await readTakenCodes(deps.db, key, codesResult.codes)
  const { existingSubjects, ids } = await readExistingSubjects(deps, key)
  const takenCodes = [...owners].flatMap(([code, owner]) => (owner !== null && ids.has(owner) ? [] : code))
  const groups = [...(await readGroups(deps.db, key)).keys()]
  const context = { known: existingSubjects, groups, takenCodes }
  const plannedList = await deps.fileParsers.planList(
    { ...list, uses, matchPolicy, ...context, rowsPerPart },
    key.studioId,
  )
  return 'parts' in plannedList ? plannedList : readFailureProblem(plannedList)
}

const insertRows = (tx: Transaction, { studioId, importId }: ImportKey, part: string) => {
  return sql`
    insert into import_rows (studio_id, import_id, row_number, state, details, subject_id, before, after, message, warnings)
    select ${studioId}::bigint, ${importId}::bigint, r.number, r.state, r.details, u.id, r.before,
           case when r.state = 'create' then r.details else r.after end, r.message, r.warnings
      from jsonb_to_recordset(${part}::jsonb) as r (number integer, state text, details jsonb, subject_id bigint,
                                                    before jsonb, after jsonb, message text, warnings jsonb)
      left join subjects u on u.studio_id = ${studioId} and u.id = r.subject_id`.execute(tx)
}

/** Rows per statement, so few that no request waits long for the database. */
const rowsPerPart = 200

/** Whether the import is still claimed; locks it until the transaction ends. */
const isClaimed = async (tx: Transaction, { studioId, importId }: ImportKey, version: number): Promise<boolean> => {
  const rows = await tx
    .selectFrom('imports')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('id', '=', importId)
    .where('version', '=', version)
    .where('state', '=', 'mapping')
    .forUpdate()
    .execute()
  return rows.length > 0
}

const writePlans = async (
  { db, wait }: Deps,
  request: PreviewRequest,
  { version, plannedList }: { version: number; plannedList: PlannedList },
) => {
  const { key, uses, matchPolicy } = request
  for (const part of plannedList.parts) {
    const isStillClaimed = await inTransaction(db, async (tx) => {
      if (!(await isClaimed(tx, key, version))) return false
      await insertRows(tx, key, part)
      return true
    })
    if (!isStillClaimed) return problem('conflict')
    await wait(pauseMs)
  }
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      state: 'previewed',
      mapping: JSON.stringify(uses),
      match_policy: matchPolicy,
      rows_total: plannedList.rows,
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
  const claimedImport = await claimImport(deps, request)
  if (!('headerRow' in claimedImport)) return claimedImport
  const bytes = await readImportFile(deps, claimedImport.file_key)
  if (!Buffer.isBuffer(bytes)) return bytes
  const { sheet, headerRow } = claimedImport
  const plannedList = await planList(deps, { file: bytes, sheet, headerRow }, request)
  if (plannedList instanceof Problem) return plannedList
  return await writePlans(deps, request, { version: claimedImport.version, plannedList })
}
