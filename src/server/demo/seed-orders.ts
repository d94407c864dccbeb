import { sql } from 'kysely'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { User } from '../access/tokens/access-token.ts'
import { accrueAllCommissions } from '../commissions/accrue-commissions.ts'
import { addCommissionRate } from '../commissions/commissions.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { cancelOrder } from '../orders/adjustments/cancel-order.ts'
import { quoteReduction, reduceOrder } from '../orders/adjustments/reduce-order.ts'
import { settleRefund } from '../orders/adjustments/settle-refunds.ts'
import { moveOrders } from '../orders/store/move-order.ts'
import { pullStatement } from '../payments/statements/pull-statement.ts'
import type { DemoCalendar } from './demo-calendar.ts'
import { classPortraitsOrders, type DemoOrder } from './demo-orders.ts'
import { accepted, checkOut, enterPaperOrder, type OrderRequest } from './place-order.ts'
import type { PlatformIds } from './seed-platform.ts'
import type { RosterIds } from './seed-roster.ts'

/**
 * Creates the services that tax the demo's orders and take their payments: always the built-in ones, whatever is
 * configured, so that seeding sends no request to anyone.
 */
export type DemoServices = (
  parts: Pick<Deps, 'db' | 'clock'>,
) => Pick<Deps, 'payment' | 'paymentStatements' | 'tax' | 'addresses'>

/** The past job and what it sells. */
export type SoldJob = {
  readonly job: JobKey
  readonly organizationId: number
  readonly packageSetId: number
  readonly ids: RosterIds
  readonly platform: PlatformIds
  readonly staff: User
  readonly calendar: DemoCalendar
}

/** The dependencies for work done this many days from now, by a clock that does not move. Nothing is enqueued, so no email is sent. */
type DepsOn = (day: number) => Deps

/** The database inside a transaction, whose own transactions are parts of it. */
const withinTransaction = (tx: Transaction): Db => {
  const transaction = () => ({ execute: (work: (inner: Transaction) => Promise<unknown>) => work(tx) })
  return Object.assign(tx.withoutPlugins(), { transaction }) as unknown as Db // the only method that a transaction refuses
}

const startingWith = <Item extends { name: string }>(items: readonly Item[], name: string): Item => {
  const item = items.find((candidate) => candidate.name.startsWith(name))
  if (!item) throw new Error(`The demo does not sell ${name}`)
  return item
}

/** Finds the ids of what the orders name. */
const readRequests = async (tx: Transaction, soldJob: SoldJob): Promise<OrderRequest[]> => {
  const { job, packageSetId, ids, platform, staff } = soldJob
  const { rows: packages } = await sql<Package>`
    select v.content ->> 'name' as name, v.content -> 'items' as items, p.id, v.version
      from packages p join package_versions v on v.studio_id = p.studio_id and v.package_id = p.id
     where p.studio_id = ${job.studioId} and p.package_set_id = ${packageSetId}`.execute(tx)
  const subjects = await tx
    .selectFrom('subjects')
    .select(['id', 'primary_image_id as imageId'])
    .where('studio_id', '=', job.studioId)
    .where('job_id', '=', job.jobId)
    .execute()
  return classPortraitsOrders.map((order) => {
    const subject = subjects.find(({ id }) => id === ids.subjectIds.get(order.subject))
    if (!subject?.imageId) throw new Error(`The demo has an order for ${order.subject}, who has no image`)
    return {
      ...{ job, order, staff, subjectId: subject.id, imageId: subject.imageId },
      packages: order.packages.map((name) => startingWith(packages, name)),
      retouchId: platform.services[0]?.id ?? 0,
    }
  })
}

type PlacedOrder = { key: { studioId: number; orderId: number }; session: { id: number } }

