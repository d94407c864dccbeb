import { sql } from 'kysely'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { Db } from '#server/database/database.ts'

/** A line by its own id or by the id of one of its nodes. */
export type LineRef = { cartPackageId: number } | { textNodeId: number } | { imageNodeId: number }

const matchesRef = (lineRef: LineRef) => {
  if ('cartPackageId' in lineRef) return sql`p.id = ${lineRef.cartPackageId}`
  if ('textNodeId' in lineRef) {
    return sql`p.id = (select n.cart_package_id from cart_text_nodes n
                        where n.studio_id = p.studio_id and n.id = ${lineRef.textNodeId})`
  }
  return sql`p.id = (select n.cart_package_id from cart_image_nodes n
                      where n.studio_id = p.studio_id and n.id = ${lineRef.imageNodeId})`
}

/**
 * Finds a line in this session's carts of the job that are not ordered yet (open or frozen); a line of another session
 * or of an order is not found.
 */
export const findLine = async (
  db: Db,
  { session, job }: JobSession,
  lineRef: LineRef,
): Promise<{ lineId: string; orderMethod: OrderMethod } | undefined> => {
  const { rows } = await sql<{ lineId: string; orderMethod: OrderMethod }>`
    select p.line_id as "lineId", c.order_method as "orderMethod"
      from carts c join cart_packages p on p.studio_id = c.studio_id and p.cart_id = c.id
     where c.studio_id = ${job.studioId} and c.session_id = ${session.id} and c.job_id = ${job.jobId}
       and c.state <> 'ordered' and ${matchesRef(lineRef)}`.execute(db)
  return rows[0]
}
