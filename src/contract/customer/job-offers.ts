import { array, boolean, type Describe, enums, integer, nullable, object, optional, string, type } from 'superstruct'
import * as domain from '#domain/cart/order-service-types.ts'
import { call } from '../shapes/call.ts'
import { PersonalizationChoice, ShownPrice } from '../shapes/cart-structs.ts'
import { customerJobProblems, jobParams } from '../shapes/customer-call.ts'
import { Dollars, Id, Nothing, OrderMethod } from '../shapes/primitives.ts'
import { patchCartPackage } from './cart-calls.ts'

const OrderService: Describe<domain.OrderService> = type({
  id: integer(),
  orderServiceId: integer(),
  kind: enums(domain.serviceKinds),
  name: string(),
  description: string(),
  level: nullable(enums(['basic', 'premium'])),
  price: Dollars,
  enabled: boolean(),
})

export const JobServices: Describe<domain.JobServices> = type({
  allowRetouch: boolean(),
  allowNameOnAllPrints: boolean(),
  allowNameOnWallets: boolean(),
  imageLevelService: boolean(),
  services: array(OrderService),
})

/**
 * The services of a job with its own prices and flags; an empty list for a studio without the feature `orderServices`.
 */
export const getJobServices = call({
  method: 'GET',
  path: '/api/customer/studios/:studioId/jobs/:jobId/services',
  who: 'job',
  params: object({ studioId: Id, jobId: Id }),
  answer: JobServices,
  problems: customerJobProblems,
})

/**
 * A background for cut-outs. The URLs use the session's newest grant that shows images, and are null if there is none.
 * The size is in pixels after EXIF rotation.
 */
export const GreenScreen = type({
  id: integer(),
  imageId: integer(),
  name: string(),
  width: integer(),
  height: integer(),
  thumbnailUrl: nullable(string()),
  previewUrl: nullable(string()),
})

export const listGreenScreens = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/greenscreens',
  who: 'job',
  params: jobParams,
  answer: array(GreenScreen),
  problems: customerJobProblems,
})

/** A field that the job asks of every subject before the picture day. `options`: the valid values, if `hasOptions`. */
export const JobField = type({
  id: integer(),
  name: string(),
  label: string(),
  inputType: enums(['text', 'textarea', 'alphanumeric']),
  required: boolean(),
  hasOptions: boolean(),
  options: array(type({ id: integer(), value: string() })),
  templateId: nullable(integer()),
})

export const listJobFields = call({
  ...listGreenScreens,
  path: '/api/customer/jobs/:jobId/fields',
  answer: array(JobField),
})

const serviceOrderFields = {
  subjectId: Id,
  orderServiceId: Id,
  /** If missing, the cart that the customer sees. */
  orderMethod: optional(OrderMethod),
  cartId: optional(nullable(Id)),
  /**
   * The price that the customer saw, in decimal dollars. If it differs from the job's, it stays in the cart until the
   * customer accepts the new one.
   */
  price: optional(ShownPrice),
}

/** Orders a service for a subject: one without choices, or retouching (of `imageLookupId` if it is per image). */
export const postOrderService = call({
  ...patchCartPackage,
  method: 'POST',
  path: '/api/customer/jobs/:jobId/cartOrderServices',
  params: jobParams,
  body: object({ ...serviceOrderFields, imageLookupId: optional(nullable(Id)) }),
})

export const postPersonalization = call({
  ...postOrderService,
  path: '/api/customer/jobs/:jobId/cartOrderServices/personalization',
  body: object({ ...serviceOrderFields, ...PersonalizationChoice.schema }),
})

/** The same call under the misspelt name that existing callers use (section 7). */
export const postPresonalization = call({
  ...postPersonalization,
  path: '/api/customer/jobs/:jobId/cartOrderServices/presonalization',
})

export const deleteOrderService = call({
  ...patchCartPackage,
  method: 'DELETE',
  path: '/api/customer/jobs/:jobId/cartOrderServices/:id',
  body: Nothing,
})
