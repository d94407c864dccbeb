import { type RawBuilder, sql } from 'kysely'
import { anonymizeLine, type StoredOrderLine } from '#domain/orders/anonymize-line.ts'
import { mentionsName, type NameAndEmail } from '#domain/studio/saved-report.ts'
import { isPurgeConfirmed, purgeConfirmation, subjectFullName } from '#domain/subjects/subject-draft.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudits } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inShortTransaction, inSteps } from '../database/in-steps.ts'
import type { Deps } from '../deps.ts'
import { deleteReportFiles } from '../file-responses/made-files.ts'
import type { RecordResponse } from '../http/idempotency.ts'
import { Problem, problem } from '../http/problem.ts'
import { purgeRecordedResponses } from '../http/purge-recorded-responses.ts'
import { exportFileKey } from '../images/store/image-file-keys.ts'
import { deleteStagedSubjects, enqueueFileRemoval } from './staged-subjects.ts'
import { idsTable } from './store/subject-filter.ts'

export type SubjectDeletion = {
  readonly job: JobKey
  readonly ids: readonly number[]
  readonly typed: string
  readonly user: User
}

type SubjectName = { id: number; firstName: string; lastName: string }

const lockSubjectNames = async (tx: Transaction, { job, ids }: SubjectDeletion): Promise<SubjectName[]> => {
  const { rows } = await sql<SubjectName>`
    select u.id, u.first_name as "firstName", u.last_name as "lastName" from subjects u
     where u.studio_id = ${job.studioId} and u.job_id = ${job.jobId} and u.state = 'listed' and u.id in ${idsTable(ids)}
     order by u.id for update`.execute(tx)
  return rows
}

/**
 * Reads what prevents a deletion: orders with prints that are not made yet, and payments without an outcome. Orders of
 * only digital files are no obstacle, because they are delivered when they are paid.
 */
const readObstacles = async (
  tx: Transaction,
  { job: { studioId }, ids }: SubjectDeletion,
): Promise<(SubjectName & { orderNumber: string | null })[]> => {
  const { rows } = await sql<SubjectName & { orderNumber: string | null }>`
    select distinct u.id, u.first_name as "firstName", u.last_name as "lastName", o.order_number as "orderNumber"
      from subjects u
      join order_lines l on l.studio_id = u.studio_id and l.subject_id = u.id
      join orders o on o.studio_id = l.studio_id and o.id = l.order_id
     where u.studio_id = ${studioId} and u.id in ${idsTable(ids)} and o.state not in ('shipped', 'cancelled')
       and exists (select from jsonb_array_elements(coalesce(l.content, '[]')) item
                    where item ->> 'productCode' not in ('SingleDigDown', 'WholeDigDown', 'Dj', 'Dk'))
    union all
    select distinct u.id, u.first_name, u.last_name, null
      from subjects u
      join cart_packages p on p.studio_id = u.studio_id and p.subject_id = u.id
      join carts c on c.studio_id = p.studio_id and c.id = p.cart_id
     where u.studio_id = ${studioId} and u.id in ${idsTable(ids)} and c.state = 'frozen'
    order by 1`.execute(tx)
  return rows
}

const obstacleMessage = (obstacle: SubjectName & { orderNumber: string | null }): string =>
  obstacle.orderNumber === null
    ? `${subjectFullName(obstacle)}: someone is paying for an order right now. Try again in a few minutes`
    : `${subjectFullName(obstacle)}: order ${obstacle.orderNumber} is not made yet. Cancel it, or wait until it has shipped`

/** Anonymizes the lines of orders. The orders keep items and payments, but not the subject's personal data. */
const anonymizeOrders = async (tx: Transaction, { job: { studioId }, ids }: SubjectDeletion): Promise<void> => {
  const lines = await sql<StoredOrderLine & { id: number }>`
    select id, snapshot, content from order_lines where studio_id = ${studioId} and subject_id in ${idsTable(ids)}`.execute(
    tx,
  )
  const anonymized = lines.rows.map((line) => ({ id: line.id, ...anonymizeLine(line) }))
  if (anonymized.length === 0) return
  await sql`
    update order_lines l set snapshot = x.snapshot, version = l.version + 1,
           content = case when jsonb_typeof(x.content) = 'array' then x.content end
      from jsonb_to_recordset(${JSON.stringify(anonymized)}::jsonb) as x(id bigint, snapshot jsonb, content jsonb)
     where l.studio_id = ${studioId} and l.id = x.id`.execute(tx)
}

/** Reads the keys of the print files of finished orders (shipped or cancelled), and of the manifests of packets that have only such orders. */
const readPrintFiles = async (tx: Transaction, { job: { studioId }, ids }: SubjectDeletion): Promise<string[]> => {
  const { rows } = await sql<{ prints: string; lists: string[] }>`
    select distinct k.folder_key || '/' || o.order_number || '/' as prints,
           case when not exists (
             select from packet_orders w join orders n on n.studio_id = w.studio_id and n.id = w.order_id
              where w.studio_id = k.studio_id and w.packet_id = k.id and n.state not in ('shipped', 'cancelled'))
           then jsonb_build_array(k.manifest_json_key, k.manifest_csv_key) else '[]' end as lists
      from order_lines l
      join orders o on o.studio_id = l.studio_id and o.id = l.order_id
      join packet_orders m on m.studio_id = o.studio_id and m.order_id = o.id
      join packets k on k.studio_id = m.studio_id and k.id = m.packet_id
     where l.studio_id = ${studioId} and l.subject_id in ${idsTable(ids)} and k.folder_key is not null
       and o.state in ('shipped', 'cancelled')`.execute(tx)
  return rows.flatMap(({ prints, lists }) => [prints, ...lists])
}

