import { randomUUID } from 'node:crypto'
import { beginAttempt } from '../../src/server/checkout/attempts.ts'
import { settle } from '../../src/server/checkout/settle.ts'
import { readSituation } from '../../src/server/checkout/situation.ts'
import { inTransaction } from '../../src/server/database/in-transaction.ts'
import { price } from '../../src/server/order-store/price.ts'
import { type Buyer, readyToPay } from './buyer.ts'
import type { OwnServer } from './own-server.ts'
import { compete, type Outcome } from './rounds.ts'

const submits = 10

/** A buyer with everything read and priced that the two transactions are made of. */
const priced = async ({ deps }: OwnServer, { parent: { whose }, checkoutId }: Buyer) => {
  const situation = await readSituation(deps, whose)
  if (!situation) throw new Error('there is a cart to be paid')
  const totals = await price(deps, situation)
  return { visit: whose, situation, attemptId: randomUUID(), checkoutId, paymentToken: 'test_visa', totals }
}

/** Ten submits over HTTP, one after the other, against their two transactions alone; the provider answers at once. */
export const submitCheckouts = (server: OwnServer): Promise<Outcome> => {
  const { deps } = server
  const buyers = async (): Promise<Buyer[]> => {
    const all: Buyer[] = []
    for (let n = 0; n < submits; n += 1) all.push(await readyToPay(server, 3))
    return all
  }
  return compete({
    rounds: 9,
    ours: async () => {
      const all = await buyers()
      return async () => {
        for (const { pay } of all) await pay()
      }
    },
    bare: async () => {
      const all = await Promise.all((await buyers()).map((buyer) => priced(server, buyer)))
      return async () => {
        for (const begun of all) {
          const isBegun = await inTransaction(deps.db, (tx) => beginAttempt(tx, deps, begun))
          if (!isBegun) throw new Error('the cart is still as it was priced')
          const key = { studioId: begun.visit.job.studioId, attemptId: begun.attemptId }
          const outcome = { state: 'succeeded', reference: begun.attemptId, cardEnding: '4242' } as const
          const { state } = await settle(deps, key, outcome)
          if (state !== 'succeeded') throw new Error(`the attempt is ${state}`)
        }
      }
    },
  })
}
