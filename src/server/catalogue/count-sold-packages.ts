import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/**
 * Counts the pieces of each package that were ordered in the last year, without cancelled orders. Customers see which one
 * is the most popular, never how many.
 */
export const countSoldPackages = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await sql`
    update packages p set sold_count = sold.pieces
      from (select each.studio_id, each.id, coalesce(sum(l.quantity) filter (where o.id is not null), 0)::integer as pieces
              from packages each
              left join order_lines l on l.studio_id = each.studio_id and l.package_id = each.id
              left join orders o on o.studio_id = l.studio_id and o.id = l.order_id and o.state <> 'cancelled'
                                and o.placed_at > ${clock()}::timestamptz - interval '1 year'
             group by each.studio_id, each.id) as sold
     where p.studio_id = sold.studio_id and p.id = sold.id and p.sold_count <> sold.pieces`.execute(db)
}
