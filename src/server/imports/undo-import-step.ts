import { sql } from 'kysely'
import { groupKey, hasSameDetails, type SubjectDetails } from '#domain/subjects/subject-details.ts'
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
import { lockSubjects, readGroups } from './known-subjects.ts'
import { findRejectionReasons } from './run-import-step.ts'
import { ensureGroups, rewriteSubjects } from './write-subjects.ts'

type SubjectUsage = {
  id: number
  hasImages: boolean
  hasUploads: boolean
  hasOrders: boolean
  isInCart: boolean
  isCheckedIn: boolean
  isMarked: boolean
  isHidden: boolean
}

const usageMessage = ({
  hasImages,
  hasUploads,
  hasOrders,
  isInCart,
  isCheckedIn,
  isMarked,
  isHidden,
}: SubjectUsage): string | null => {
  if (hasOrders) return 'Kept: something was ordered for them'
  if (isInCart) return 'Kept: they are in a cart'
  if (hasImages) return 'Kept: they have images'
  if (hasUploads) return 'Kept: images of them are being uploaded'
  if (isCheckedIn) return 'Kept: they were checked in'
  if (isMarked) return 'Kept: they were marked on picture day'
  return isHidden ? 'Kept: this person was hidden since the import' : null
}

const changedSinceMessage = 'Kept: this person was changed since the import'

/**
 * Finds the reasons why subjects that an import created must stay, by subject id. Locks the subjects, so that no one
 * adds them to a cart meanwhile.
 */
const findKeepReasons = async (tx: Transaction, { job: { studioId } }: LockedImport, ids: readonly number[]) => {
  const existsIn = (table: 'image_lookups' | 'order_lines' | 'downloads' | 'cart_packages' | 'cart_order_services') =>
    sql`exists (select from ${sql.table(table)} t where t.studio_id = u.studio_id and t.subject_id = u.id)`
  const { rows } = await sql<SubjectUsage>`
    select u.id, ${existsIn('image_lookups')} as "hasImages", ${existsIn('order_lines')} or ${existsIn('downloads')} as "hasOrders",
           ${existsIn('cart_packages')} or ${existsIn('cart_order_services')} as "isInCart",
           exists (select from uploads w where w.studio_id = u.studio_id and w.subject_id = u.id
                      and w.state in ('receiving', 'received')) as "hasUploads",
           exists (select from check_ins c
                    where c.studio_id = u.studio_id and c.subject_id = u.id and c.undone_at is null) as "isCheckedIn",
           exists (select from shoot_marks m
                    where m.studio_id = u.studio_id and m.subject_id = u.id and m.undone_at is null) as "isMarked",
           u.hidden_at is not null as "isHidden"
      from subjects u where u.studio_id = ${studioId} and u.id = any(${[...ids]}::bigint[])
     order by u.id for update of u`.execute(tx)
  return new Map(rows.map((usage) => [usage.id, usageMessage(usage)]))
}

const keptRow = ({ number, subjectId }: StepRow, message: string): RowOutcome => ({
  number,
  state: 'kept',
  subjectId,
  message,
})

/** Compares groups by their key, because a list may spell the same group in several ways. */
const withGroupKeys = (details: SubjectDetails): SubjectDetails => ({
  ...details,
  groups: [...new Set(details.groups.map(groupKey))],
})

/**
 * The details of a subject without an access code that was assigned after the import, because assigning a code does not edit the imported
 * data.
 */
const withoutNewCode = (currentDetails: SubjectDetails, imported: SubjectDetails): SubjectDetails =>
  imported.code === null ? { ...currentDetails, code: null } : currentDetails

/**
 * Decides the outcomes of the rows of created subjects: `undone` for subjects that are unused and unchanged since the
 * import, which the caller then deletes. Subjects that staff edited or customers used stay.
 */
const undoCreatedRows = async (
  tx: Transaction,
  locked: LockedImport,
  rows: readonly StepRow[],
): Promise<RowOutcome[]> => {
  const ids = rows.flatMap(({ subjectId }) => subjectId ?? [])
  const keepReasons = await findKeepReasons(tx, locked, ids)
  const current = await lockSubjects(tx, locked.job, ids)
  const keepReasonOf = ({ subjectId, details }: StepRow): string | null => {
    const currentDetails = subjectId === null ? undefined : current.get(subjectId)
    const usageReason = subjectId === null ? null : (keepReasons.get(subjectId) ?? null)
    return (
      usageReason ??
      (currentDetails && !hasSameDetails(withGroupKeys(withoutNewCode(currentDetails, details)), withGroupKeys(details))
        ? changedSinceMessage
        : null)
    )
  }
  return rows.map((row): RowOutcome => {
    const reason = keepReasonOf(row)
    // The foreign key of the row is cleared first, because deleting the subject would delete the row.
    return reason !== null
      ? keptRow(row, reason)
      : { number: row.number, state: 'undone', subjectId: null, message: null }
  })
}

