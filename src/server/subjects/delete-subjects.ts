import { sql } from 'kysely'
import { anonymizeLine, type StoredOrderLine } from '#domain/orders/anonymize-line.ts'
import { isPurgeConfirmed, purgeConfirmation, subjectFullName } from '#domain/subjects/subject-draft.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { purgeRecordedResponses } from '../http/purge-recorded-responses.ts'
import { lockJobSubjects } from './lock-subjects.ts'
import { idsTable } from './subject-filter.ts'

export type SubjectDeletion = {
  readonly job: JobKey
  readonly ids: readonly number[]
  readonly typed: string
  readonly user: User
}

type SubjectName = { id: number; firstName: string; lastName: string }

const lockPeople = async (tx: Transaction, { job, ids }: SubjectDeletion): Promise<SubjectName[]> => {
  const { rows } = await sql<SubjectName>`
    select u.id, u.first_name as "firstName", u.last_name as "lastName" from subjects u
     where u.studio_id = ${job.studioId} and u.job_id = ${job.jobId} and u.state = 'listed' and u.id in ${idsTable(ids)}
     order by u.id for update`.execute(tx)
  return rows
}

/** Prints of theirs that are not made yet, and payments whose outcome is not known; files alone were delivered as they were paid. */
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

const whyNot = (obstacle: SubjectName & { orderNumber: string | null }): string =>
  obstacle.orderNumber === null
    ? `${subjectFullName(obstacle)}: somebody is paying for an order at this moment. Try again in a few minutes`
    : `${subjectFullName(obstacle)}: order ${obstacle.orderNumber} is not made yet. Cancel it, or wait until it has shipped`

/** Orders keep what was sold and paid; who was pictured is struck from them. */
const strikeFromOrders = async (tx: Transaction, { job: { studioId }, ids }: SubjectDeletion): Promise<void> => {
  const lines = await sql<StoredOrderLine & { id: number }>`
    select id, snapshot, content from order_lines where studio_id = ${studioId} and subject_id in ${idsTable(ids)}`.execute(
    tx,
  )
  const struck = lines.rows.map((line) => ({ id: line.id, ...anonymizeLine(line) }))
  if (struck.length === 0) return
  await sql`
    update order_lines l set snapshot = x.snapshot, version = l.version + 1,
           content = case when jsonb_typeof(x.content) = 'array' then x.content end
      from jsonb_to_recordset(${JSON.stringify(struck)}::jsonb) as x(id bigint, snapshot jsonb, content jsonb)
     where l.studio_id = ${studioId} and l.id = x.id`.execute(tx)
}

