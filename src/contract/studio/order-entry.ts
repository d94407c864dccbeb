import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  max,
  min,
  nullable,
  object,
  optional,
  record,
  size,
  string,
  type,
} from 'superstruct'
import { maxCartLines, maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { organizationTypes } from '#domain/catalogue/catalogue.ts'
import { orderStates } from '#domain/orders/order-states.ts'
import { paperPayments } from '#domain/orders/paper-order.ts'
import { Address, Customer, Order, ShippingOption, Totals } from '../customer/checkout-calls.ts'
import { JobServices } from '../customer/job-offers.ts'
import type { AnyCall } from '../shapes/call.ts'
import { ImageChoice, PersonalizationChoice } from '../shapes/cart-structs.ts'
import { Package } from '../shapes/catalogue-structs.ts'
import { Cents, Id, Instant, Nothing, OrderMethod, shortText, Uuid, WholeNumber } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { jobPath, listQuery, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'

/** A package as the order form numbers it, and in which of the two ways it is sold. */
export const EntryPackage = type({ number: integer(), prepay: boolean(), gallery: boolean(), package: Package })
export type EntryPackage = Infer<typeof EntryPackage>

/** What an empty form is made of. `hasPictures`: whether there are any to choose from yet. */
export const EntryForm = type({
  jobName: string(),
  /** Decides the shape of some crops (section 4). */
  organizationType: enums(organizationTypes),
  packages: array(EntryPackage),
  services: JobServices,
  shippingOptions: array(ShippingOption),
  delivery: type({ batch: boolean(), home: boolean() }),
  takesCodes: boolean(),
  hasPictures: boolean(),
})
export type EntryForm = Infer<typeof EntryForm>

/** Its addresses are good for a quarter of an hour; the size is the upright picture's, in pixels. */
export const EntryImage = type({
  imageId: integer(),
  number: integer(),
  fileName: string(),
  isGroup: boolean(),
  width: integer(),
  height: integer(),
  thumbnailUrl: optional(string()),
  previewUrl: optional(string()),
})
export type EntryImage = Infer<typeof EntryImage>

/** Somebody to order for, with what is known of them for texts, and their pictures as they are numbered. */
export const EntrySubject = type({
  subjectId: integer(),
  firstName: string(),
  lastName: string(),
  reference: nullable(string()),
  code: nullable(string()),
  groups: array(string()),
  fields: array(type({ name: string(), value: string() })),
  pictures: array(EntryImage),
})
export type EntrySubject = Infer<typeof EntrySubject>

const Quantity = max(min(WholeNumber, 1), maxLineQuantity)

const { cropDimensions, frontendCropDimensions, rotation } = ImageChoice.schema

export const EntryLine = object({
  subjectId: Id,
  packageId: Id,
  quantity: Quantity,
  /** The picture for all of it but a group's places; null where pictures are chosen later. */
  imageId: nullable(Id),
  /** The picture for a group's places. */
  groupImageId: optional(nullable(Id)),
  texts: size(array(object({ nodeId: Id, value: shortText(500) })), 0, 50),
  /** How the picture is cut at some of its places; whole in the middle of any other. */
  crops: optional(size(array(object({ nodeId: Id, cropDimensions, frontendCropDimensions, rotation })), 0, 50)),
})
export type EntryLine = Infer<typeof EntryLine>

export const EntryService = object({
  subjectId: Id,
  orderServiceId: Id,
  imageId: nullable(Id),
  personalization: nullable(PersonalizationChoice),
})
export type EntryService = Infer<typeof EntryService>

/**
 * An order form. `prepay`: pictures are chosen once there are any. `shippingOption` null: it goes to the studio, with the batch; `address`
 * is where it is mailed, and whose taxes apply (without one the studio's own). An e-mail address is the customer's to give.
 */
export const EntryDraft = object({
  orderMethod: OrderMethod,
  lines: size(array(EntryLine), 1, maxCartLines),
  services: size(array(EntryService), 0, maxCartLines),
  customer: Customer,
  address: nullable(Address),
  shippingOption: nullable(shortText(40)),
  promoCode: shortText(40),
})
export type EntryDraft = Infer<typeof EntryDraft>

const needs = { feature: 'orderEntry' } as const
const problems = [...readProblems, 'refused'] as const

export const getEntryForm = {
  method: 'GET',
  path: `${jobPath}/entry`,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: EntryForm,
  problems,
} satisfies AnyCall

export const listEntrySubjects = {
  method: 'GET',
  path: `${jobPath}/entry/subjects`,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: object(listQuery),
  body: Nothing,
  answer: listOf(EntrySubject),
  problems,
} satisfies AnyCall

/**
 * What a form comes to, by the same rules as a checkout, and what keeps it from being ordered, by its fields (`lines.0`, `customer.email`).
 */
export const priceEntry = {
  method: 'POST',
  path: `${jobPath}/entry/totals`,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: Nothing,
  body: EntryDraft,
  answer: type({ totals: Totals, faults: record(string(), array(string())) }),
  problems,
} satisfies AnyCall

/** An order that was keyed in, and what goes back over the counter. */
export const EntryResult = type({ orderNumber: string(), totals: Totals, changeCents: Cents })
export type EntryResult = Infer<typeof EntryResult>

/** Orders what is on the form. `entryKey` is the form's own: sent twice, it is one order. */
export const enterOrder = {
  method: 'POST',
  path: `${jobPath}/entry/orders`,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: Nothing,
  body: object({
    entryKey: Uuid,
    draft: EntryDraft,
    /** As it was shown. */
    totalCents: Cents,
    payment: object({ method: enums(paperPayments), receivedCents: Cents, checkNumber: shortText(40) }),
  }),
  answer: EntryResult,
  problems: [...problems, 'totals-changed'],
} satisfies AnyCall

const paid = { payMethod: enums(['card', 'none', ...paperPayments]), checkNumber: nullable(string()) }

export const EnteredOrder = type({
  orderNumber: string(),
  customerName: string(),
  email: string(),
  state: enums(orderStates),
  placedAt: Instant,
  totalCents: Cents,
  enteredBy: nullable(string()),
  ...paid,
})
export type EnteredOrder = Infer<typeof EnteredOrder>

/** The orders of a job that were keyed in, the newest first. */
export const listEnteredOrders = {
  method: 'GET',
  path: `${jobPath}/entry/orders`,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: object(listQuery),
  body: Nothing,
  answer: listOf(EnteredOrder),
  problems,
} satisfies AnyCall

/** A receipt to print. */
export const getEnteredOrder = {
  method: 'GET',
  path: `${jobPath}/entry/orders/:orderNumber`,
  who: staff,
  needs,
  params: object({ ...studioJobParams, orderNumber: size(string(), 1, 20) }),
  query: Nothing,
  body: Nothing,
  answer: type({ order: Order, ...paid, enteredBy: optional(nullable(string())) }),
  problems,
} satisfies AnyCall
