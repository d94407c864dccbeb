import { sql } from 'kysely'
import { groupKey, hasSameDetails, type SubjectDetails } from '#domain/subjects/subject-details.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import {
  finishImport,
  type LockedImport,
  nextRows,
  type RowOutcome,
  type StepRow,
  writeOutcomes,
} from './import-steps.ts'
import { lockSubjects, readTakenCodes } from './known-subjects.ts'
import { ensureGroups, insertSubjects, reserveSubjectIds, rewriteSubjects } from './write-subjects.ts'

type Claim = { readonly key: string; readonly details: SubjectDetails; readonly subjectId: number | null }

/** Why subjects cannot be written as planned, by the key of the claim: their student id or code now belongs to another subject. */
export const findRejectionReasons = async (tx: Transaction, { job }: LockedImport, claims: readonly Claim[]) => {
  const owners = await readTakenCodes(
    tx,
    job,
    claims.flatMap(({ details }) => details.code ?? []),
  )
  const references = claims.flatMap(({ details }) => details.reference ?? [])
  const { rows } = await sql<{ id: number; reference: string }>`
    select id, reference from subjects where studio_id = ${job.studioId} and job_id = ${job.jobId}
       and reference = any(${references}::text[])`.execute(tx)
  const idByReference = new Map(rows.map(({ id, reference }) => [reference, id]))
  return new Map(
    claims.flatMap(({ key, details, subjectId }): [string, string][] => {
      const { code, reference } = details
      if (code !== null && owners.has(code) && owners.get(code) !== subjectId)
        return [[key, `The code ${code} is taken by now`]]
      const owner = reference === null ? undefined : idByReference.get(reference)
      return owner === undefined || owner === subjectId
        ? []
        : [[key, `The student id ${reference} belongs to someone else now`]]
    }),
  )
}

/** The names of subjects that were added to the job since the preview, except by this import. */
const readNewNames = async (
  tx: Transaction,
  { job, importId, previewedAt }: LockedImport,
  rows: readonly StepRow[],
) => {
  const lastNames = rows.map(({ details }) => searchKey(details.lastName))
  const { rows: subjects } = await sql<{ name: string }>`
    select u.last_key || ' ' || u.first_key as name from subjects u
     where u.studio_id = ${job.studioId} and u.job_id = ${job.jobId} and u.last_key = any(${lastNames}::text[])
       and u.state = 'listed' and u.created_at > ${previewedAt}
       and not exists (select from import_rows r
                        where r.studio_id = u.studio_id and r.subject_id = u.id and r.import_id = ${importId})`.execute(
    tx,
  )
  return new Set(subjects.map(({ name }) => name))
}

const refusedRow = ({ number, subjectId }: StepRow, message: string): RowOutcome => ({
  number,
  state: 'refused',
  subjectId,
  message,
})

type StepContext = {
  readonly tx: Transaction
  readonly locked: LockedImport
  readonly idByKey: ReadonlyMap<string, number>
}

const createSubjects = async (
  { tx, locked, idByKey }: StepContext,
  rows: readonly StepRow[],
): Promise<RowOutcome[]> => {
  const claims = rows.map(({ number, details }) => ({ key: String(number), details, subjectId: null }))
  const rejectionReasons = await findRejectionReasons(tx, locked, claims)
  const newNames = await readNewNames(tx, locked, rows)
  const rejectionReason = ({ number, details }: StepRow): string | undefined => {
    const name = `${searchKey(details.lastName)} ${searchKey(details.firstName)}`
    return (
      rejectionReasons.get(String(number)) ??
      (newNames.has(name) ? 'Someone with this name was added since the preview' : undefined)
    )
  }
  const rejectedCount = rows.flatMap((row) => rejectionReason(row) ?? []).length
  const ids = await reserveSubjectIds(tx, rows.length - rejectedCount)
  const outcomes = rows.map((row): RowOutcome => {
    const reason = rejectionReason(row)
    if (reason !== undefined) return refusedRow(row, reason)
    return { number: row.number, state: 'created', subjectId: ids.shift() ?? null, message: null }
  })
  const newSubjects = outcomes.flatMap(({ subjectId }, index) => {
    const details = rows[index]?.details
    return subjectId === null || !details ? [] : { id: subjectId, details }
  })
  await insertSubjects(tx, { job: locked.job, subjects: newSubjects, idByKey })
  return outcomes
}

