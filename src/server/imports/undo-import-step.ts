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
import { findTaken } from './run-import-step.ts'
import { ensureGroups, rewriteSubjects } from './write-subjects.ts'

type SubjectUsage = {
  id: number
  pictures: boolean
  coming: boolean
  orders: boolean
  carts: boolean
  seen: boolean
  marked: boolean
  hidden: boolean
}

const usageMessage = ({ pictures, coming, orders, carts, seen, marked, hidden }: SubjectUsage): string | null => {
  if (orders) return 'Kept: something was ordered for them'
  if (carts) return 'Kept: they are in a cart'
  if (pictures) return 'Kept: there are pictures of them'
  if (coming) return 'Kept: pictures of them are being uploaded'
  if (seen) return 'Kept: they were checked in'
  if (marked) return 'Kept: they were marked on picture day'
  return hidden ? 'Kept: this person was hidden since the import' : null
}

const changedSinceMessage = 'Kept: this person was changed since the import'

/** Why subjects that an import created must stay, by id. Locks them, so that no one adds them to a cart meanwhile. */
const findUsage = async (tx: Transaction, { job: { studioId } }: LockedImport, ids: readonly number[]) => {
  const of = (table: 'image_lookups' | 'order_lines' | 'downloads' | 'cart_packages' | 'cart_order_services') =>
    sql`exists (select from ${sql.table(table)} t where t.studio_id = u.studio_id and t.subject_id = u.id)`
  const { rows } = await sql<SubjectUsage>`
    select u.id, ${of('image_lookups')} as pictures, ${of('order_lines')} or ${of('downloads')} as orders,
           ${of('cart_packages')} or ${of('cart_order_services')} as carts,
           exists (select from uploads w where w.studio_id = u.studio_id and w.subject_id = u.id
                      and w.state in ('receiving', 'received')) as coming,
           exists (select from check_ins c
                    where c.studio_id = u.studio_id and c.subject_id = u.id and c.undone_at is null) as seen,
           exists (select from shoot_marks m
                    where m.studio_id = u.studio_id and m.subject_id = u.id and m.undone_at is null) as marked,
           u.hidden_at is not null as hidden
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
const withGroupKeys = (facts: SubjectDetails): SubjectDetails => ({
  ...facts,
  groups: [...new Set(facts.groups.map(groupKey))],
})

/**
 * A subject's details without an access code that was assigned after the import: assigning codes is not an edit of the
 * imported data.
 */
const withoutNewCode = (currentDetails: SubjectDetails, imported: SubjectDetails): SubjectDetails =>
  imported.code === null ? { ...currentDetails, code: null } : currentDetails

/**
 * Removes created subjects that are unused and unchanged since the import. What staff edited or customers used stays.
 */
const removeCreated = async (
  tx: Transaction,
  locked: LockedImport,
  rows: readonly StepRow[],
): Promise<RowOutcome[]> => {
  const ids = rows.flatMap(({ subjectId }) => subjectId ?? [])
  const usageById = await findUsage(tx, locked, ids)
  const current = await lockSubjects(tx, locked.job, ids)
  const keepReason = ({ subjectId, person }: StepRow): string | null => {
    const currentDetails = subjectId === null ? undefined : current.get(subjectId)
    const usage = subjectId === null ? null : (usageById.get(subjectId) ?? null)
    return (
      usage ??
      (currentDetails && !hasSameDetails(withGroupKeys(withoutNewCode(currentDetails, person)), withGroupKeys(person))
        ? changedSinceMessage
        : null)
    )
  }
  return rows.map((row): RowOutcome => {
    const reason = keepReason(row)
    // The foreign key of the row is cleared first, because deleting the subject deletes what refers to it.
    return reason !== null
      ? keptRow(row, reason)
      : { number: row.number, state: 'undone', subjectId: null, message: null }
  })
}

const restoreUpdated = async (
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
    before ? { key: String(number), facts: before, subjectId } : [],
  )
  const takenByKey = await findTaken(tx, locked, claims)
  const { idByKey } = await ensureGroups(
    tx,
    locked.job,
    claims.flatMap(({ facts }) => facts.groups),
  )
  const rewrites: Parameters<typeof rewriteSubjects>[1]['people'][number][] = []
  const outcomes = rows.map((row): RowOutcome => {
    const { number, subjectId, before, after } = row
    const currentDetails = subjectId === null ? undefined : current.get(subjectId)
    if (subjectId === null || !currentDetails || !before || !after)
      return keptRow(row, 'Kept: this person is not here any more')
    if (!hasSameDetails(withoutNewCode(currentDetails, after), after)) return keptRow(row, changedSinceMessage)
    const reason = takenByKey.get(String(number))
    if (reason !== undefined) return keptRow(row, `Kept: ${reason}`)
    rewrites.push({ id: subjectId, before: after, facts: before })
    return { number, state: 'undone', subjectId, message: null }
  })
  await rewriteSubjects(tx, { job: locked.job, people: rewrites, idByKey })
  return outcomes
}

/** Deletes groups created by the import that have no subject and no image any more. */
const removeEmptyGroups = async (tx: Transaction, { job: { studioId }, groupIds }: LockedImport): Promise<void> => {
  await sql`
    delete from groups g where g.studio_id = ${studioId} and g.id = any(${[...groupIds]}::bigint[])
       and not exists (select from subject_groups m where m.studio_id = g.studio_id and m.group_id = g.id)
       and not exists (select from image_lookups l where l.studio_id = g.studio_id and l.group_id = g.id)`.execute(tx)
}

/**
 * Stops customers from choosing from the list, if this import started that and none of its subjects is left. If another
 * import is in effect, it takes over the mark.
 */
const unmarkImported = async (tx: Transaction, { job: { studioId, jobId }, importId }: LockedImport): Promise<void> => {
  const { rows } = await sql<{ heir: number | null; keeps: boolean }>`
    select (select min(o.id) from imports o where o.studio_id = i.studio_id and o.job_id = i.job_id and o.id <> i.id
               and o.state in ('running', 'done')) as heir,
           exists (select from import_rows r where r.studio_id = i.studio_id and r.import_id = i.id
                      and r.state = 'kept' and r.before is null) as keeps
      from imports i where i.studio_id = ${studioId} and i.id = ${importId} and i.began_list`.execute(tx)
  const [began] = rows
  if (!began || began.keeps) return
  if (began.heir === null) {
    await sql`
      update jobs set imported_data = false, version = version + 1, updated_at = now()
       where studio_id = ${studioId} and id = ${jobId} and imported_data`.execute(tx)
    return
  }
  await sql`update imports set began_list = (id = ${began.heir})
     where studio_id = ${studioId} and id in (${importId}, ${began.heir})`.execute(tx)
}

/**
 * Rows with the current names of their groups, so that a group renamed since does not count as a change of its
 * subjects.
 */
const withCurrentGroupNames = async (
  tx: Transaction,
  locked: LockedImport,
  rows: readonly StepRow[],
): Promise<StepRow[]> => {
  const nameById = new Map([...(await readGroups(tx, locked.job))].map(([name, id]) => [id, name]))
  const currentName = (name: string): string => nameById.get(locked.groupByKey[groupKey(name)] ?? 0) ?? name
  const renamed = (facts: SubjectDetails): SubjectDetails => ({ ...facts, groups: facts.groups.map(currentName) })
  return rows.map((row) => ({
    ...row,
    person: renamed(row.person),
    before: row.before && renamed(row.before),
    after: row.after && renamed(row.after),
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
  const removed = await removeCreated(tx, locked, created)
  const restored = await restoreUpdated(
    tx,
    locked,
    rows.filter(({ state }) => state === 'updated'),
  )
  await writeOutcomes(tx, locked, [...removed, ...restored])
  const removedIds = created
    .filter((_, at) => removed[at]?.state === 'undone')
    .flatMap(({ subjectId }) => subjectId ?? [])
  await sql`delete from subjects where studio_id = ${locked.job.studioId} and id = any(${removedIds}::bigint[])`.execute(
    tx,
  )
  return true
}
