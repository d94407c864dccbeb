import { boolean, enums, type Infer, integer, object, optional, string, type } from 'superstruct'
import { type ShippingDestination, shippingDestinations } from '#domain/platform/shipping-option.ts'
import { Cents, Count, shortText, WholeNumber } from '../shapes/primitives.ts'
import { expectedVersion, listQuery } from '../shapes/staff-call.ts'
import { platformResource, Removal } from './platform-resource.ts'

const ShipsTo = enums(Object.keys(shippingDestinations) as ShippingDestination[]) // the keys of a constant

/** A way to ship orders; an archived one is no longer offered. */
export const PlatformShippingOption = type({
  id: integer(),
  code: string(),
  label: string(),
  description: string(),
  shipsTo: ShipsTo,
  priceCents: Cents,
  /** The price of every package after the first. */
  eachMoreCents: Cents,
  position: Count,
  isArchived: boolean(),
  version: Count,
})
export type PlatformShippingOption = Infer<typeof PlatformShippingOption>

const draft = {
  code: shortText(40),
  label: shortText(),
  description: shortText(500),
  shipsTo: ShipsTo,
  priceCents: WholeNumber,
  eachMoreCents: WholeNumber,
  position: WholeNumber,
}

const shippingOptions = platformResource({
  base: '/api/admin/shipping-options',
  query: object({ ...listQuery, type: optional(enums(['current', 'archived'])) }),
  item: PlatformShippingOption,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion, isArchived: optional(boolean()) }),
})
export const {
  get: getShippingOption,
  list: listShippingOptions,
  post: postShippingOption,
  put: putShippingOption,
} = shippingOptions
/** Deletes a shipping option, or archives it if an order has it. */
export const deleteShippingOption = { ...shippingOptions.remove, answer: Removal }
