import { randomUUID } from 'node:crypto'
import { inTransaction } from '#server/database/in-transaction.ts'
import { priceSale } from '#server/orders/sale/price-sale.ts'
import { beginAttempt } from '#server/payments/attempts/payment-attempts.ts'
import { settleAttempt } from '#server/payments/attempts/settle-attempt.ts'
import { readCheckoutContext } from '#server/payments/checkout/checkout-context.ts'
import type { BenchServer } from './bench-server.ts'
import { type Buyer, prepareBuyer } from './checkout-buyer.ts'
import { type ComparisonResult, compareRates } from './compare-rates.ts'

const submitCount = 10

/** Reads and prices everything that the two transactions need. */
const pricedCheckout = async ({ deps }: BenchServer, { customer: { cart: whose }, checkoutId }: Buyer) => {
  const situation = await readCheckoutContext(deps, whose)
  if (!situation) throw new Error('there is a cart to be paid')
  const totals = await priceSale(deps, situation)
  return { visit: whose, situation, attemptId: randomUUID(), checkoutId, paymentToken: 'test_visa', totals }
}

/** Ten submits over HTTP, one after the other, compared with their two transactions alone. The provider responds at once. */
export const submitCheckouts = (server: BenchServer): Promise<ComparisonResult> => {
  const { deps } = server
  const buyers = async (): Promise<Buyer[]> => {
    const all: Buyer[] = []
    for (let n = 0; n < submitCount; n += 1) all.push(await prepareBuyer(server, 3))
    return all
  }
  return compareRates({
    rounds: 9,
    ours: async () => {
      const all = await buyers()
      return async () => {
        for (const { pay } of all) await pay()
      }
    },
    baseline: async () => {
      const all = await Promise.all((await buyers()).map((buyer) => pricedCheckout(server, buyer)))
      return async () => {
        for (const begun of all) {
          const isBegun = await inTransaction(deps.db, (tx) => beginAttempt(tx, deps, begun))
          if (!isBegun) throw new Error('the cart is still as it was priced')
          const key = { studioId: begun.visit.job.studioId, attemptId: begun.attemptId }
          const outcome = { state: 'succeeded', reference: begun.attemptId, cardEnding: '4242' } as const
          const { state } = await settleAttempt(deps, key, outcome)
          if (state !== 'succeeded') throw new Error(`the attempt is ${state}`)
        }
      }
    },
  })
}
