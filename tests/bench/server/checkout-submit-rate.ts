import { randomUUID } from 'node:crypto'
import { inTransaction } from '#server/database/database.ts'
import { priceSale } from '#server/orders/sale/price-sale.ts'
import { beginAttempt } from '#server/payments/attempts/payment-attempts.ts'
import { settleAttempt } from '#server/payments/attempts/settle-attempt.ts'
import { readCheckoutContext } from '#server/payments/checkout/checkout-context.ts'
import type { BenchServer } from './bench-server.ts'
import { type Buyer, prepareBuyer } from './checkout-buyer.ts'
import { type ComparisonResult, compareRates } from './compare-rates.ts'

const submitCount = 10

/** Reads and prices everything that the two transactions need. */
const priceCheckout = async ({ deps }: BenchServer, { customer: { cart }, checkoutId }: Buyer) => {
  const context = await readCheckoutContext(deps, cart)
  if (!context) throw new Error('there is no cart to pay')
  const totals = await priceSale(deps, context)
  return { jobSession: cart, context, attemptId: randomUUID(), checkoutId, paymentToken: 'test_visa', totals }
}

/** Ten submits over HTTP, one after the other, compared with their two transactions without HTTP. The provider responds at once. */
export const submitCheckouts = (server: BenchServer): Promise<ComparisonResult> => {
  const { deps } = server
  const prepareBuyers = async (): Promise<Buyer[]> => {
    const buyers: Buyer[] = []
    for (let n = 0; n < submitCount; n += 1) buyers.push(await prepareBuyer(server, 3))
    return buyers
  }
  return compareRates({
    rounds: 9,
    ours: async () => {
      const buyers = await prepareBuyers()
      return async () => {
        for (const { pay } of buyers) await pay()
      }
    },
    baseline: async () => {
      const checkouts = await Promise.all((await prepareBuyers()).map((buyer) => priceCheckout(server, buyer)))
      return async () => {
        for (const checkout of checkouts) {
          const hasBegun = await inTransaction(deps.db, (tx) => beginAttempt(tx, deps, checkout))
          if (!hasBegun) throw new Error('the cart changed after it was priced')
          const key = { studioId: checkout.jobSession.job.studioId, attemptId: checkout.attemptId }
          const outcome = { state: 'succeeded', reference: checkout.attemptId, cardEnding: '4242' } as const
          const { state } = await settleAttempt(deps, key, outcome)
          if (state !== 'succeeded') throw new Error(`the attempt is ${state}`)
        }
      }
    },
  })
}
