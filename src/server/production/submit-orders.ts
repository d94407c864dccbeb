import { sql } from 'kysely'
import { normaliseOrderNumber } from '#domain/orders/order-number.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { lockLabOrders, singleOrderLabBlocker } from '../orders/store/lab-orders.ts'
import { submitToLab } from './submit-to-lab.ts'

type SubmitOrdersRequest = { readonly job: JobKey; readonly orderNumbers: readonly string[]; readonly user: User }

/** Submits single orders to the lab, all or none, and enqueues their packet. Returns the packet's id. */
export const submitOrders = (
  deps: Deps,
  { job, orderNumbers, user }: SubmitOrdersRequest,
): Promise<number | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const numbers = [...new Set(orderNumbers.map((input) => normaliseOrderNumber(input) ?? input))]
    const orders = await lockLabOrders(tx, job, sql`o.order_number in (${sql.join(numbers)})`)
    if (orders.length < numbers.length) return problem('not-found', 'Not all of these orders are here')
    return await submitToLab(tx, deps, { job, user, batchId: null, orders, blockerOf: singleOrderLabBlocker })
  })
