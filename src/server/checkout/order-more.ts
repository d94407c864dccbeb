import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { LargerOrder, orderMore } from '../../contract/order-changes.ts'
import { problems } from '../../contract/problems.ts'
import { closedReason, closedSentences } from '../../domain/availability.ts'
import type { Cart } from '../../domain/cart.ts'
import { formatMoney } from '../../domain/money.ts'
import { whyFixed } from '../../domain/order-states.ts'
import type { Totals } from '../../domain/pricing.ts'
import { type OpeningRow, openingColumns, openingOf } from '../admission/opening.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { OrderChange } from '../database/tables/orders.ts'
import type { Deps } from '../deps.ts'
import type { Outcome } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import type { Session } from '../http/sessions.ts'
import { lockOrder } from '../order-store/move-order.ts'
import type { OrderKey } from '../order-store/order-key.ts'
import { mostCents } from '../order-store/price.ts'
import { priceAnew } from '../order-store/price-anew.ts'
import { readSoldOrder, type SoldOrder } from '../order-store/sold-order.ts'
import { type Attempt, isOpen, liveAttempt, readAttempt, writeAttempt } from './attempts.ts'
import { cartWith, packagesOf } from './grow-order.ts'
import { ask, close, pay } from './provider.ts'
import { answerOf, inFlight, resume } from './resume.ts'

type Sent = Infer<(typeof orderMore)['body']>
type Wanted = Sent['packages']
type Answer = Outcome<typeof orderMore>
type Refused = Problem<'not-found' | 'refused'>

/** What is decided by beside the order: the payer, who is paid, and whether the event still takes orders. */
type Terms = OpeningRow & {
  stripe_account_id: string | null
  commission_basis_points: number
  first_name: string
  last_name: string
  email: string
  phone: string | null
  /** Packages of the order that the studio does not sell any more. */
  gone: number[]
}

