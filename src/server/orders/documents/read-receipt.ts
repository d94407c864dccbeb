import { sql } from 'kysely'
import type { Order } from '#contract/customer/order-calls.ts'
import { emptyAddress, type PostalAddress } from '#domain/shared/postal-address.ts'
import type { Deps } from '#server/deps.ts'
import { readOrderWithoutImages } from '../store/read-customer-order.ts'
import type { OrderKey } from '../store/sold-lines.ts'

/** `issuedOn`: MM/DD/YYYY in the studio's time zone. */
export type CreditNote = { readonly number: string; readonly issuedOn: string; readonly issuedAt: string }

/** A charge or a refund. `on`: the day it was settled, or else made, as MM/DD/YYYY in the studio's time zone. */
export type ReceiptPayment = {
  readonly kind: 'charge' | 'refund'
  readonly state: 'pending' | 'done' | 'failed'
  readonly amountCents: number
  /** The tax in it. */
  readonly taxCents: number
  readonly on: string
  /** The charge, or the one that the refund belongs to: its provider, or `cash` or `check`. */
  readonly provider: string
  readonly cardEnding: string | null
  readonly checkNumber: string | null
  /** Of a refund: why it was made. */
  readonly reason: string | null
  /** Of a refund that was made. */
  readonly creditNote: CreditNote | null
}

export type Receipt = {
  readonly order: Order
  readonly studio: { readonly legalName: string; readonly website: string; readonly address: PostalAddress }
  /** The day of the order, as MM/DD/YYYY in the studio's time zone. */
  readonly placedOn: string
  readonly payments: readonly ReceiptPayment[]
}

type Row = {
  legalName: string
  website: string
  address: Partial<PostalAddress> | null
  placedOn: string
  payments: ReceiptPayment[]
}

const dayFormat = 'MM/DD/YYYY'

/** Reads what the documents of an order show; undefined if the order does not exist. */
export const readReceipt = async (deps: Deps, key: OrderKey): Promise<Receipt | undefined> => {
  const { studioId, orderId } = key
  const order = await readOrderWithoutImages(deps, key)
  const { rows } = await sql<Row>`
    select coalesce(s.legal_name, '') as "legalName", coalesce(s.website, '') as website, s.address,
           to_char(o.placed_at at time zone s.time_zone, ${dayFormat}) as "placedOn",
           (select coalesce(json_agg(json_build_object('kind', r.kind, 'state', r.state, 'amountCents', r.amount_cents,
                     'taxCents', (select coalesce(sum(t.tax_cents), 0) from ledger_taxes t where t.studio_id = r.studio_id and t.ledger_id = r.id),
                     'on', to_char(coalesce(r.settled_at, r.created_at) at time zone s.time_zone, ${dayFormat}),
                     'provider', r.provider, 'cardEnding', coalesce(a.card_ending, o.card_ending),
                     'checkNumber', case c.provider when 'check' then c.provider_reference end, 'reason', r.reason,
                     'creditNote', case when n.number is not null then json_build_object('number', n.number, 'issuedAt', n.issued_at,
                       'issuedOn', to_char(n.issued_at at time zone s.time_zone, ${dayFormat})) end) order by r.id), '[]')
              from ledger r
              join ledger c on c.studio_id = r.studio_id and c.id = coalesce(r.refund_of, r.id)
              left join credit_notes n on n.studio_id = r.studio_id and n.refund_id = r.id
              left join payment_attempts a on a.studio_id = c.studio_id and a.id = c.attempt_id
             where r.studio_id = o.studio_id and r.order_id = o.id) as payments
      from orders o join studios s on s.id = o.studio_id
     where o.studio_id = ${studioId} and o.id = ${orderId}`.execute(deps.db)
  const [row] = rows
  if (!order || !row) return undefined
  const { placedOn, payments, legalName, website, address } = row
  return { order, studio: { legalName, website, address: { ...emptyAddress, ...address } }, placedOn, payments }
}