const undoUpdatedRows = async (
  tx: Transaction,
  locked: LockedImport,
  rows: readonly StepRow[],
): Promise<RowOutcome[]> => {
  const current = await lockSubjects(
    tx,
    locked.job,
    rows.flatMap(({ subjectId }) => subjectId ?? []),
  )
  const claims = rows.flatMap(({ number, subjectId, before }) =>
    before ? { key: String(number), details: before, subjectId } : [],
  )
  const rejectionReasons = await findRejectionReasons(tx, locked, claims)
  const { idByKey } = await ensureGroups(
    tx,
    locked.job,
    claims.flatMap(({ details }) => details.groups),
  )
  const rewrites: Parameters<typeof rewriteSubjects>[1]['subjects'][number][] = []
  const outcomes = rows.map((row): RowOutcome => {
    const { number, subjectId, before, after } = row
    const currentDetails = subjectId === null ? undefined : current.get(subjectId)
    if (subjectId === null || !currentDetails || !before || !after)
      return keptRow(row, 'Kept: this person is not here any more')
    if (!hasSameDetails(withoutNewCode(currentDetails, after), after)) return keptRow(row, changedSinceMessage)
    const reason = rejectionReasons.get(String(number))
    if (reason !== undefined) return keptRow(row, `Kept: ${reason}`)
    rewrites.push({ id: subjectId, before: after, details: before })
    return { number, state: 'undone', subjectId, message: null }
  })
  await rewriteSubjects(tx, { job: locked.job, subjects: rewrites, idByKey })
  return outcomes
}

/** Deletes groups that the import created and that no longer have a subject or an image. */
const removeEmptyGroups = async (tx: Transaction, { job: { studioId }, groupIds }: LockedImport): Promise<void> => {
  await sql`
    delete from groups g where g.studio_id = ${studioId} and g.id = any(${[...groupIds]}::bigint[])
       and not exists (select from subject_groups m where m.studio_id = g.studio_id and m.group_id = g.id)
       and not exists (select from image_lookups l where l.studio_id = g.studio_id and l.group_id = g.id)`.execute(tx)
}

/**
 * Removes the mark of the job, whose customers then no longer choose from the list, if this import set it and none of its subjects is left.
 * If another import has run, the mark passes to that import.
 */
const unmarkImported = async (tx: Transaction, { job: { studioId, jobId }, importId }: LockedImport): Promise<void> => {
  const { rows } = await sql<{ nextImportId: number | null; hasRemainingSubjects: boolean }>`
    select (select min(o.id) from imports o where o.studio_id = i.studio_id and o.job_id = i.job_id and o.id <> i.id
               and o.state in ('running', 'done')) as "nextImportId",
           exists (select from import_rows r where r.studio_id = i.studio_id and r.import_id = i.id
                      and r.state = 'kept' and r.before is null) as "hasRemainingSubjects"
      from imports i where i.studio_id = ${studioId} and i.id = ${importId} and i.began_list`.execute(tx)
  const [mark] = rows
  if (!mark || mark.hasRemainingSubjects) return
  if (mark.nextImportId === null) {
    await sql`
      update jobs set imported_data = false, version = version + 1, updated_at = now()
       where studio_id = ${studioId} and id = ${jobId} and imported_data`.execute(tx)
    return
  }
  await sql`update imports set began_list = (id = ${mark.nextImportId})
     where studio_id = ${studioId} and id in (${importId}, ${mark.nextImportId})`.execute(tx)
}

/**
 * Rows with the current names of their groups, so that a group that was renamed later does not count as a change of its subjects.
 */
const withCurrentGroupNames = async (
  tx: Transaction,
  locked: LockedImport,
  rows: readonly StepRow[],
): Promise<StepRow[]> => {
  const nameById = new Map([...(await readGroups(tx, locked.job))].map(([name, id]) => [id, name]))
  const currentName = (name: string): string => nameById.get(locked.groupByKey[groupKey(name)] ?? 0) ?? name
  const withCurrentNames = (details: SubjectDetails): SubjectDetails => ({
    ...details,
    groups: details.groups.map(currentName),
  })
  return rows.map((row) => ({
    ...row,
    details: withCurrentNames(row.details),
    before: row.before && withCurrentNames(row.before),
    after: row.after && withCurrentNames(row.after),
  }))
}

/** Undoes the next rows of an import, or finishes. Returns whether rows remain. */
export const undoImportStep = async (tx: Transaction, deps: Deps, locked: LockedImport): Promise<boolean> => {
  const rows = await withCurrentGroupNames(tx, locked, await nextRows(tx, locked, ['created', 'updated']))
  if (rows.length === 0) {
    await removeEmptyGroups(tx, locked)
    await unmarkImported(tx, locked)
    await finishImport(tx, deps, locked)
    return false
  }
  const created = rows.filter(({ state }) => state === 'created')
  const createdOutcomes = await undoCreatedRows(tx, locked, created)
  const updatedOutcomes = await undoUpdatedRows(
    tx,
    locked,
    rows.filter(({ state }) => state === 'updated'),
  )
  await writeOutcomes(tx, locked, [...createdOutcomes, ...updatedOutcomes])
  const removedIds = created
    .filter((_, index) => createdOutcomes[index]?.state === 'undone')
    .flatMap(({ subjectId }) => subjectId ?? [])
  await sql`delete from subjects where studio_id = ${locked.job.studioId} and id = any(${removedIds}::bigint[])`.execute(
    tx,
  )
  return true
}
