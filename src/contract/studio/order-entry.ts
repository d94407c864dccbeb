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
import { Customer, ShippingOption } from '../customer/checkout-calls.ts'
import { JobServices } from '../customer/job-offers.ts'
import { Order } from '../customer/order-calls.ts'
import { call } from '../shapes/call.ts'
import { ImageChoice, PersonalizationChoice } from '../shapes/cart-structs.ts'
import { Package } from '../shapes/catalogue-structs.ts'
import { Address, Totals } from '../shapes/order-structs.ts'
import { Cents, Id, Instant, OrderMethod, shortText, Uuid, WholeNumber } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { hiddenCode, jobPath, listQuery, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'

/** A package with its number on the order form, and the order methods that offer it. */
export const EntryPackage = type({ number: integer(), prepay: boolean(), gallery: boolean(), package: Package })
export type EntryPackage = Infer<typeof EntryPackage>

/** The data for an empty form. `hasImages`: whether there are images to choose from. */
export const EntryForm = type({
  jobName: string(),
  /** Determines the aspect ratio of some crops (section 4). */
  organizationType: enums(organizationTypes),
  packages: array(EntryPackage),
  services: JobServices,
  shippingOptions: array(ShippingOption),
  delivery: type({ batch: boolean(), home: boolean() }),
  takesCodes: boolean(),
  hasImages: boolean(),
})
export type EntryForm = Infer<typeof EntryForm>

/** An image of the form. Its addresses are valid for 10 to 15 minutes; its size is in upright pixels. */
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

/** A subject with the data for its texts, and its numbered images. */
export const EntrySubject = type({
  subjectId: integer(),
  firstName: string(),
  lastName: string(),
  reference: nullable(string()),
  code: nullable(string()),
  groups: array(string()),
  fields: array(type({ name: string(), value: string() })),
  images: array(EntryImage),
})
export type EntrySubject = Infer<typeof EntrySubject>

const Quantity = max(min(WholeNumber, 1), maxLineQuantity)

const { cropDimensions, frontendCropDimensions, rotation } = ImageChoice.schema

export const EntryLine = object({
  subjectId: Id,
  packageId: Id,
  quantity: Quantity,
  /** The image for all nodes except group nodes; null if images are chosen later. */
  imageId: nullable(Id),
  /** The image for group nodes. */
  groupImageId: optional(nullable(Id)),
  texts: size(array(object({ nodeId: Id, value: shortText(500) })), 0, 50),
  /** The crops of some nodes; the others use the largest centred crop. */
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
 * An order form. `prepay`: images are chosen later. `shippingOption` null: delivered to the studio with the batch;
 * `address` is the shipping address and determines the tax (without it, the studio's address does). The e-mail address
 * is optional.
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

export const getEntryForm = call({
  method: 'GET',
  path: `${jobPath}/entry`,
  who: staff,
  needs,
  params: object(studioJobParams),
  answer: EntryForm,
  problems,
})

export const listEntrySubjects = call({
  method: 'GET',
  path: `${jobPath}/entry/subjects`,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: object(listQuery),
  answer: listOf(EntrySubject),
  codes: { code: hiddenCode },
  problems,
})

/**
 * The totals of a form, by the same rules as a checkout, and the errors that prevent the order, by field (`lines.0`,
 * `customer.email`).
 */
export const priceEntry = call({
  method: 'POST',
  path: `${jobPath}/entry/totals`,
  who: staff,
  needs,
  params: object(studioJobParams),
  body: EntryDraft,
  answer: type({ totals: Totals, faults: record(string(), array(string())) }),
  problems,
})

/** An entered order, and the change due. */
export const EntryResult = type({ orderNumber: string(), totals: Totals, changeCents: Cents })
export type EntryResult = Infer<typeof EntryResult>

/**
 * Places the order of a form. `entryKey` is the form's idempotency key: sent twice, it is one order. The order can contain
 * downloads of photos, which are sent to the email in the form.
 */
export const enterOrder = call({
  method: 'POST',
  path: `${jobPath}/entry/orders`,
  who: staff,
  needs,
  givesPhotos: true,
  params: object(studioJobParams),
  body: object({
    entryKey: Uuid,
    draft: EntryDraft,
    /** The total that staff saw. */
    totalCents: Cents,
    payment: object({ method: enums(paperPayments), receivedCents: Cents, checkNumber: shortText(40) }),
  }),
  answer: EntryResult,
  problems: [...problems, 'totals-changed'],
})

const paymentFields = { payMethod: enums(['card', 'none', ...paperPayments]), checkNumber: nullable(string()) }

export const EnteredOrder = type({
  orderNumber: string(),
  customerName: string(),
  email: string(),
  state: enums(orderStates),
  placedAt: Instant,
  totalCents: Cents,
  enteredBy: nullable(string()),
  ...paymentFields,
})
export type EnteredOrder = Infer<typeof EnteredOrder>

/** The entered orders of a job, newest first. */
export const listEnteredOrders = call({
  method: 'GET',
  path: `${jobPath}/entry/orders`,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: object(listQuery),
  answer: listOf(EnteredOrder),
  problems,
})

/** The data of a printed receipt. */
export const getEnteredOrder = call({
  method: 'GET',
  path: `${jobPath}/entry/orders/:orderNumber`,
  who: staff,
  needs,
  params: object({ ...studioJobParams, orderNumber: size(string(), 1, 20) }),
  answer: type({ order: Order, ...paymentFields, enteredBy: optional(nullable(string())) }),
  problems,
})
