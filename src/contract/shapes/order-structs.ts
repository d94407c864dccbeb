import { type Infer, nullable, object, optional, string, type } from 'superstruct'
import { Cents, shortText } from './primitives.ts'

export const Address = object({
  firstName: shortText(100),
  lastName: shortText(100),
  address1: shortText(),
  address2: shortText(),
  city: shortText(100),
  /** Two letters; AA, AE and AP for military addresses. */
  state: shortText(2),
  zip: shortText(10),
})
export type Address = Infer<typeof Address>

/** Whole cents; the parts, with the discount subtracted, add up to `totalCents` exactly. */
export const Totals = type({
  packagesCents: Cents,
  servicesCents: Cents,
  discountCents: Cents,
  /** What was added because the order is late. */
  lateFeeCents: Cents,
  shippingCents: Cents,
  taxCents: Cents,
  totalCents: Cents,
  /** In the totals of a cart: the codes of the promotions of the discount; null if there is none. */
  promotionCode: optional(nullable(string())),
})
export type Totals = Infer<typeof Totals>
