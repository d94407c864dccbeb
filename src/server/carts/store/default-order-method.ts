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

const readMethodRow = async ({ db, clock }: Deps, { session, job }: JobSession): Promise<CartMethodRow | undefined> => {
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
 * The order method of a call without one, chosen by the rules of the device (section 4, order method). Where ordering
 * is closed, it is the method of the session's only cart with lines, which stays readable; without such a cart it is
 * the gallery.
 */
const defaultMethod = (deps: Deps, jobSession: JobSession, methodRow: CartMethodRow | undefined): OrderMethod => {
  if (!methodRow) return 'gallery'
  const { has_published_images: hasPublished, methods_with_lines: methodsWithLines } = methodRow
  const [onlyMethod = null] = methodsWithLines.length === 1 ? methodsWithLines : []
  const availability = orderAvailabilityOf(methodRow, deps.clock())
  const { method, warning } = chooseOrderMethod({
    preferredMethod: onlyMethod,
    availability,
    hasPublishedImages: hasPublished,
  })
  if (warning) deps.log.warn({ jobId: jobSession.job.jobId }, warning)
  return method === 'unknown' ? (onlyMethod ?? 'gallery') : method
}

/**
 * Returns the cart that a call concerns: that of the requested method, else the one that the customer currently sees.
 */
export const resolveCart = async (
  deps: Deps,
  jobSession: JobSession,
  requestedMethod: OrderMethod | undefined,
): Promise<CartRef> => ({
  ...jobSession,
  orderMethod: requestedMethod ?? defaultMethod(deps, jobSession, await readMethodRow(deps, jobSession)),
})

/**
 * The same for a call that removes lines: undefined where two carts have lines and no method is requested. Otherwise a
 * retry could empty the second cart after the first.
 */
export const resolveOnlyCart = async (
  deps: Deps,
  jobSession: JobSession,
  requestedMethod: OrderMethod | undefined,
): Promise<CartRef | undefined> => {
  if (requestedMethod !== undefined) return { ...jobSession, orderMethod: requestedMethod }
  const methodRow = await readMethodRow(deps, jobSession)
  if (methodRow && methodRow.methods_with_lines.length > 1) return undefined
  return { ...jobSession, orderMethod: defaultMethod(deps, jobSession, methodRow) }
}
