import { type RawBuilder, sql } from 'kysely'
import type { SelectedSubjects, SubjectFilter } from '#contract/studio/subjects.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { likePattern } from '#server/http/paging/paginate-query.ts'

/** Whether the search text of subject `u` contains a word: folded, as names are stored, or as typed, as references are stored. */
const matchesWord = (word: string): RawBuilder<boolean> => {
  const forms = [...new Set([searchKey(word), word.toLowerCase()])].filter((form) => form !== '')
  return sql`(${sql.join(
    forms.map((form) => sql`u.sought_key like ${likePattern(form)}`),
    sql` or `,
  )})`
}

const isMember = (groupId: number) => sql`exists (
  select from subject_groups m where m.studio_id = u.studio_id and m.subject_id = u.id and m.group_id = ${groupId})`

/**
 * Whether subject `u` is in a set of a job's subjects. With `is true`, the set is read once from its own index; as a join, a generic plan
 * would look up each of five thousand subjects.
 */
const isOneOf = (subjectIds: RawBuilder<unknown>): RawBuilder<boolean> => sql`((u.id in (${subjectIds})) is true)`

const hasImage = ({ studioId, jobId }: JobKey) =>
  isOneOf(sql`
  select k.subject_id from subject_counts k where k.studio_id = ${studioId} and k.job_id = ${jobId} and k.images > 0`)

const hasOrdered = ({ studioId, jobId }: JobKey) =>
  isOneOf(sql`
  select k.subject_id from subject_counts k where k.studio_id = ${studioId} and k.job_id = ${jobId} and k.orders > 0`)

/** Whether subject `u` was checked in at the shoot. */
export const isCheckedIn = sql<boolean>`exists (
  select from check_ins c where c.studio_id = u.studio_id and c.subject_id = u.id and c.undone_at is null)`

const hasCheckedIn = ({ studioId, jobId }: JobKey) =>
  isOneOf(sql`
  select c.subject_id from check_ins c where c.studio_id = ${studioId} and c.job_id = ${jobId} and c.undone_at is null`)

/** Whether the latest mark of subject `u` at the shoot is absent. */
const isAbsent = sql<boolean>`exists (
  select from shoot_marks m where m.studio_id = u.studio_id and m.subject_id = u.id and m.kind = 'absent' and m.undone_at is null
     and not exists (select from shoot_marks n where n.studio_id = u.studio_id and n.subject_id = u.id and n.undone_at is null
                        and (n.marked_at, n.id) > (m.marked_at, m.id))
     and not exists (select from check_ins c where c.studio_id = u.studio_id and c.subject_id = u.id and c.undone_at is null
                        and c.checked_in_at >= m.marked_at))`

const conditionIf = (
  condition: RawBuilder<unknown>,
  value: string | undefined,
  trueValue: string,
): RawBuilder<unknown>[] => {
  if (value === undefined) return []
  return [value === trueValue ? condition : sql`not ${condition}`]
}

/** Whether subject `u` belongs to the job and matches a filter. */
export const matchesSubjectFilter = (job: JobKey, subjectFilter: SubjectFilter): RawBuilder<boolean> => {
  const { studioId, jobId } = job
  const { filter = '', groupId, images, visibility, orders, attendance } = subjectFilter
  const conditions = [
    sql`u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed'`,
    ...filter.split(/\s+/).flatMap((word) => (word === '' ? [] : [matchesWord(word)])),
    ...(groupId === undefined ? [] : [isMember(groupId)]),
    ...conditionIf(hasImage(job), images, 'with'),
    ...conditionIf(sql`(u.hidden_at is not null)`, visibility, 'hidden'),
    ...conditionIf(hasOrdered(job), orders, 'ordered'),
    ...(attendance === 'absent' ? [isAbsent] : conditionIf(hasCheckedIn(job), attendance, 'checked-in')),
  ]
  return sql`${sql.join(conditions, sql` and `)}`
}

/** Ids as a table `(id)`, passed as a single parameter. */
export const idsTable = (ids: readonly number[]): RawBuilder<unknown> =>
  sql`(select value::bigint as id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

/** Whether subject `u` is selected by a request. */
export const isSelectedSubject = (job: JobKey, selected: SelectedSubjects): RawBuilder<boolean> =>
  'ids' in selected
    ? sql`${matchesSubjectFilter(job, {})} and u.id in ${idsTable(selected.ids)}`
    : matchesSubjectFilter(job, selected.matching)
