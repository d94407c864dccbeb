import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '#server/deps.ts'

/** The columns of `job_counts` that are added up; see the migration `counts.ts`. */
const countColumns = [
  ...['subjects', 'with_images', 'ordered', 'images', 'unmatched_images', 'orders', 'order_cents', 'placed_orders'],
  ...['batched_orders', 'awaiting_poses', 'prepay_orders', 'gallery_orders', 'in_batch_orders', 'unbatched_orders'],
  'submitted_orders',
]

const sums = (format: (column: string) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(countColumns.map(format))

/** Joins to jobs `j` their counts as `k`: of subjects, images and orders. */
export const joinJobCounts: RawBuilder<unknown> = sql`
  cross join lateral (
    select ${sums((column) => sql`coalesce(sum(${sql.ref(column)}), 0)::bigint as ${sql.ref(column)}`)}
      from job_counts where studio_id = j.studio_id and job_id = j.id) k`

/** Adds up the rows of finished transactions into one row per job. The sums do not change. */
export const mergeJobCounts = async ({ db }: Pick<Deps, 'db'>): Promise<void> => {
  await sql`
    with merged as (delete from job_counts where transaction <> '0' returning *)
    insert into job_counts (studio_id, job_id, transaction, ${sums(sql.ref)})
    select studio_id, job_id, '0', ${sums((column) => sql`sum(${sql.ref(column)})`)}
      from merged group by studio_id, job_id order by studio_id, job_id
    on conflict (studio_id, job_id, transaction) do update
       set ${sums((column) => sql`${sql.ref(column)} = job_counts.${sql.ref(column)} + excluded.${sql.ref(column)}`)}`.execute(
    db,
  )
}
