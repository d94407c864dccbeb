import { sql } from 'kysely'
import type { CheckoutDetails } from '#contract/customer/checkout-calls.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { Transaction } from '#server/database/database.ts'
import { type JobServicesRow, jobServices, servicesOfRow } from '#server/jobs/store/job-services.ts'
import type { PaymentAttempt } from '../attempts/payment-attempts.ts'

/** The data from which an order is created, except its cart. */
export type OrderBasis = {
  details: CheckoutDetails
  orderMethod: OrderMethod
  jobVersion: string
  shippingCode: string | null
  services: JobServices
}

export const readOrderBasis = async (tx: Transaction, attempt: PaymentAttempt): Promise<OrderBasis> => {
  const { rows } = await sql<Omit<OrderBasis, 'services'> & { services: JobServicesRow }>`
    select k.details, c.order_method as "orderMethod", j.version_major || '.' || j.version_minor as "jobVersion",
           case when (k.details ->> 'isPartOfBatchOrder')::boolean
                then (select o.code from shipping_options o where o.ships_to = 'studio' and o.archived_at is null
                       order by o.position, o.id limit 1)
                else (select o.code from shipping_options o where o.code = k.details -> 'shippingOption' ->> 'code') end
             as "shippingCode",
           ${jobServices} as services
      from payment_attempts a
      join checkouts k on k.studio_id = a.studio_id and k.id = a.checkout_id
      join carts c on c.studio_id = k.studio_id and c.id = k.cart_id
      join jobs j on j.studio_id = c.studio_id and j.id = c.job_id
     where a.studio_id = ${attempt.studioId} and a.id = ${attempt.attemptId}`.execute(tx)
  const [basis] = rows
  if (!basis) throw new Error(`attempt ${attempt.attemptId} has no checkout`)
  return { ...basis, services: servicesOfRow(basis.services) }
}
