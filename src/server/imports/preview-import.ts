import { sql } from 'kysely'
import { type ColumnUse, columnUseErrors } from '#domain/imports/import-columns.ts'
import type { MatchPolicy } from '#domain/imports/import-plan.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem } from '../http/problem.ts'
import { pauseMilliseconds } from '../queue/pause-between-steps.ts'
import { readGroups, readSubjectPages, readTakenCodes } from './known-subjects.ts'
import type { PlannedList } from './parsing/find-list.ts'
import type { ImportKey } from './read-imports.ts'
import { alreadyRanMessage, readFailureProblem, readImportFile } from './upload-import.ts'

type Refused = Problem<'not-found' | 'conflict' | 'refused' | 'slow-down'>

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

/** Takes an import for a new preview: the old one's rows go, and whoever else is at one is too late. */
const claim = ({ db }: Deps, { key, version }: PreviewRequest): Promise<ClaimedImport | Refused> =>
  inTransaction(db, async (tx) => {
    const { studioId, jobId, importId } = key
    const kept = await tx
      .selectFrom('imports')
      .select(['state', 'version', 'file_key', 'sheet', 'layout'])
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('id', '=', importId)
      .forUpdate()
      .executeTakeFirst()
    if (!kept) return problem('not-found')
    if (kept.version !== version) return problem('conflict')
    if (kept.state !== 'mapping' && kept.state !== 'previewed') return problem('refused', alreadyRanMessage)
    await tx.deleteFrom('import_rows').where('studio_id', '=', studioId).where('import_id', '=', importId).execute()
    await tx
      .updateTable('imports')
      .set({ state: 'mapping', version: version + 1 })
      .where('studio_id', '=', studioId)
      .where('id', '=', importId)
      .execute()
    return { version: version + 1, file_key: kept.file_key, sheet: kept.sheet, headerRow: kept.layout.headerRow }
  })

/** Everybody of the event as the thread reads them, and their ids. */
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
): Promise<PlannedList | Refused> => {
  const read = await deps.fileParsers.readCodes({ ...list, uses }, key.studioId)
  if (!('codes' in read)) return readFailureProblem(read)
  const owners = await readTakenCodes(deps.db, key, read.codes)
  const { known, ids } = await readKnown(deps, key)
  const takenCodes = [...owners].flatMap(([code, owner]) => (owner !== null && ids.has(owner) ? [] : code))
  const groups = [...(await readGroups(deps.db, key)).keys()]
  const people = { known, groups, takenCodes }
  const planned = await deps.fileParsers.planList(
    { ...list, uses, matches, ...people, rowsPerPart: atOnce },
    key.studioId,
  )
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

/** So many rows are written at a time, so that nobody waits long for the database meanwhile. */
const atOnce = 500

/** Whether the import is still the one that was claimed; it stays so until the transaction ends. */
const isClaimed = async (tx: Transaction, { studioId, importId }: ImportKey, version: number): Promise<boolean> => {
  const { rows } = await sql`select from imports where studio_id = ${studioId} and id = ${importId}
    and version = ${version} and state = 'mapping' for update`.execute(tx)
  return rows.length > 0
}

const writePlans = async (
  { db, wait }: Deps,
  asked: PreviewRequest,
  { version, planned }: { version: number; planned: PlannedList },
) => {
  const { key, uses, matches } = asked
  for (const part of planned.parts) {
    const isOurs = await inTransaction(db, async (tx) => {
      if (!(await isClaimed(tx, key, version))) return false
      await insertRows(tx, key, part)
      return true
    })
    if (!isOurs) return problem('conflict')
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

/** Writes down what an import would do with each row, and changes nobody. */
export const previewImport = async (deps: Deps, asked: PreviewRequest): Promise<undefined | Refused> => {
  const errors = columnUseErrors(asked.uses)
  if (errors.length > 0) return problem('refused', errors)
  const claimed = await claim(deps, asked)
  if (!('headerRow' in claimed)) return claimed
  const bytes = await readImportFile(deps, claimed.file_key)
  if (!Buffer.isBuffer(bytes)) return bytes
  const { sheet, headerRow } = claimed
  const planned = await planList(deps, { file: bytes, sheet, headerRow }, asked)
  if (planned instanceof Problem) return planned
  return await writePlans(deps, asked, { version: claimed.version, planned })
}
