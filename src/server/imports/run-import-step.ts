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

type Claim = { readonly key: string; readonly facts: SubjectDetails; readonly subjectId: number | null }

/** Why somebody cannot be written as planned, by the claim's key: their id or code is another's by now. */
export const findTaken = async (tx: Transaction, { job }: LockedImport, claims: readonly Claim[]) => {
  const owners = await readTakenCodes(
    tx,
    job,
    claims.flatMap(({ facts }) => facts.code ?? []),
  )
  const references = claims.flatMap(({ facts }) => facts.reference ?? [])
  const { rows } = await sql<{ id: number; reference: string }>`
    select id, reference from subjects where studio_id = ${job.studioId} and job_id = ${job.jobId}
       and reference = any(${references}::text[])`.execute(tx)
  const idByReference = new Map(rows.map(({ id, reference }) => [reference, id]))
  return new Map(
    claims.flatMap(({ key, facts, subjectId }): [string, string][] => {
      const { code, reference } = facts
      if (code !== null && owners.has(code) && owners.get(code) !== subjectId)
        return [[key, `The code ${code} is taken by now`]]
      const owner = reference === null ? undefined : idByReference.get(reference)
      return owner === undefined || owner === subjectId
        ? []
        : [[key, `The student id ${reference} is somebody else’s by now`]]
    }),
  )
}

/** The names under which people came to the job since the list was previewed, not by this import. */
const namesSince = async (tx: Transaction, { job, importId, previewedAt }: LockedImport, rows: readonly StepRow[]) => {
  const lasts = rows.map(({ person }) => searchKey(person.lastName))
  const { rows: found } = await sql<{ name: string }>`
    select u.last_key || ' ' || u.first_key as name from subjects u
     where u.studio_id = ${job.studioId} and u.job_id = ${job.jobId} and u.last_key = any(${lasts}::text[])
       and u.state = 'listed' and u.created_at > ${previewedAt}
       and not exists (select from import_rows r
                        where r.studio_id = u.studio_id and r.subject_id = u.id and r.import_id = ${importId})`.execute(
    tx,
  )
  return new Set(found.map(({ name }) => name))
}

const refuse = ({ number, subjectId }: StepRow, message: string): RowOutcome => ({
  number,
  state: 'refused',
  subjectId,
  message,
})

type Context = { readonly tx: Transaction; readonly held: LockedImport; readonly idByKey: ReadonlyMap<string, number> }

const create = async ({ tx, held, idByKey }: Context, rows: readonly StepRow[]): Promise<RowOutcome[]> => {
  const claims = rows.map(({ number, person }) => ({ key: String(number), facts: person, subjectId: null }))
  const taken = await findTaken(tx, held, claims)
  const newNames = await namesSince(tx, held, rows)
  const whyNot = ({ number, person }: StepRow): string | undefined => {
    const name = `${searchKey(person.lastName)} ${searchKey(person.firstName)}`
    return (
      taken.get(String(number)) ??
      (newNames.has(name) ? 'Somebody of this name was added since the preview' : undefined)
    )
  }
  const refused = rows.flatMap((row) => whyNot(row) ?? []).length
  const ids = await reserveSubjectIds(tx, rows.length - refused)
  const outcomes = rows.map((row): RowOutcome => {
    const why = whyNot(row)
    if (why !== undefined) return refuse(row, why)
    return { number: row.number, state: 'created', subjectId: ids.shift() ?? null, message: null }
  })
  const people = outcomes.flatMap(({ subjectId }, at) => {
    const facts = rows[at]?.person
    return subjectId === null || !facts ? [] : { id: subjectId, facts }
  })
  await insertSubjects(tx, { job: held.job, people, idByKey })
  return outcomes
}

const update = async ({ tx, held, idByKey }: Context, rows: readonly StepRow[]): Promise<RowOutcome[]> => {
  const current = await lockSubjects(
    tx,
    held.job,
    rows.flatMap(({ subjectId }) => subjectId ?? []),
  )
  const claims = rows.flatMap(({ number, subjectId, after }) =>
    after ? { key: String(number), facts: after, subjectId } : [],
  )
  const taken = await findTaken(tx, held, claims)
  const people: Parameters<typeof rewriteSubjects>[1]['people'][number][] = []
  const outcomes = rows.map((row): RowOutcome => {
    const { number, subjectId, before, after } = row
    const now = subjectId === null ? undefined : current.get(subjectId)
    if (subjectId === null || !now || !before || !after) return refuse(row, 'This person is not here any more')
    if (!hasSameDetails(now, before)) return refuse(row, 'This person was changed since the preview')
    const why = taken.get(String(number))
    if (why !== undefined) return refuse(row, why)
    people.push({ id: subjectId, before, facts: after })
    return { number, state: 'updated', subjectId, message: null }
  })
  await rewriteSubjects(tx, { job: held.job, people, idByKey })
  return outcomes
}

/** Stores which groups the rows name, so that an undo knows a group that was renamed since. */
const storeGroups = async (
  tx: Transaction,
  { job, importId }: LockedImport,
  { rows, idByKey }: { rows: readonly StepRow[]; idByKey: ReadonlyMap<string, number> },
): Promise<void> => {
  const names = rows.flatMap(({ person, before, after }) =>
    [person, before, after].flatMap((facts) => facts?.groups ?? []),
  )
  const keys = [...new Set(names.map(groupKey))].filter((key) => idByKey.has(key))
  const groups = Object.fromEntries(keys.map((key) => [key, idByKey.get(key)]))
  await sql`update imports set group_by_key = group_by_key || ${JSON.stringify(groups)}::jsonb
             where studio_id = ${job.studioId} and id = ${importId}`.execute(tx)
}

/** From now on customers choose themselves from the list; the import that began this remembers it. */
const sayImported = async (tx: Transaction, { job, importId }: LockedImport): Promise<void> => {
  await sql`
    with began as (
      update jobs set imported_data = true, version = version + 1, updated_at = now()
       where studio_id = ${job.studioId} and id = ${job.jobId} and not imported_data returning id)
    update imports set began_list = true where studio_id = ${job.studioId} and id = ${importId} and exists (select from began)`.execute(
    tx,
  )
}

/**
 * Does the next rows of an import that runs, or finishes it. Whoever was changed since the preview is left alone. True where there is
 * more to do.
 */
export const runImportStep = async (tx: Transaction, deps: Deps, held: LockedImport): Promise<boolean> => {
  const rows = await nextRows(tx, held, ['create', 'update'])
  if (rows.length === 0) {
    await sayImported(tx, held)
    await finishImport(tx, deps, held)
    return false
  }
  const names = rows.flatMap(({ person, after }) => (after ?? person).groups)
  const { idByKey, made } = await ensureGroups(tx, held.job, names)
  if (made.length > 0) {
    await sql`update imports set group_ids = group_ids || ${JSON.stringify(made)}::jsonb
               where studio_id = ${held.job.studioId} and id = ${held.importId}`.execute(tx)
  }
  await storeGroups(tx, held, { rows, idByKey })
  const context = { tx, held, idByKey }
  const updated = await update(
    context,
    rows.filter(({ state }) => state === 'update'),
  )
  const created = await create(
    context,
    rows.filter(({ state }) => state === 'create'),
  )
  await writeOutcomes(tx, held, [...updated, ...created])
  return true
}
