import { sql } from 'kysely'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { chooseOrderMethod } from '#domain/catalogue/job-availability.ts'
import type { JobSession } from '#server/access/grants/grants.ts'
import type { Deps } from '#server/deps.ts'
import {
  hasPublishedImages,
  type OrderAvailabilityRow,
  orderAvailabilityColumns,
  orderAvailabilityOf,
} from '#server/jobs/store/order-availability.ts'
import type { CartRef } from './read-cart.ts'

type CartMethodRow = OrderAvailabilityRow & { has_published_images: boolean; methods_with_lines: OrderMethod[] }

const readStanding = async ({ db, clock }: Deps, { session, job }: JobSession): Promise<CartMethodRow | undefined> => {
  const now = clock()
  const { rows } = await sql<CartMethodRow>`
    select ${orderAvailabilityColumns(now)},
           ${hasPublishedImages(now)} as has_published_images,
           (select coalesce(json_agg(c.order_method), '[]') from carts c
             where c.studio_id = j.studio_id and c.job_id = j.id and c.session_id = ${session.id} and c.state <> 'ordered'
               and exists (select from cart_packages p where p.studio_id = c.studio_id and p.cart_id = c.id))
             as methods_with_lines
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${job.studioId} and j.id = ${job.jobId}`.execute(db)
  return rows[0]
}

/**
 * The order method of a call that names none, chosen as the device chooses it (section 4, order method): the method of the session's only
 * cart with lines. Where ordering is closed, that cart stays readable; without one it is an empty gallery order.
 */
const defaultMethod = (deps: Deps, visit: JobSession, standing: CartMethodRow | undefined): OrderMethod => {
  if (!standing) return 'gallery'
  const { has_published_images: isPhotographed, methods_with_lines: withLines } = standing
  const [only = null] = withLines.length === 1 ? withLines : []
  const availability = orderAvailabilityOf(standing, deps.clock())
  const { method, warning } = chooseOrderMethod({
    cartWithLines: only,
    availability,
    hasPublishedImages: isPhotographed,
  })
  if (warning) deps.log.warn({ jobId: visit.job.jobId }, warning)
  return method === 'unknown' ? (only ?? 'gallery') : method
}

/** Which of the session's carts a call concerns: the named one, else the one the customer currently sees. */
export const resolveCart = async (deps: Deps, visit: JobSession, named: OrderMethod | undefined): Promise<CartRef> => ({
  ...visit,
  orderMethod: named ?? defaultMethod(deps, visit, await readStanding(deps, visit)),
})

/**
 * The same for a call that removes lines: undefined where two carts have lines and none is named. Otherwise a repeated request would empty
 * one cart and then change the other.
 */
export const resolveOnlyCart = async (
  deps: Deps,
  visit: JobSession,
  named: OrderMethod | undefined,
): Promise<CartRef | undefined> => {
  if (named !== undefined) return { ...visit, orderMethod: named }
  const standing = await readStanding(deps, visit)
  if (standing && standing.methods_with_lines.length > 1) return undefined
  return { ...visit, orderMethod: defaultMethod(deps, visit, standing) }
}
