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

const keptFor = ({ pictures, coming, orders, carts, seen, marked, hidden }: SubjectUsage): string | null => {
  if (orders) return 'Kept: something was ordered for them'
  if (carts) return 'Kept: they are in a cart'
  if (pictures) return 'Kept: there are pictures of them'
  if (coming) return 'Kept: pictures of them are being uploaded'
  if (seen) return 'Kept: they were checked in'
  if (marked) return 'Kept: they were marked on picture day'
  return hidden ? 'Kept: this person was hidden since the import' : null
}

const changedSince = 'Kept: this person was changed since the import'

/** Why people who came by an import stay, by their ids. Under their locks: nobody puts them in a cart meanwhile. */
const findBonds = async (tx: Transaction, { job: { studioId } }: LockedImport, ids: readonly number[]) => {
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
  return new Map(rows.map((bond) => [bond.id, keptFor(bond)]))
}

const kept = ({ number, subjectId }: StepRow, message: string): RowOutcome => ({
  number,
  state: 'kept',
  subjectId,
  message,
})

/** A list's groups are those of the event however it writes them. */
const asListed = (facts: SubjectDetails): SubjectDetails => ({
  ...facts,
  groups: [...new Set(facts.groups.map(groupKey))],
})

/** What somebody is beside a code that they were given since: codes are for everybody, and no correction of what a list said. */
const besideGiven = (now: SubjectDetails, left: SubjectDetails): SubjectDetails =>
  left.code === null ? { ...now, code: null } : now

/** Whoever came and was not touched since goes; what staff corrected, or anybody did with them, is not an import's to undo. */
const removeCreated = async (tx: Transaction, held: LockedImport, rows: readonly StepRow[]): Promise<RowOutcome[]> => {
  const ids = rows.flatMap(({ subjectId }) => subjectId ?? [])
  const bonds = await findBonds(tx, held, ids)
  const current = await lockSubjects(tx, held.job, ids)
  const whyKept = ({ subjectId, person }: StepRow): string | null => {
    const now = subjectId === null ? undefined : current.get(subjectId)
    const bond = subjectId === null ? null : (bonds.get(subjectId) ?? null)
    return bond ?? (now && !hasSameDetails(asListed(besideGiven(now, person)), asListed(person)) ? changedSince : null)
  }
  return rows.map((row): RowOutcome => {
    const why = whyKept(row)
    // What an import knows of somebody goes with them, so the row lets go of them first.
    return why !== null ? kept(row, why) : { number: row.number, state: 'undone', subjectId: null, message: null }
  })
}

const restoreUpdated = async (tx: Transaction, held: LockedImport, rows: readonly StepRow[]): Promise<RowOutcome[]> => {
  const current = await lockSubjects(
    tx,
    held.job,
    rows.flatMap(({ subjectId }) => subjectId ?? []),
  )
  const claims = rows.flatMap(({ number, subjectId, before }) =>
    before ? { key: String(number), facts: before, subjectId } : [],
  )
  const taken = await findTaken(tx, held, claims)
  const { idByKey } = await ensureGroups(
    tx,
    held.job,
    claims.flatMap(({ facts }) => facts.groups),
  )
  const people: Parameters<typeof rewriteSubjects>[1]['people'][number][] = []
  const outcomes = rows.map((row): RowOutcome => {
    const { number, subjectId, before, after } = row
    const now = subjectId === null ? undefined : current.get(subjectId)
    if (subjectId === null || !now || !before || !after) return kept(row, 'Kept: this person is not here any more')
    if (!hasSameDetails(besideGiven(now, after), after)) return kept(row, changedSince)
    const why = taken.get(String(number))
    if (why !== undefined) return kept(row, `Kept: ${why}`)
    people.push({ id: subjectId, before: after, facts: before })
    return { number, state: 'undone', subjectId, message: null }
  })
  await rewriteSubjects(tx, { job: held.job, people, idByKey })
  return outcomes
}

/** Groups that came by the import go where nobody and no picture is in them any more. */
const removeEmptyGroups = async (tx: Transaction, { job: { studioId }, groupIds }: LockedImport): Promise<void> => {
  await sql`
    delete from groups g where g.studio_id = ${studioId} and g.id = any(${[...groupIds]}::bigint[])
       and not exists (select from subject_groups m where m.studio_id = g.studio_id and m.group_id = g.id)
       and not exists (select from image_lookups l where l.studio_id = g.studio_id and l.group_id = g.id)`.execute(tx)
}

/**
 * Where customers choose from the list since this import, and nobody who came by it is left, they do so no more. Another import that
 * stands keeps the list, and answers for it from now on.
 */
const unsayImported = async (tx: Transaction, { job: { studioId, jobId }, importId }: LockedImport): Promise<void> => {
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

/** Rows with their groups as they are called now: a group that was renamed since is no change of the people in it. */
const withGroupsAsCalledNow = async (
  tx: Transaction,
  held: LockedImport,
  rows: readonly StepRow[],
): Promise<StepRow[]> => {
  const nameById = new Map([...(await readGroups(tx, held.job))].map(([name, id]) => [id, name]))
  const nameNow = (name: string): string => nameById.get(held.groupByKey[groupKey(name)] ?? 0) ?? name
  const calledNow = (facts: SubjectDetails): SubjectDetails => ({ ...facts, groups: facts.groups.map(nameNow) })
  return rows.map((row) => ({
    ...row,
    person: calledNow(row.person),
    before: row.before && calledNow(row.before),
    after: row.after && calledNow(row.after),
  }))
}

/** Takes the next rows of an import back, or finishes that. True where there is more to do. */
export const undoImportStep = async (tx: Transaction, deps: Deps, held: LockedImport): Promise<boolean> => {
  const rows = await withGroupsAsCalledNow(tx, held, await nextRows(tx, held, ['created', 'updated']))
  if (rows.length === 0) {
    await removeEmptyGroups(tx, held)
    await unsayImported(tx, held)
    await finishImport(tx, deps, held)
    return false
  }
  const created = rows.filter(({ state }) => state === 'created')
  const removed = await removeCreated(tx, held, created)
  const restored = await restoreUpdated(
    tx,
    held,
    rows.filter(({ state }) => state === 'updated'),
  )
  await writeOutcomes(tx, held, [...removed, ...restored])
  const gone = created.filter((_, at) => removed[at]?.state === 'undone').flatMap(({ subjectId }) => subjectId ?? [])
  await sql`delete from subjects where studio_id = ${held.job.studioId} and id = any(${gone}::bigint[])`.execute(tx)
  return true
}
