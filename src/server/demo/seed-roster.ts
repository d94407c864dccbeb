import { accessCodeFrom } from '#domain/subjects/access-code.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Transaction } from '../database/database.ts'

/** A subject of a job: its group, its fields, and its access code. */
export type SubjectDraft = {
  firstName: string
  lastName: string
  group: string
  fields: readonly (readonly [name: string, value: string])[]
  /** `none` before the subject was photographed; `drawn` generates one. */
  code: 'none' | 'drawn' | { is: string }
}

/** Ids by the names of subjects and groups in the drafts. */
export type RosterIds = {
  readonly subjectIds: ReadonlyMap<string, number>
  readonly groupIds: ReadonlyMap<string, number>
}

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`

const insertGroups = async (tx: Transaction, { studioId, jobId }: JobKey, people: readonly SubjectDraft[]) => {
  const names = [...new Set(people.map(({ group }) => group))]
  const made = await tx
    .insertInto('groups')
    .values(names.map((name, index) => ({ studio_id: studioId, job_id: jobId, name, position: index + 1 })))
    .returning(['id', 'name'])
    .execute()
  return new Map(made.map(({ name, id }) => [name, id]))
}

const insertPerson = async (tx: Transaction, { studioId, jobId }: JobKey, person: SubjectDraft): Promise<number> => {
  const { firstName, lastName, fields } = person
  const { id } = await tx
    .insertInto('subjects')
    .values({
      studio_id: studioId,
      job_id: jobId,
      first_name: firstName,
      last_name: lastName,
      first_key: searchKey(firstName),
      last_key: searchKey(lastName),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const known = fields.map(([name, value]) => ({ studio_id: studioId, subject_id: id, name, value }))
  if (known.length > 0) await tx.insertInto('subject_fields').values(known).execute()
  return id
}

const codeOf = ({ code }: SubjectDraft, randomBytes: (count: number) => Uint8Array): string | undefined => {
  if (code === 'none') return undefined
  return code === 'drawn' ? accessCodeFrom(randomBytes(8)) : code.is
}

/** Inserts a job's subjects with their groups, fields and codes. */
export const insertRoster = async (
  tx: Transaction,
  job: JobKey,
  { people, randomBytes }: { people: readonly SubjectDraft[]; randomBytes: (count: number) => Uint8Array },
): Promise<RosterIds> => {
  const { studioId, jobId } = job
  const groupIds = await insertGroups(tx, job, people)
  const subjectIds = new Map<string, number>()
  for (const person of people) {
    const id = await insertPerson(tx, job, person)
    subjectIds.set(fullName(person), id)
    const groupId = groupIds.get(person.group)
    if (groupId !== undefined) {
      await tx.insertInto('subject_groups').values({ studio_id: studioId, subject_id: id, group_id: groupId }).execute()
    }
    const code = codeOf(person, randomBytes)
    if (code !== undefined) {
      await tx.insertInto('access_codes').values({ studio_id: studioId, job_id: jobId, subject_id: id, code }).execute()
    }
  }
  return { subjectIds: subjectIds, groupIds }
}