const readTerms = async (tx: Transaction, { studioId, orderId }: OrderKey, now: Date): Promise<Terms | undefined> => {
  const { rows } = await sql<Terms>`
    select ${openingColumns(now)}, s.stripe_account_id, s.commission_basis_points, o.first_name, o.last_name, o.email, o.phone,
           (select coalesce(json_agg(p.id), '[]') from packages p
             where p.studio_id = o.studio_id and p.archived_at is not null and p.id in (
                     select l.package_id from order_lines l where l.studio_id = o.studio_id and l.order_id = o.id)) as gone
      from orders o
      join jobs j on j.studio_id = o.studio_id and j.id = o.job_id
      join studios s on s.id = o.studio_id
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(tx)
  return rows[0]
}

type Plan = { sold: SoldOrder; terms: Terms; cart: Cart; totals: Totals; chargeCents: number }

const oneByOne = 'Take packages off and add others one after the other'
const cannotGrow = 'Nothing can be added to this order any more. Please place another one'

/** Why an order may not have more of its packages; `as-it-is` where it has as many already. */
const objection = (
  deps: Deps,
  { sold, terms }: Pick<Plan, 'sold' | 'terms'>,
  wanted: Wanted,
): Refused | 'as-it-is' | undefined => {
  const lineOf = (id: number) => sold.lines.find((row) => row.id === id)
  if (wanted.some(({ lineId }) => !lineOf(lineId))) return problem('refused', 'That item is not in this order')
  const changes = wanted.filter(({ lineId, quantity }) => lineOf(lineId)?.quantity !== quantity)
  if (changes.length === 0) return 'as-it-is'
  const fixed = whyFixed(sold)
  if (fixed) return problem('refused', fixed)
  if (changes.some(({ lineId, quantity }) => quantity < (lineOf(lineId)?.quantity ?? 0)))
    return problem('refused', oneByOne)
  const closed = closedReason(openingOf(terms, deps.clock()), sold.orderMethod)
  if (closed) return problem('refused', closedSentences[closed])
  const gone = changes.map(({ lineId }) => lineOf(lineId)).find((row) => row && terms.gone.includes(row.packageId))
  if (gone) return problem('refused', `“${gone.snapshot.package.name}” is not on offer any more`)
  return sold.checkoutId === null ? problem('refused', cannotGrow) : undefined
}

const plan = async (deps: Deps, key: OrderKey, wanted: Wanted): Promise<Plan | 'as-it-is' | Refused> => {
  const read = await inTransaction(deps.db, async (tx) => {
    const sold = await readSoldOrder(tx, key)
    const terms = await readTerms(tx, key, deps.clock())
    return sold && terms && { sold, terms }
  })
  if (!read) return problem('not-found')
  const wrong = objection(deps, read, wanted)
  if (wrong) return wrong
  const cart = cartWith(read.sold, wanted)
  const totals = await priceAnew(deps, { key, sold: read.sold, cart })
  const chargeCents = totals.totalCents - read.sold.totalCents
  if (chargeCents < 0 || totals.totalCents > mostCents) return problem('refused', cannotGrow)
  return { ...read, cart, totals, chargeCents }
}

/** What an order would come to with more of its packages, and who would take the card. */
export const priceMore = async (deps: Deps, key: OrderKey, wanted: Wanted): Promise<LargerOrder | Refused> => {
  const planned = await plan(deps, key, wanted)
  if (planned instanceof Problem) return planned
  if (planned === 'as-it-is') return problem('refused', 'The order holds as many already')
  const { sold, terms, totals, chargeCents } = planned
  const { perLine: _, services: __, shipping: ___, ...sums } = totals
  const { first_name: firstName, last_name: lastName, email, phone } = terms
  const { name: provider, publishableKey } = deps.payment
  return {
    totals: sums,
    chargeCents,
    payment: { provider, publishableKey, account: terms.stripe_account_id },
    payer: { customer: { firstName, lastName, email, phone: phone ?? '' }, billingAddress: sold.billingAddress },
  }
}

type Begun = { key: OrderKey; session: Session; planned: Plan; sent: Sent }

/**
 * Writes down that money for more of an order is about to be asked for, before it is. False where the order became another one since
 * it was priced, or is being paid for already.
 */
const begin = (deps: Deps, { key, session, planned, sent }: Begun): Promise<boolean> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, orderId } = key
    const { sold, terms, totals, chargeCents } = planned
    const { attemptId, paymentToken, packages } = sent
    const checkoutId = sold.checkoutId ?? ''
    // The cart first, as whoever settles does: two that lock in the same order never wait for each other in a ring.
    await sql`select from carts c where c.studio_id = ${studioId} and c.id = (
      select k.cart_id from checkouts k where k.studio_id = ${studioId} and k.id = ${checkoutId}) for update`.execute(
      tx,
    )
    await lockOrder(tx, key)
    const now = await readSoldOrder(tx, key)
    if (now?.version !== sold.version || (await liveAttempt(tx, { studioId, checkoutId }))) return false
    const change: OrderChange = {
      orderId,
      sessionId: session.id,
      packages,
      before: { packages: packagesOf(sold), totalCents: sold.totalCents },
    }
    await writeAttempt(tx, deps, {
      studioId,
      attemptId,
      checkoutId,
      sessionId: session.id,
      paymentToken,
      amountCents: chargeCents,
      account: terms.stripe_account_id,
      commissionBasisPoints: terms.commission_basis_points,
      totals,
      more: { change, orderNumber: sold.orderNumber },
      at: deps.clock(),
    })
    return true
  })

type Asked = { key: OrderKey; orderNumber: string; session: Session }

const isOfOrder = ({ orderChange }: Attempt, { orderId }: OrderKey): boolean => orderChange?.orderId === orderId

const isSame = ({ amountCents, orderChange }: Attempt, { chargeCents, packages }: Sent): boolean =>
  amountCents === chargeCents && isDeepStrictEqual(orderChange?.packages, packages)

const startNew = async (deps: Deps, { key, orderNumber, session }: Asked, sent: Sent): Promise<Answer> => {
  const { studioId } = key
  const planned = await plan(deps, key, sent.packages)
  // Another attempt was first, whose outcome it was: nothing is paid for twice.
  if (planned === 'as-it-is') return { outcome: 'ordered', orderNumber }
  if (planned instanceof Problem) return planned
  const other = await liveAttempt(deps.db, { studioId, checkoutId: planned.sold.checkoutId ?? '' })
  if (other) {
    const known = other.state === 'requires_action' ? await close(deps, other) : await ask(deps, other)
    if (isOpen(known)) return inFlight()
    if (known.state === 'succeeded') return await startNew(deps, { key, orderNumber, session }, sent)
  }
  const { chargeCents } = planned
  if (chargeCents !== sent.chargeCents)
    return problem('totals-changed', `By now it is ${formatMoney(chargeCents)} more. Please look it over`)
  if (chargeCents > 0 && sent.paymentToken === null) return problem('refused', 'Please enter your card')
  if (!(await begin(deps, { key, session, planned, sent }))) return inFlight()
  const attempt = await readAttempt(deps.db, { studioId, attemptId: sent.attemptId })
  return attempt ? answerOf(deps, await pay(deps, attempt)) : inFlight()
}

/**
 * Pays for more of an order's packages. The attempt is the key, as when a cart is paid for: asked again with the same one, the same
 * outcome comes again and nothing is charged twice, whatever broke off in between.
 */
export const payMore = async (deps: Deps, asked: Asked, sent: Sent): Promise<Answer> => {
  const attempt = await readAttempt(deps.db, { studioId: asked.key.studioId, attemptId: sent.attemptId })
  if (!attempt) return await startNew(deps, asked, sent)
  if (!isOfOrder(attempt, asked.key)) return problem('not-found')
  if (!isSame(attempt, sent)) return problem('refused', problems['key-reused'].sentence)
  return await resume(deps, attempt, sent.authentication)
}
