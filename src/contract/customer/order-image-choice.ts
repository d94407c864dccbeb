import { array, boolean, enums, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { organizationTypes } from '#domain/catalogue/catalogue.ts'
import { call } from '../shapes/call.ts'
import { CartPackage, ImageChoice, PersonalizationChoice, TextChoice } from '../shapes/cart-structs.ts'
import { Image } from '../shapes/image-structs.ts'
import { Id, shortText } from '../shapes/primitives.ts'
import { imagesQuery } from './discovery-calls.ts'

/**
 * A package of an order as sold and printed, and the images to choose from. `id` is the line's in its order.
 * `withheld`: images of its subject are not shown here, nor mentioned in mails. `version` increases with each change of
 * the line.
 */
const OrderLineImages = type({
  id: integer(),
  needsImages: boolean(),
  line: CartPackage,
  images: array(Image),
  withheld: optional(boolean()),
  version: optional(integer()),
})

/** Printed name and year of a subject, as a line of its own. */
const PrintedPersonalization = type({
  id: integer(),
  version: integer(),
  name: string(),
  subjectName: string(),
  choice: type({ ...PersonalizationChoice.schema }),
})

export const OrderImageChoice = type({
  orderNumber: string(),
  jobName: string(),
  organizationType: enums(organizationTypes),
  /**
   * `waiting`: there are no images yet; texts can be changed. `closed`: the order is at the lab or about to be
   * submitted, or was cancelled.
   */
  state: enums(['waiting', 'open', 'closed']),
  /** Why it is closed, as a message. */
  why: optional(nullable(string())),
  lines: array(OrderLineImages),
  printedWords: optional(array(PrintedPersonalization)),
})

/**
 * The lines of an order whose images or texts the customer can change. For an order from before the picture day, the
 * session gets access to the images of its subjects once they are published; for other orders, to those it may see
 * anyway.
 */
export const getOrderImageChoice = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/orders/:orderId/poses',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20) }),
  query: object(imagesQuery),
  answer: OrderImageChoice,
  problems: ['session-unknown', 'not-found'],
})

/**
 * Changes the printed name and year of a subject; the products they are printed on stay as sold. Versions work as for
 * lines.
 */
export const patchPrintedTexts = call({
  method: 'PATCH',
  path: '/api/customer/jobs/:jobId/orders/:orderId/lines/:lineId/words',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20), lineId: Id }),
  body: object({ version: optional(Id), nameToPrint: shortText(60), yearToPrint: shortText(20) }),
  answer: type({ version: integer() }),
  problems: ['session-unknown', 'not-found', 'conflict', 'refused'],
})

/**
 * Changes images, crops and texts of a line, as in a cart; nodes that are not named stay. `version` is that of the line
 * as the customer saw it; a different one is a conflict. A text sent as its mask stays unchanged.
 */
export const patchOrderImageChoice = call({
  method: 'PATCH',
  path: '/api/customer/jobs/:jobId/orders/:orderId/lines/:lineId/poses',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20), lineId: Id }),
  body: object({
    version: optional(Id),
    textNodes: optional(size(array(TextChoice), 0, 200)),
    imageNodes: optional(size(array(ImageChoice), 0, 200)),
    greenScreenBackgroundId: optional(nullable(Id)),
  }),
  answer: type({ needsImages: boolean(), awaitsImages: boolean(), version: optional(integer()) }),
  problems: ['session-unknown', 'not-found', 'grant-needed', 'conflict', 'refused'],
})
