import { cartCents, lineCents } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { Change, RecordedMutation } from '#domain/cart/mutation.ts'
import { isSameSubject } from '#domain/cart/order-services.ts'
import type { Cents } from '#domain/pricing/money.ts'
import { replayRows } from '../outbox/replay-rows.ts'
import { type CartStatus, cartStatus } from './cart-status.ts'
import type { LineNumber, OutboxRow, Rejection, SendingState } from './database.ts'

export type LineView = {
  line: CartPackage
  /** The line's number in addresses. */
  number: number
  totalCents: Cents
  /** Why the server did not take a change of it, for the customer to decide on. */
  refusal?: Rejection
}

/** Something the server would not do, for the customer to drop or to try again. */
export type RejectedMutation = {
  mutationId: string
  lineId: string | null
  number: number | null
  what: Change['do']
  packageName: string | null
  /** Whose year-book pose it was. */
  subjectId: number | null
  /** Whom a service or a pose was for, where the cart knows them. */
  firstName: string | null
  refusal: Rejection
}

export type CartView = {
  cart: Cart
  lines: LineView[]
  /** Lines and services, before promotion, shipping and tax. */
  totalCents: Cents
  packageCount: number
  status: CartStatus
  /** Add-ons that fell out because of changes not settled yet. */
  dropped: CartPackage[]
  refused: RejectedMutation[]
  /** Why nothing is sent until the customer helps; null while all is well. */
  paused: Rejection | null
}

/** Everything the view of one cart is made from, as it lies on the device. */
export type CartViewInput = {
  cart: Cart
  rows: OutboxRow[]
  numbers: LineNumber[]
  sending: SendingState | null
  /** A payment begun on this device has no outcome yet. */
  paying?: boolean
}

/** The cart, read-only while a payment of this device has no outcome. */
export const frozenWhilePaying = (cart: Cart, paying: boolean | undefined): Cart =>
  paying && cart.state === 'open' ? { ...cart, state: 'frozen' } : cart

export const countPackages = (cart: Cart): number => cart.cartPackages.reduce((sum, line) => sum + line.quantity, 0)

export const createCartView = ({ cart: confirmed, rows, numbers, sending, paying }: CartViewInput): CartView => {
  const { cart, dropped } = replayRows(confirmed, rows)
  const numberByLine = new Map(numbers.map(({ lineId, n }) => [lineId, n]))
  const refused = rows.flatMap((row) => rejectedMutation(row, numberByLine, cart))
  // What failed once is tried again quietly: words that change at every attempt would never rest on a bad line.
  const inFlight = sending?.attempts === 0 && sending.inFlight
  const paused = sending?.paused ?? null
  const status = cartStatus({
    lineCount: cart.cartPackages.length,
    waiting: rows.length - refused.length,
    needsCustomer: refused.length > 0 || paused !== null,
    inFlight,
  })
  const lines = cart.cartPackages.map((line): LineView => {
    const refusal = rows.find((row) => row.lineId === line.lineId && row.refusal)?.refusal ?? undefined
    const number = numberByLine.get(line.lineId) ?? 0
    return { line, number, totalCents: lineCents(line), refusal }
  })
  const totals = { totalCents: cartCents(cart), packageCount: countPackages(cart) }
  return { cart: frozenWhilePaying(cart, paying), lines, ...totals, status, dropped, refused, paused }
}

/**
 * A newer view with the lines of an older one wherever they say the same: a long cart is read anew at each change, and only what
 * changed is to be drawn anew.
 */
export const reuseUnchangedLines = (view: CartView, older: CartView | undefined): CartView => {
  if (!older) return view
  const before = new Map(older.lines.map((one) => [one.line.lineId, one]))
  const same = (one: LineView): LineView => {
    const known = before.get(one.line.lineId)
    return known && JSON.stringify(known) === JSON.stringify(one) ? known : one
  }
  return { ...view, lines: view.lines.map(same) }
}

/** What a refused change is called: its package, or its service. */
const nameOfMutation = ({ snapshot }: RecordedMutation): string | null => {
  if (snapshot === null) return null
  // One that was ordered again as it stood in the cart has no name here.
  return 'service' in snapshot ? snapshot.service.name || null : snapshot.package.name
}

const subjectNameOfMutation = ({ mutation }: RecordedMutation, { subjects }: Cart): string | null => {
  if (mutation.do !== 'service.set' && mutation.do !== 'service.remove' && mutation.do !== 'pose.set') return null
  return subjects.find((one) => isSameSubject(one, { personId: null, ...mutation }))?.firstName ?? null
}

const rejectedMutation = (row: OutboxRow, numberByLine: Map<string, number>, cart: Cart): RejectedMutation[] => {
  if (row.state !== 'refused' || row.refusal === null) return []
  const { mutationId, lineId, refusal, recorded } = row
  const number = lineId === null ? null : (numberByLine.get(lineId) ?? null)
  const names = { packageName: nameOfMutation(recorded), firstName: subjectNameOfMutation(recorded, cart) }
  const { mutation } = recorded
  const subjectId = mutation.do === 'pose.set' ? mutation.subjectId : null
  return [{ mutationId, lineId, number, what: mutation.do, subjectId, ...names, refusal }]
}
