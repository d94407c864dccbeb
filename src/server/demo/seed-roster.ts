import { accessCodeFrom } from '#domain/subjects/subject-draft.ts'
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

const insertGroups = async (tx: Transaction, { studioId, jobId }: JobKey, subjects: readonly SubjectDraft[]) => {
  const names = [...new Set(subjects.map(({ group }) => group))]
  const groups = await tx
    .insertInto('groups')
    .values(names.map((name, index) => ({ studio_id: studioId, job_id: jobId, name, position: index + 1 })))
    .returning(['id', 'name'])
    .execute()
  return new Map(groups.map(({ name, id }) => [name, id]))
}

const insertSubject = async (tx: Transaction, { studioId, jobId }: JobKey, subject: SubjectDraft): Promise<number> => {
  const { firstName, lastName, fields } = subject
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
  const fieldRows = fields.map(([name, value]) => ({ studio_id: studioId, subject_id: id, name, value }))
  if (fieldRows.length > 0) await tx.insertInto('subject_fields').values(fieldRows).execute()
  return id
}

const createCode = ({ code }: SubjectDraft, randomBytes: (count: number) => Uint8Array): string | undefined => {
  if (code === 'none') return undefined
  return code === 'drawn' ? accessCodeFrom(randomBytes(8)) : code.is
}

/** Inserts a job's subjects with their groups, fields and codes. */
export const insertRoster = async (
  tx: Transaction,
  job: JobKey,
  { subjects, randomBytes }: { subjects: readonly SubjectDraft[]; randomBytes: (count: number) => Uint8Array },
): Promise<RosterIds> => {
  const { studioId, jobId } = job
  const groupIds = await insertGroups(tx, job, subjects)
  const subjectIds = new Map<string, number>()
  for (const subject of subjects) {
    const id = await insertSubject(tx, job, subject)
    subjectIds.set(fullName(subject), id)
    const groupId = groupIds.get(subject.group)
    if (groupId !== undefined) {
      await tx.insertInto('subject_groups').values({ studio_id: studioId, subject_id: id, group_id: groupId }).execute()
    }
    const code = createCode(subject, randomBytes)
    if (code !== undefined) {
      await tx.insertInto('access_codes').values({ studio_id: studioId, job_id: jobId, subject_id: id, code }).execute()
    }
  }
  return { subjectIds, groupIds }
}