/** Reads the keys of the subjects' files in exports of images. */
const readExportedFiles = async (tx: Transaction, { job: { studioId }, ids }: SubjectDeletion): Promise<string[]> => {
  const { rows } = await sql<{ exportId: number; subjectId: number }>`
    select export_id as "exportId", subject_id as "subjectId" from image_export_files
     where studio_id = ${studioId} and subject_id in ${idsTable(ids)} and byte_size is not null`.execute(tx)
  return rows.map(({ exportId, subjectId }) => exportFileKey({ studioId, exportId }, subjectId))
}

const readImageIds = async (tx: Transaction, { job: { studioId }, ids }: SubjectDeletion): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from image_lookups where studio_id = ${studioId} and subject_id in ${idsTable(ids)}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** SQL for the carts with packages or order services of the subjects. */
const cartsOf = ({ job: { studioId }, ids }: SubjectDeletion): RawBuilder<unknown> => {
  const subjects = idsTable(ids)
  return sql`
    select p.cart_id from cart_packages p where p.studio_id = ${studioId} and p.subject_id in ${subjects}
    union select x.cart_id from cart_order_services x where x.studio_id = ${studioId} and x.subject_id in ${subjects}`
}

/** Deletes or blanks rows that reference the subjects and images and are not deleted by a cascade. */
const deleteReferences = async (
  tx: Transaction,
  deletion: SubjectDeletion,
  imageIds: readonly number[],
): Promise<void> => {
  const { studioId } = deletion.job
  const [subjects, images] = [idsTable(deletion.ids), idsTable(imageIds)]
  await sql`
    delete from grant_links where studio_id = ${studioId} and grant_id in (
      select g.grant_id from session_grants g where g.studio_id = ${studioId} and g.subject_id in ${subjects})`.execute(
    tx,
  )
  await sql`
    delete from download_links where studio_id = ${studioId} and link_id in (
      select d.link_id from downloads d
       where d.studio_id = ${studioId} and (d.subject_id in ${subjects} or d.image_id in ${images}))`.execute(tx)
  // Deletes import rows with their names, including refused and duplicate rows.
  await sql`
    delete from import_rows where studio_id = ${studioId} and (import_id, row_number) in (
      select r.import_id, r.row_number from import_rows r where r.studio_id = ${studioId} and r.subject_id in ${subjects}
      union
      select r.import_id, r.row_number from subjects u
        join imports i on i.studio_id = u.studio_id and i.job_id = u.job_id
        join import_rows r on r.studio_id = i.studio_id and r.import_id = i.id
         and lower(r.details ->> 'firstName') = lower(u.first_name) and lower(r.details ->> 'lastName') = lower(u.last_name)
       where u.studio_id = ${studioId} and u.id in ${subjects})`.execute(tx)
  await sql`update uploads set file_name = '' where studio_id = ${studioId} and image_id in ${images}`.execute(tx)
  await sql`delete from processing_log where studio_id = ${studioId} and image_id in ${images}`.execute(tx)
  // A new version of the cart lets a device that syncs such a line find that it was deleted.
  await sql`
    update carts set version = version + 1 where studio_id = ${studioId} and state <> 'ordered' and id in (${cartsOf(deletion)})`.execute(
    tx,
  )
}

/** Stops the reminders of the subjects' carts, and deletes their addresses. */
const stopReminders = async (tx: Transaction, deps: Deps, deletion: SubjectDeletion): Promise<void> => {
  await sql`
    update reminders set email = '', unsubscribed_at = coalesce(unsubscribed_at, ${deps.clock()}::timestamptz)
     where studio_id = ${deletion.job.studioId} and cart_id in (${cartsOf(deletion)})`.execute(tx)
}

/**
 * Deletes the saved reports that search for the subjects or for customers of their orders, or are named after them, and files of reports
 * that do so or list the subjects of the job.
 */