/** Print files of their orders, and what lists them once nothing of the packet is still to be made. */
const printFilesOf = async (tx: Transaction, { job: { studioId }, ids }: SubjectDeletion): Promise<string[]> => {
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

const picturesOf = async (tx: Transaction, { job: { studioId }, ids }: SubjectDeletion) => {
  type Stored = {
    id: number
    originalKey: string
    cutOutKey: string | null
    uploadedKey: string | null
  }
  const { rows } = await sql<Stored>`
    select id, original_key as "originalKey", cut_out_key as "cutOutKey", uploaded_key as "uploadedKey" from image_lookups
     where studio_id = ${studioId} and subject_id in ${idsTable(ids)}`.execute(tx)
  return rows
}

/** What points at people and pictures without being of them, and would stay behind. */
const forgetTraces = async (
  tx: Transaction,
  { job: { studioId }, ids }: SubjectDeletion,
  imageIds: readonly number[],
): Promise<void> => {
  const [people, pictures] = [idsTable(ids), idsTable(imageIds)]
  await sql`
    delete from grant_links where studio_id = ${studioId} and grant_id in (
      select g.grant_id from session_grants g where g.studio_id = ${studioId} and g.subject_id in ${people})`.execute(
    tx,
  )
  await sql`
    delete from download_links where studio_id = ${studioId} and link_id in (
      select d.link_id from downloads d
       where d.studio_id = ${studioId} and (d.subject_id in ${people} or d.image_id in ${pictures}))`.execute(tx)
  // Rows of lists that name them, those that were refused or came twice, too.
  await sql`
    delete from import_rows r using imports i, subjects u
     where r.studio_id = ${studioId} and i.studio_id = r.studio_id and i.id = r.import_id
       and u.studio_id = r.studio_id and u.job_id = i.job_id and u.id in ${people}
       and (r.subject_id = u.id or (lower(r.person ->> 'firstName') = lower(u.first_name)
                                    and lower(r.person ->> 'lastName') = lower(u.last_name)))`.execute(tx)
  await sql`update uploads set file_name = '' where studio_id = ${studioId} and image_id in ${pictures}`.execute(tx)
  await sql`delete from processing_log where studio_id = ${studioId} and image_id in ${pictures}`.execute(tx)
  // A device that comes back with a line of theirs hears that it is gone.
  await sql`
    update carts set version = version + 1 where studio_id = ${studioId} and state <> 'ordered' and id in (
      select p.cart_id from cart_packages p where p.studio_id = ${studioId} and p.subject_id in ${people}
      union select x.cart_id from cart_order_services x where x.studio_id = ${studioId} and x.subject_id in ${people})`.execute(
    tx,
  )
}

/** Files of theirs that are on their way are nobody's from now on, so none of them comes; gives what there is of them. */
const endUploads = async (tx: Transaction, { job: { studioId }, ids }: SubjectDeletion): Promise<string[]> => {
  const { rows } = await sql<{ keys: string[] }>`
    delete from uploads where studio_id = ${studioId} and subject_id in ${idsTable(ids)} and image_id is null
    returning jsonb_path_query_array(parts, '$[*].key') || to_jsonb(array_remove(array[file_key], null)) as keys`.execute(
    tx,
  )
  return rows.flatMap(({ keys }) => keys)
}

const isFolder = (key: string): boolean => key.endsWith('/')

/** All that is stored of a picture: the folder it has to itself, or its one file. */
const filesOfPicture = (originalKey: string): string => originalKey.replace(/\/(?:original|cut-out-[0-9a-f]+)$/, '/')

const removeFilesLater = async (tx: Transaction, { jobs }: Deps, keys: readonly string[]): Promise<void> => {
  const together = 100
  for (let first = 0; first < keys.length; first += together) {
    const part = keys.slice(first, first + together)
    const folders = part.filter(isFolder)
    await jobs.enqueue(tx, 'remove-files', { folders, keys: part.filter((key) => !isFolder(key)) })
  }
}

/**
 * Deletes families' data for good, all or none; gives how many people are gone. Fields, groups, codes, grants, carts' lines, check-ins
 * and downloads go with their person by cascade; files once this is committed.
 */
export const deleteSubjects = async (
  tx: Transaction,
  deps: Deps,
  erasing: SubjectDeletion,
): Promise<number | Problem<'not-found' | 'refused'>> => {
  const { job, ids, typed, user } = erasing
  const { studioId } = job
  await lockJobSubjects(tx, job)
  const people = await lockPeople(tx, erasing)
  if (people.length < new Set(ids).size) return problem('not-found', 'Not all of these people are here any more')
  if (!isPurgeConfirmed(people, typed)) {
    return problem('refused', 'Nothing was deleted', {
      fields: { typed: [`Type ${purgeConfirmation(people)} to confirm`] },
    })
  }
  const obstacles = await readObstacles(tx, erasing)
  if (obstacles.length > 0) return problem('refused', [...new Set(obstacles.map(whyNot))])
  const pictures = await picturesOf(tx, erasing)
  const pictureFiles = pictures.flatMap(({ originalKey, cutOutKey, uploadedKey }) =>
    [filesOfPicture(originalKey), cutOutKey ?? [], uploadedKey ?? []].flat(),
  )
  const files = [...pictureFiles, ...(await printFilesOf(tx, erasing)), ...(await endUploads(tx, erasing))]
  const imageIds = pictures.map(({ id }) => id)
  await purgeRecordedResponses(tx, job)
  await strikeFromOrders(tx, erasing)
  await forgetTraces(tx, erasing, imageIds)
  await sql`delete from subjects where studio_id = ${studioId} and id in ${idsTable(ids)}`.execute(tx)
  await removeFilesLater(tx, deps, files)
  for (const { id } of people) {
    const detail = { pictures: pictures.length }
    await recordAudit(tx, deps, { studioId, action: 'subject.erased', entityId: String(id), detail, userId: user.id })
  }
  return people.length
}
