import type { TaxCallRow } from '#contract/system/call-logs.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { taxRequestOfOrder } from '#server/orders/store/reprice-order.ts'
import { readSoldOrder } from '#server/orders/store/sold-order.ts'
import type { TaxRequest } from '#server/ports/tax.ts'

type CheckoutKey = { readonly studioId: number; readonly checkoutId: string }

/** What the checkout computes, which is handed in. */
export type TaxOfCheckout = {
  /** The request for the tax of a cart that is not ordered yet. */
  readonly taxRequestOfCheckout: (deps: Deps, key: CheckoutKey) => Promise<TaxRequest | undefined>
}

const messages = {
  answered: 'This request was answered',
  gone: 'Its order or cart no longer exists, or has no address',
  noService: 'No tax service is set up: taxes are by the rates table',
} as const

/** The request for the tax of the order of a checkout, or of its cart, as it is now. */
const currentRequest = async (
  deps: Deps,
  { taxRequestOfCheckout }: TaxOfCheckout,
  { studioId, checkoutId }: CheckoutKey,
): Promise<TaxRequest | undefined> => {
  const order = await deps.db
    .selectFrom('orders')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirst()
  if (!order) return await taxRequestOfCheckout(deps, { studioId, checkoutId })
  const key = { studioId, orderId: order.id }
  const sold = await inTransaction(deps.db, (tx) => readSoldOrder(tx, key))
  return sold && taxRequestOfOrder(key, sold)
}

type Repeat = {
  readonly id: number
  readonly user: User
  readonly checkout: TaxOfCheckout
  readonly read: (id: number) => Promise<TaxCallRow | undefined>
}

/** Repeats a failed request. Its answer is only logged: no amount of an order changes. */
export const repeatTaxCall = async (
  deps: Deps,
  { id, user, checkout, read }: Repeat,
): Promise<TaxCallRow | Problem<'not-found' | 'refused'>> => {
  const entry = await deps.db
    .selectFrom('tax_log')
    .select(['studio_id', 'checkout_id', 'error'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!entry) return problem('not-found')
  const { studio_id: studioId, checkout_id: checkoutId, error } = entry
  if (error === null) return problem('refused', messages.answered)
  if (studioId === null || checkoutId === null) return problem('refused', messages.gone)
  const request = await currentRequest(deps, checkout, { studioId, checkoutId })
  if (!request) return problem('refused', messages.gone)
  await deps.tax.quote({ ...request, repeatsId: id })
  const logged = await deps.db
    .selectFrom('tax_log')
    .select('id')
    .where('repeats_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const row = logged && (await read(logged.id))
  if (!row) return problem('refused', messages.noService)
  const detail = { repeatedBy: row.id, error: row.error }
  const audit = { studioId, action: 'tax-request.repeated', entityId: String(id), detail, userId: user.id } as const
  await inTransaction(deps.db, (tx) => recordAudit(tx, deps, audit))
  return row
}
