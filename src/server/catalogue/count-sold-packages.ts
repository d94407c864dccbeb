import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/**
 * Counts the pieces of each package that were ordered in the last year, without cancelled orders, studio by studio.
 * Customers see which one is the most popular, never how many.
 */
export const countSoldPackages = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const studios = await db.selectFrom('studios').select('id').orderBy('id').execute()
  for (const { id: studioId } of studios) {
    await sql`
      update packages p set sold_count = counted.pieces
        from (select each.id, coalesce(sold.pieces, 0)::integer as pieces
                from packages each
                left join (select l.package_id, sum(l.quantity) as pieces
                             from orders o join order_lines l on l.studio_id = o.studio_id and l.order_id = o.id
                            where o.studio_id = ${studioId} and o.state <> 'cancelled' and l.package_id is not null
                              and o.placed_at > ${clock()}::timestamptz - interval '1 year'
                            group by l.package_id) as sold on sold.package_id = each.id
               where each.studio_id = ${studioId}) as counted
       where p.studio_id = ${studioId} and p.id = counted.id and p.sold_count <> counted.pieces`.execute(db)
  }
}
