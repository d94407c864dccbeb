import { cartCents, lineCents } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { Change, RecordedMutation } from '#domain/cart/mutation.ts'
import { isSameSubject } from '#domain/cart/order-services.ts'
import type { Cents } from '#domain/pricing/money.ts'
import { replayRows } from '../outbox/outbox-rows.ts'
import { type CartStatus, cartStatus } from './cart-status.ts'
import type { LineNumber, OutboxRow, Rejection, SendingState } from './rows.ts'

export type LineView = {
  line: CartPackage
  /** The line's number in URLs. */
  number: number
  totalCents: Cents
  /** Why the server rejected a change of the line; the customer decides. */
  rejection?: Rejection
}

/** A rejected mutation, which the customer discards or retries. */
export type RejectedMutation = {
  mutationId: string
  lineId: string | null
  number: number | null
  kind: Change['do']
  /** The name of its package or service; null if unknown. */
  itemName: string | null
  /** The subject of a yearbook pose; null for other mutations. */
  subjectId: number | null
  /** The subject of a service or pose, if the cart knows it. */
  firstName: string | null
  rejection: Rejection
}

export type CartView = {
  cart: Cart
  lines: LineView[]
  /** Lines and services, before promotion, shipping and tax. */
  totalCents: Cents
  packageCount: number
  status: CartStatus
  /** Add-ons that unconfirmed changes removed. */
  dropped: CartPackage[]
  rejected: RejectedMutation[]
  /** Why nothing is sent until the customer acts; null if nothing is wrong. */
  paused: Rejection | null
}

/** All stored data from which the view of a cart is made. */
export type CartViewInput = {
  cart: Cart
  rows: OutboxRow[]
  numbers: LineNumber[]
  sending: SendingState | null
  /** A payment started on this device has no outcome yet. */
  paying?: boolean
}

/** The cart, read-only while a payment of this device has no outcome. */
export const frozenWhilePaying = (cart: Cart, paying: boolean | undefined): Cart =>
  paying && cart.state === 'open' ? { ...cart, state: 'frozen' } : cart

export const countPackages = (cart: Cart): number => cart.cartPackages.reduce((sum, line) => sum + line.quantity, 0)

export const createCartView = ({ cart: confirmed, rows, numbers, sending, paying }: CartViewInput): CartView => {
  const { cart, dropped } = replayRows(confirmed, rows)
  const numberByLine = new Map(numbers.map(({ lineId, n }) => [lineId, n]))
  const rejected = rows.flatMap((row) => rejectedMutation(row, numberByLine, cart))
  // Retries are silent: a label that changes with every attempt would flicker on a bad connection.
  const inFlight = sending?.attempts === 0 && sending.inFlight
  const paused = sending?.paused ?? null
  const status = cartStatus({
    lineCount: cart.cartPackages.length,
    waiting: rows.length - rejected.length,
    needsCustomer: rejected.length > 0 || paused !== null,
    inFlight,
  })
  const lines = cart.cartPackages.map((line): LineView => {
    const rejection = rows.find((row) => row.lineId === line.lineId && row.rejection)?.rejection ?? undefined
    const number = numberByLine.get(line.lineId) ?? 0
    return { line, number, totalCents: lineCents(line), rejection }
  })
  const totals = { totalCents: cartCents(cart), packageCount: countPackages(cart) }
  return { cart: frozenWhilePaying(cart, paying), lines, ...totals, status, dropped, rejected, paused }
}

/**
 * A newer view that reuses the unchanged lines of an older one: a long cart is read again after each change, and only
 * changed lines should render.
 */
export const reuseUnchangedLines = (view: CartView, older: CartView | undefined): CartView => {
  if (!older) return view
  const olderLines = new Map(older.lines.map((lineView) => [lineView.line.lineId, lineView]))
  const reuseLine = (lineView: LineView): LineView => {
    const olderLine = olderLines.get(lineView.line.lineId)
    return olderLine && JSON.stringify(olderLine) === JSON.stringify(lineView) ? olderLine : lineView
  }
  return { ...view, lines: view.lines.map(reuseLine) }
}

/** The name of a rejected change: its package or its service. */
const nameOfMutation = ({ snapshot }: RecordedMutation): string | null => {
  if (snapshot === null) return null
  // A service that was requeued from the cart has no name here.
  return 'service' in snapshot ? snapshot.service.name || null : snapshot.package.name
}

const subjectNameOfMutation = ({ mutation }: RecordedMutation, { subjects }: Cart): string | null => {
  if ('lineId' in mutation || !('subjectId' in mutation)) return null
  return subjects.find((subject) => isSameSubject(subject, { personId: null, ...mutation }))?.firstName ?? null
}

const rejectedMutation = (row: OutboxRow, numberByLine: Map<string, number>, cart: Cart): RejectedMutation[] => {
  if (row.state !== 'rejected' || row.rejection === null) return []
  const { mutationId, lineId, rejection, recorded } = row
  const number = lineId === null ? null : (numberByLine.get(lineId) ?? null)
  const names = { itemName: nameOfMutation(recorded), firstName: subjectNameOfMutation(recorded, cart) }
  const { mutation } = recorded
  const subjectId = mutation.do === 'pose.set' ? mutation.subjectId : null
  return [{ mutationId, lineId, number, kind: mutation.do, subjectId, ...names, rejection }]
}
