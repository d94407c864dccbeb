import { type RawBuilder, sql } from 'kysely'
import type { OrderFilter, SelectedOrders } from '#contract/studio/order-lists.ts'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import type { OrderView } from '#domain/orders/order-states.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import { likePattern } from '#server/http/paging/paginate-query.ts'

/** The default order method of job `j`: prepay, unless the job has only a gallery. */
export const defaultOrderMethod = sql<'prepay' | 'gallery'>`
  case when j.gallery_enabled and not j.prepay_enabled then 'gallery' else 'prepay' end`

const defaultMethodOf = ({ studioId, jobId }: JobKey): RawBuilder<unknown> =>
  sql`(select ${defaultOrderMethod} from jobs j where j.studio_id = ${studioId} and j.id = ${jobId})`

/** Whether order `o` is not in a batch and not at the lab; includes orders that were removed from their batch. */
export const isUnbatched = sql<boolean>`(o.batch_id is null and o.state in ('placed', 'batched'))`
const isAtLab = sql<boolean>`(o.state in ('submitted', 'inProduction', 'shipped'))`

const isInView = (job: JobKey, view: OrderView, method: string | undefined): RawBuilder<unknown> => {
  if (view === 'prepay') return sql`o.order_method = ${method === undefined ? defaultMethodOf(job) : sql`${method}`}`
  if (view === 'batch') return sql`o.batch_id is not null`
  return view === 'individual' ? isUnbatched : isAtLab
}

/** Whether order `o` is for a subject with this name. Scans the subjects of the job once, and not once per order. */
const isForSubject = ({ studioId, jobId }: JobKey, key: string) => sql`o.id in (
  select l.order_id from subjects u
    join order_lines l on l.studio_id = u.studio_id and l.subject_id = u.id
   where u.studio_id = ${studioId} and u.job_id = ${jobId} and (u.first_key || ' ' || u.last_key) like ${likePattern(key)})`

const matchesWord = (job: JobKey, word: string): RawBuilder<unknown> => {
  const key = searchKey(word)
  const forms = [...new Set([word, normaliseOrderNumber(word) ?? word].map((form) => form.toLowerCase()))]
  const conditions = [
    ...forms.map((form) => sql`o.sought_key like ${likePattern(form)}`),
    ...(key === '' ? [] : [isForSubject(job, key)]),
  ]
  return sql`(${sql.join(conditions, sql` or `)})`
}

const waitingConditions = { poses: sql`o.awaits_poses`, nothing: sql`not o.awaits_poses` } as const

/** Whether order `o` belongs to the job and matches a filter. */
export const matchesOrderFilter = (job: JobKey, orderFilter: OrderFilter): RawBuilder<boolean> => {
  const { filter = '', view, method, state, waiting, batchId, packetId } = orderFilter
  const conditions = [
    sql`o.studio_id = ${job.studioId} and o.job_id = ${job.jobId}`,
    ...(view === undefined ? [] : [isInView(job, view, method)]),
    ...(method === undefined ? [] : [sql`o.order_method = ${method}`]),
    ...(state === undefined ? [] : [sql`o.state = ${state}`]),
    ...(waiting === undefined ? [] : [sql`o.state in ('placed', 'batched') and ${waitingConditions[waiting]}`]),
    ...(batchId === undefined ? [] : [sql`o.batch_id = ${batchId}`]),
    ...(packetId === undefined
      ? []
      : [
          sql`o.id in (select m.order_id from packet_orders m where m.studio_id = ${job.studioId} and m.packet_id = ${packetId})`,
        ]),
    ...filter.split(/\s+/).flatMap((word) => (word === '' ? [] : [matchesWord(job, word)])),
  ]
  return sql`${sql.join(conditions, sql` and `)}`
}

/** Whether order `o` is selected by a request. */
export const isSelectedOrder = (job: JobKey, selected: SelectedOrders): RawBuilder<boolean> => {
  if ('matching' in selected) return matchesOrderFilter(job, selected.matching)
  const numbers = selected.orderNumbers.map((input) => normaliseOrderNumber(input) ?? input)
  return sql`${matchesOrderFilter(job, {})} and o.order_number in (${sql.join(numbers)})`
}
