import { array, boolean, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { PersonalizationChoice } from '../shapes/cart-structs.ts'
import { Address, Totals } from '../shapes/order-structs.ts'
import { Cents, Day, Id, Instant, OrderMethod } from '../shapes/primitives.ts'

export const OrderLine = type({
  /** A package's own id in its order, which the customer's changes refer to; services have none. */
  lineId: nullable(integer()),
  packageName: string(),
  subjectName: string(),
  imageThumbnailUrl: nullable(string()),
  quantity: integer(),
  /** Whole cents of the line: price times quantity, before the discount. */
  totalCents: Cents,
  /** Texts for display: those from an e-mail address or a phone number are masked (section 5). */
  items: array(type({ name: string(), productCode: string(), texts: array(string()) })),
  /** Printed name and year, if the line is that service. */
  personalization: optional(type({ ...PersonalizationChoice.schema })),
  /** The packages that use the retouched image, if the line retouches a single image. */
  retouchedIn: optional(array(string())),
})

export const Order = type({
  orderNumber: string(),
  jobId: integer(),
  jobName: string(),
  studioName: string(),
  studioSlug: string(),
  studioPhone: nullable(string()),
  studioEmail: nullable(string()),
  orderMethod: OrderMethod,
  state: enums(['placed', 'batched', 'submitted', 'inProduction', 'shipped', 'cancelled']),
  placedAt: Instant,
  customer: type({ firstName: string(), lastName: string(), email: string(), phone: string() }),
  shippingAddress: nullable(type({ ...Address.schema })),
  shippingName: string(),
  /** How the order is delivered: mailed, via the studio, or, if nothing is printed, as files. */
  delivery: enums(['home', 'studio', 'download']),
  /** When the order is expected, as customers read it, while it is; null if the studio does not say so, or the days have passed. */
  arrival: nullable(string()),
  lines: array(OrderLine),
  totals: Totals,
  cardEnding: nullable(string()),
  /** The codes of the promotions of the discount. */
  promotionCode: nullable(string()),
  /** The tracking number of a shipped order. */
  trackingNumber: nullable(string()),
  /** Refunds, oldest first; `pending`: not confirmed yet. A refund that was made has the number of a credit note. */
  refunds: array(
    type({
      amountCents: Cents,
      state: enums(['pending', 'done', 'failed']),
      at: Instant,
      creditNote: nullable(string()),
    }),
  ),
  /** The amount a cancellation would refund: paid, and neither refunded nor being refunded. */
  refundableCents: Cents,
  /** Links to files; `subjectName` if they are of one subject. */
  downloads: array(type({ linkId: string(), kind: enums(['single', 'all']), subjectName: string() })),
  /** Dates that matter to the order, in the studio's time zone, sorted. */
  dates: array(type({ name: string(), on: Day })),
  /** Whether the customer can still cancel: not at the lab, not paid at the studio, and no file downloaded. */
  mayCancel: boolean(),
  /** Whether texts, images and quantities can still be changed: not at the lab, and not in a closed batch. */
  mayChange: boolean(),
})
export type Order = Infer<typeof Order>

/** An order by its number; only for the session that placed it or found it by number and e-mail. */
export const getOrder = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/orders/:orderId',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20) }),
  answer: Order,
  problems: ['session-unknown', 'not-found'],
})

/** The order search: sets the session cookie if necessary and grants access to the one order that was found. */
export const searchOrder = call({
  method: 'GET',
  path: '/api/customer/cart/search/',
  who: 'anyone',
  query: object({ orderNumber: size(string(), 1, 40), email: size(string(), 3, 254) }),
  answer: type({ jobId: integer(), orderNumber: string(), order: Order }),
  problems: ['not-found'],
})
