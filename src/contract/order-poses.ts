import { array, boolean, enums, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { organizationTypes } from '../domain/catalogue.ts'
import type { AnyCall } from './call.ts'
import { CartPackage, ImageChoice } from './cart.ts'
import { Image, imagesQuery } from './customer-find.ts'
import { Id, Nothing } from './primitives.ts'

/**
 * A line paid for before the picture day: as it was sold, and what there is to choose from. `id` is the line's in its order.
 * `withheld`: no pictures of its person are to come here, and no mail about them.
 */
const LineToPose = type({
  id: integer(),
  needsPoses: boolean(),
  line: CartPackage,
  images: array(Image),
  withheld: optional(boolean()),
})

export const OrderPoses = type({
  orderNumber: string(),
  jobName: string(),
  organizationType: enums(organizationTypes),
  /** `waiting`: there are no pictures yet. `closed`: the order is with the lab, or was cancelled. */
  state: enums(['waiting', 'open', 'closed']),
  lines: array(LineToPose),
})

/** The lines of an order whose pictures the customer chooses afterwards; once there are pictures the visit may see those of its people. */
export const getOrderPoses = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/orders/:orderId/poses',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20) }),
  query: object(imagesQuery),
  body: Nothing,
  answer: OrderPoses,
  problems: ['session-unknown', 'not-found'],
} satisfies AnyCall

/** Places pictures on a line that was paid for before there were any; what is not named stays as it is. */
export const patchOrderPoses = {
  method: 'PATCH',
  path: '/api/customer/jobs/:jobId/orders/:orderId/lines/:lineId/poses',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20), lineId: Id }),
  query: Nothing,
  body: object({
    imageNodes: optional(size(array(ImageChoice), 0, 200)),
    greenScreenBackgroundId: optional(nullable(Id)),
  }),
  answer: type({ needsPoses: boolean(), awaitsPoses: boolean() }),
  problems: ['session-unknown', 'not-found', 'grant-needed', 'refused'],
} satisfies AnyCall
