import type { Deps } from '#server/deps.ts'
import { given } from '#support/server/given.ts'
import { newUuid } from '#tests/server/carts/cart-fixtures.ts'

type ChargeInput = {
  readonly cents: number
  readonly at: string
  readonly provider?: string
  readonly account?: string
  readonly reference?: string
  readonly platformFeeCents?: number
}
type RefundInput = {
  readonly chargeId: number
  readonly cents: number
  readonly at: string
  readonly state?: 'pending' | 'done' | 'failed'
  readonly key?: string
}

/** A studio with the reports, and functions that write its ledger: each charge has an order of its own. */
export const createLedger = async (deps: Pick<Deps, 'db'>, slug: string, timeZone = 'America/New_York') => {
  const { db } = deps
  const studioId = await given(deps).studio({ slug, time_zone: timeZone })
  await given(deps).feature(studioId, 'reports')
  const { jobId } = await given(deps).job(studioId)

  const insertOrder = async (cents: number, at: string): Promise<number> => {
    const customer = { first_name: 'Grace', last_name: 'Hopper', email: 'g@h.test', email_key: 'g@h.test' }
    const number = newUuid().slice(-8).toUpperCase()
    const { id } = await db
      .insertInto('orders')
      .values({
        ...{ studio_id: studioId, job_id: jobId, order_number: `FP-${number}`, order_method: 'gallery', ...customer },
        ...{ pay_method: 'card', packages_cents: cents, total_cents: cents, totals: '{}', placed_at: at, moved_at: at },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  /** Inserts a settled charge; returns its id, and the provider's reference. */
  const charge = async ({ cents, at, provider = 'stripe', account, reference, platformFeeCents = 0 }: ChargeInput) => {
    const orderId = await insertOrder(cents, at)
    const { id } = await db
      .insertInto('ledger')
      .values({
        ...{ studio_id: studioId, order_id: orderId, kind: 'charge', state: 'done', amount_cents: cents, provider },
        ...{ account: account ?? null, provider_reference: reference ?? null, created_at: at, settled_at: at },
        platform_fee_cents: platformFeeCents,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  /** Inserts a refund of a charge. */
  const refund = async ({ chargeId, cents, at, state = 'done', key = newUuid() }: RefundInput): Promise<number> => {
    const refunded = await db
      .selectFrom('ledger')
      .select(['order_id', 'provider'])
      .where('id', '=', chargeId)
      .executeTakeFirstOrThrow()
    const { id } = await db
      .insertInto('ledger')
      .values({
        ...{ studio_id: studioId, ...refunded, kind: 'refund', state, amount_cents: cents, refund_of: chargeId },
        ...{ idempotency_key: key, created_at: at, settled_at: state === 'pending' ? null : at },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  return { studioId, jobId, charge, refund }
}