const updateSubjects = async (
  { tx, locked, idByKey }: StepContext,
  rows: readonly StepRow[],
): Promise<RowOutcome[]> => {
  const current = await lockSubjects(
    tx,
    locked.job,
    rows.flatMap(({ subjectId }) => subjectId ?? []),
  )
  const claims = rows.flatMap(({ number, subjectId, after }) =>
    after ? { key: String(number), details: after, subjectId } : [],
  )
  const rejectionReasons = await findRejectionReasons(tx, locked, claims)
  const changes: Parameters<typeof rewriteSubjects>[1]['subjects'][number][] = []
  const outcomes = rows.map((row): RowOutcome => {
    const { number, subjectId, before, after } = row
    const currentDetails = subjectId === null ? undefined : current.get(subjectId)
    if (subjectId === null || !currentDetails || !before || !after)
      return refusedRow(row, 'This person is not here any more')
    if (!hasSameDetails(currentDetails, before)) return refusedRow(row, 'This person was changed since the preview')
    const reason = rejectionReasons.get(String(number))
    if (reason !== undefined) return refusedRow(row, reason)
    changes.push({ id: subjectId, before, details: after })
    return { number, state: 'updated', subjectId, message: null }
  })
  await rewriteSubjects(tx, { job: locked.job, subjects: changes, idByKey })
  return outcomes
}

/** Stores the ids of the groups that the rows name, so that an undo recognizes a group that was renamed later. */
const storeGroups = async (
  tx: Transaction,
  { job, importId }: LockedImport,
  { rows, idByKey }: { rows: readonly StepRow[]; idByKey: ReadonlyMap<string, number> },
): Promise<void> => {
  const names = rows.flatMap(({ details, before, after }) =>
    [details, before, after].flatMap((values) => values?.groups ?? []),
  )
  const keys = [...new Set(names.map(groupKey))].filter((key) => idByKey.has(key))
  const groups = Object.fromEntries(keys.map((key) => [key, idByKey.get(key)]))
  await sql`update imports set group_by_key = group_by_key || ${JSON.stringify(groups)}::jsonb
             where studio_id = ${job.studioId} and id = ${importId}`.execute(tx)
}

/** Marks the job, whose customers now choose a subject from the list. The import that first marked the job is recorded. */
const markImported = async (tx: Transaction, { job, importId }: LockedImport): Promise<void> => {
  await sql`
    with marked as (
      update jobs set imported_data = true, version = version + 1, updated_at = now()
       where studio_id = ${job.studioId} and id = ${job.jobId} and not imported_data returning id)
    update imports set began_list = true where studio_id = ${job.studioId} and id = ${importId} and exists (select from marked)`.execute(
    tx,
  )
}

/**
 * Processes the next rows of a running import, or finishes it. Subjects changed since the preview are skipped. Returns
 * whether rows remain.
 */
export const runImportStep = async (tx: Transaction, deps: Deps, locked: LockedImport): Promise<boolean> => {
  const rows = await nextRows(tx, locked, ['create', 'update'])
  if (rows.length === 0) {
    await markImported(tx, locked)
    await finishImport(tx, deps, locked)
    return false
  }
  const names = rows.flatMap(({ details, after }) => (after ?? details).groups)
  const { idByKey, createdIds } = await ensureGroups(tx, locked.job, names)
  if (createdIds.length > 0) {
    await sql`update imports set group_ids = group_ids || ${JSON.stringify(createdIds)}::jsonb
               where studio_id = ${locked.job.studioId} and id = ${locked.importId}`.execute(tx)
  }
  await storeGroups(tx, locked, { rows, idByKey })
  const context = { tx, locked, idByKey }
  const updateOutcomes = await updateSubjects(
    context,
    rows.filter(({ state }) => state === 'update'),
  )
  const createOutcomes = await createSubjects(
    context,
    rows.filter(({ state }) => state === 'create'),
  )
  await writeOutcomes(tx, locked, [...updateOutcomes, ...createOutcomes])
  return true
}