const deleteReports = async (tx: Transaction, deps: Deps, { job, ids }: SubjectDeletion): Promise<void> => {
  const { studioId, jobId } = job
  const persons = await sql<NameAndEmail>`
    select first_name as "firstName", last_name as "lastName", null as email from subjects
     where studio_id = ${studioId} and id in ${idsTable(ids)}
    union
    select o.first_name, o.last_name, o.email from order_lines l
      join orders o on o.studio_id = l.studio_id and o.id = l.order_id
     where l.studio_id = ${studioId} and l.subject_id in ${idsTable(ids)}`.execute(tx)
  const ofStudio = tx.selectFrom('saved_reports').where('studio_id', '=', studioId)
  const reports = await ofStudio.select(['id', 'name', 'choices']).execute()
  const deleted = reports.filter((report) => persons.rows.some((person) => mentionsName(report, person)))
  await sql`
    delete from saved_reports where studio_id = ${studioId} and id in ${idsTable(deleted.map(({ id }) => id))}`.execute(
    tx,
  )
  const isOfStudio = sql<boolean>`(f.studio_id = ${studioId} or f.studio_id is null)`
  const files = await tx.selectFrom('report_files as f').where(isOfStudio).select(['id', 'request']).execute()
  const mentioning = files.filter(({ request: { filterType: type, filter } }) =>
    persons.rows.some((person) => mentionsName({ name: '', choices: { type, filter } }, person)),
  )
  await deleteReportFiles(
    tx,
    deps,
    sql`${isOfStudio} and (f.id in ${idsTable(mentioning.map(({ id }) => id))}
      or (f.report in ('subjects', 'yearbook') and (f.request ->> 'jobId')::bigint = ${jobId}))`,
  )
}

/** Deletes pending uploads of the subjects, so that they never become images; returns their files. */
const deletePendingUploads = async (
  tx: Transaction,
  { job: { studioId }, ids }: SubjectDeletion,
): Promise<string[]> => {
  const { rows } = await sql<{ keys: string[] }>`
    delete from uploads where studio_id = ${studioId} and subject_id in ${idsTable(ids)} and image_id is null
    returning jsonb_path_query_array(parts, '$[*].key') || to_jsonb(array_remove(array[file_key], null)) as keys`.execute(
    tx,
  )
  return rows.flatMap(({ keys }) => keys)
}

/** Deletes what others could still read or order, and hides the subjects, whose remaining rows are deleted afterwards. */
const stageSubjects = async (
  tx: Transaction,
  deps: Deps,
  { job: { studioId }, ids }: SubjectDeletion,
): Promise<void> => {
  const subjects = idsTable(ids)
  for (const table of ['session_grants', 'image_shares', 'cart_packages', 'cart_order_services', 'image_export_files'])
    await sql`delete from ${sql.table(table)} where studio_id = ${studioId} and subject_id in ${subjects}`.execute(tx)
  await sql`
    update subjects set state = 'staged', reference = null, created_at = ${deps.clock()}
     where studio_id = ${studioId} and id in ${subjects}`.execute(tx)
}

/** Deletes everything except the subjects' own rows, which it stages, all or none; returns how many subjects were deleted. */
const deleteData = async (
  tx: Transaction,
  deps: Deps,
  deletion: SubjectDeletion,
): Promise<number | Problem<'not-found' | 'refused'>> => {
  const { job, ids, typed, user } = deletion
  const { studioId } = job
  await lockJob(tx, job)
  const subjects = await lockSubjectNames(tx, deletion)
  if (subjects.length < new Set(ids).size) return problem('not-found', 'Not all of these people are here any more')
  if (!isPurgeConfirmed(subjects, typed)) {
    return problem('refused', 'Nothing was deleted', {
      fields: { typed: [`Type ${purgeConfirmation(subjects)} to confirm`] },
    })
  }
  const obstacles = await readObstacles(tx, deletion)
  if (obstacles.length > 0) return problem('refused', [...new Set(obstacles.map(obstacleMessage))])
  const imageIds = await readImageIds(tx, deletion)
  const files = [
    ...(await readPrintFiles(tx, deletion)),
    ...(await readExportedFiles(tx, deletion)),
    ...(await deletePendingUploads(tx, deletion)),
  ]
  await purgeRecordedResponses(tx, job)
  await anonymizeOrders(tx, deletion)
  await stopReminders(tx, deps, deletion)
  await deleteReferences(tx, deletion, imageIds)
  await deleteReports(tx, deps, deletion)
  await stageSubjects(tx, deps, deletion)
  await enqueueFileRemoval(tx, deps, files)
  const lines = subjects.map(({ id }) => ({ entityId: String(id), detail: { images: imageIds.length } }))
  await recordAudits(tx, deps, { studioId, action: 'subject.erased', lines, userId: user.id })
  return subjects.length
}

/**
 * Deletes subjects and their data permanently, all or none, in steps; returns how many subjects were deleted. The first step decides: then
 * no one sees the subjects, and their rows are staged, so that a start deletes what an interrupted call left. Their fields, groups, codes,
 * images, check-ins and downloads are deleted by a cascade; files are removed after the commit.
 */
export const deleteSubjects = (
  deps: Deps,
  deletion: SubjectDeletion,
  recordResponse: RecordResponse,
): Promise<{ count: number } | Problem<'not-found' | 'refused'>> =>
  inSteps(deps, {
    work: async (runStep) => {
      const outcome = await runStep(async (tx) => {
        const count = await deleteData(tx, deps, deletion)
        if (count instanceof Problem) return count
        await recordResponse(tx, { count })
        return { count }
      })
      if (!(outcome instanceof Problem)) await deleteStagedSubjects(runStep, deps, deletion.ids)
      return outcome
    },
    undo: () => deleteStagedSubjects((step) => inShortTransaction(deps, step), deps, deletion.ids),
  })