const removePackage = async (deps: Deps, { key, session }: PlacedOrder, name: string): Promise<void> => {
  const ofOrder = deps.db
    .selectFrom('order_lines')
    .where('studio_id', '=', key.studioId)
    .where('order_id', '=', key.orderId)
  const line = startingWith(await ofOrder.select(['id', 'name']).execute(), name)
  const requested = [{ lineId: line.id, quantity: 0 }]
  const { refundCents } = accepted(await quoteReduction(deps, key, requested))
  accepted(await reduceOrder(deps, { key, session, requested, refundCents }))
}

/** Cancels or reduces an order, and pays the refund. */
const adjustOrder = async (deps: Deps, placed: PlacedOrder, change: NonNullable<DemoOrder['nextDay']>) => {
  const { studioId, orderId } = placed.key
  if (change === 'cancelled') accepted(await cancelOrder(deps, placed))
  else await removePackage(deps, placed, change.removed)
  const ofOrder = deps.db.selectFrom('ledger').where('studio_id', '=', studioId).where('order_id', '=', orderId)
  const { id } = await ofOrder.select('id').where('kind', '=', 'refund').executeTakeFirstOrThrow()
  await settleRefund(deps, { studioId, refundLedgerId: id })
}

const placeOrder = async (depsOn: DepsOn, request: OrderRequest): Promise<void> => {
  const { day, payment, nextDay } = request.order
  if (payment !== 'card') return await enterPaperOrder(depsOn(day), request)
  const { session, checkoutId } = await checkOut(depsOn(day), request)
  if (nextDay === undefined) return
  const { studioId } = request.job
  const ofCheckout = depsOn(day).db.selectFrom('orders').where('studio_id', '=', studioId)
  const { id } = await ofCheckout.select('id').where('checkout_id', '=', checkoutId).executeTakeFirstOrThrow()
  await adjustOrder(depsOn(day + 1), { key: { studioId, orderId: id }, session }, nextDay)
}

/** The days on which the orders of the first weeks went to the lab, and from there to the customers. */
const labDays = { submitted: -14, inProduction: -12, shipped: -9 } as const

const shipOrders = async (depsOn: DepsOn, { job: { studioId, jobId }, staff, calendar }: SoldJob): Promise<void> => {
  for (const to of ['submitted', 'inProduction', 'shipped'] as const) {
    const deps = depsOn(labDays[to])
    await inTransaction(deps.db, async (tx) => {
      const orders = await tx
        .selectFrom('orders')
        .select(['id as orderId', 'order_number as orderNumber', 'state as from'])
        .where('studio_id', '=', studioId)
        .where('job_id', '=', jobId)
        .where('placed_at', '<', calendar.instant(labDays.submitted))
        .execute()
      const moves = orders.map((order) => ({ ...order, to }))
      await moveOrders(tx, deps, { studioId, moves, userId: staff.id })
    })
  }
}

/**
 * Sells the past job through the product's own functions, each on its day: orders, refunds, the way to the lab, the
 * commissions of the organization, and the payouts of the payment provider.
 */
export const insertOrders = async (
  tx: Transaction,
  seedDeps: Deps,
  { services, soldJob }: { services: DemoServices; soldJob: SoldJob },
): Promise<void> => {
  const { job, organizationId, staff, calendar } = soldJob
  const db = withinTransaction(tx)
  const depsOn: DepsOn = (day) => {
    const parts = { db, clock: () => calendar.instant(day) }
    return { ...seedDeps, ...parts, ...services(parts), wait: async () => {}, jobs: { enqueue: async () => {} } }
  }
  const rate = {
    jobId: null,
    kind: 'percent',
    basisPoints: 1000,
    amountCents: null,
    startsOn: calendar.day(-50),
  } as const
  accepted(
    await addCommissionRate(depsOn(-50), { studioId: job.studioId, organizationId }, { user: staff, draft: rate }),
  )
  for (const request of await readRequests(tx, soldJob)) await placeOrder(depsOn, request)
  await shipOrders(depsOn, soldJob)
  await accrueAllCommissions({ db })
  const { name: provider } = depsOn(0).payment
  await pullStatement(depsOn(0), { studioId: job.studioId, provider, account: `studio-${job.studioId}` })
}
