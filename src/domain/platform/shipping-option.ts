import { oneOf, type Rules, required } from '../shared/validators.ts'
import { maxAmountCents, wholeNumber } from '../studio/rates.ts'

/** Where a shipping option sends an order. */
export const shippingDestinations = { home: 'Home', studio: 'Studio' } as const
export type ShippingDestination = keyof typeof shippingDestinations

/** A way to ship orders, which customers of all studios choose at checkout. */
export type ShippingOptionDraft = {
  /** By which checkouts and orders refer to it. */
  code: string
  label: string
  description: string
  shipsTo: ShippingDestination
  /** The price of the first package, and of every further one. */
  priceCents: number
  eachMoreCents: number
  /** Options are offered in this order. */
  position: number
}

export const maxPosition = 999

export const catalogueMessages = {
  price: 'Enter an amount from $0 to $999,999.99',
  position: `Enter a whole number from 0 to ${maxPosition}`,
} as const

export const shippingOptionMessages = {
  code: 'Enter up to 40 lowercase letters, digits and hyphens',
  codeInUse: 'The code cannot change, because orders have it',
  codeTaken: 'Another shipping option has this code',
} as const

export const shippingOptionRules: Rules<ShippingOptionDraft> = {
  code: [
    required(),
    (value) => (/^([a-z0-9][a-z0-9-]{0,39})?$/.test(String(value).trim()) ? null : shippingOptionMessages.code),
  ],
  label: required(),
  shipsTo: oneOf(Object.keys(shippingDestinations)),
  priceCents: wholeNumber(0, maxAmountCents, catalogueMessages.price),
  eachMoreCents: wholeNumber(0, maxAmountCents, catalogueMessages.price),
  position: wholeNumber(0, maxPosition, catalogueMessages.position),
}
