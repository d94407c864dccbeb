import { sql } from 'kysely'
import { countColumn, dateColumn, moneyColumn, textColumn } from '#server/file-responses/table-files.ts'
import { sharedMoney } from '../moved-money.ts'
import type { ReportDefinition, ReportScope } from '../report-scope.ts'

const nameColumns = [
  textColumn('lastName', 'Last name'),
  textColumn('firstName', 'First name'),
  textColumn('groups', 'Groups'),
]

/** The names of the groups of subject `u`. */
const groupNames = sql`
  coalesce((select string_agg(q.name, ', ' order by q.position, q.name) from subject_groups m
    join groups q on q.studio_id = m.studio_id and q.id = m.group_id
   where m.studio_id = u.studio_id and m.subject_id = u.id), '')`

const isListed = ({ studioId, jobId }: ReportScope) =>
  sql`u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed'`

export const subjects: ReportDefinition = {
  columns: [
    ...nameColumns,
    textColumn('reference', 'Reference'),
    textColumn('code', 'Code'),
    countColumn('images', 'Images'),
    textColumn('ordered', 'Ordered'),
    countColumn('orders', 'Orders'),
    moneyColumn('spent', 'Spent'),
  ],
  // What belongs to none of the subjects is in a last row, so that the amounts add up to those of the job.
  rows: (scope) => sql`
    with ${sharedMoney(scope)},
    spent as (
      select h.subject_id, sum(h.goods_share + h.tax_share)::bigint as cents, count(distinct h.order_id) filter (where h.is_first) as orders
        from shares h where h.subject_id is not null group by h.subject_id),
    people as (
      select 0 as part, u.id, u.last_name as "lastName", u.first_name as "firstName", u.last_key, u.first_key, ${groupNames} as groups,
             coalesce(u.reference, '') as reference,
             coalesce((select c.code from access_codes c where c.studio_id = u.studio_id and c.subject_id = u.id), '') as code,
             (select count(*) from image_lookups i where i.studio_id = u.studio_id and i.subject_id = u.id and i.state = 'ready'
                 and i.superseded_at is null) as images,
             case when exists (select from order_lines l join orders o on o.studio_id = l.studio_id and o.id = l.order_id
                                where l.studio_id = u.studio_id and l.subject_id = u.id and o.state <> 'cancelled')
                  then 'Yes' else 'No' end as ordered,
             coalesce(p.orders, 0) as orders, coalesce(p.cents, 0) as spent
        from subjects u left join spent p on p.subject_id = u.id where ${isListed(scope)})
    select * from people
    union all
    select 1, 0, 'Shipping and others', '', '', '', '', '', '', 0, '', 0, (rest.cents)::bigint
      from (select coalesce((select sum(m.cents) from moved m), 0) - coalesce((select sum(p.spent) from people p), 0) as cents) rest
     where rest.cents <> 0`,
  order: sql`part, last_key, first_key, id`,
  keyColumn: 'spent',
}

export const yearbook: ReportDefinition = {
  columns: [
    ...nameColumns,
    textColumn('reference', 'Reference'),
    textColumn('pose', 'Pose'),
    dateColumn('chosen', 'Chosen on'),
    textColumn('by', 'Chosen by'),
    textColumn('choice', 'Choice'),
  ],
  rows: (scope) => sql`
    select u.id, u.last_name as "lastName", u.first_name as "firstName", u.last_key, u.first_key, ${groupNames} as groups,
           coalesce(u.reference, '') as reference, coalesce(i.file_name, '') as pose,
           (y.chosen_at at time zone s.time_zone)::date as chosen,
           case when y.subject_id is null then '' else coalesce(w.name, 'Customer') end as by,
           case when y.subject_id is null then 'Not chosen' else 'Chosen' end as choice
      from subjects u join studios s on s.id = u.studio_id
      left join year_book_poses y on y.studio_id = u.studio_id and y.subject_id = u.id
      left join image_lookups i on i.studio_id = y.studio_id and i.id = y.image_id
      left join users w on w.id = y.chosen_by
     where ${isListed(scope)} and u.hidden_at is null`,
  order: sql`last_key, first_key, id`,
  keyColumn: 'choice',
}
