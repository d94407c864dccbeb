import { array, boolean, enums, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { organizationTypes } from '#domain/catalogue/catalogue.ts'
import type { AnyCall } from '../shapes/call.ts'
import { CartPackage, ImageChoice, PersonalizationChoice, TextChoice } from '../shapes/cart-structs.ts'
import { Id, Nothing, shortText } from '../shapes/primitives.ts'
import { Image, imagesQuery } from './discovery-calls.ts'

/**
 * A package of an order: as it was sold and is to be printed, and the pictures there are to choose from. `id` is the line's in its
 * order. `withheld`: no pictures of its person are to come here, and no mail about them. `version` grows with each change of the line.
 */
const OrderLineImages = type({
  id: integer(),
  needsPoses: boolean(),
  line: CartPackage,
  images: array(Image),
  withheld: optional(boolean()),
  version: optional(integer()),
})

/** Name and year of somebody's prints, as a line of its own. */
const PrintedPersonalization = type({
  id: integer(),
  version: integer(),
  name: string(),
  personName: string(),
  choice: type({ ...PersonalizationChoice.schema }),
})

export const OrderImageChoice = type({
  orderNumber: string(),
  jobName: string(),
  organizationType: enums(organizationTypes),
  /**
   * `waiting`: there are no pictures yet; texts may be put right. `closed`: the order is with the lab or about to go there, or was
   * cancelled.
   */
  state: enums(['waiting', 'open', 'closed']),
  /** Why it is closed, in a sentence. */
  why: optional(nullable(string())),
  lines: array(OrderLineImages),
  printedWords: optional(array(PrintedPersonalization)),
})

/**
 * The lines of an order whose pictures or texts its customer may put right. Of one from before the picture day the visit may see the
 * pictures of its people once they are out; of another, those it may see anyway.
 */
export const getOrderImageChoice = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/orders/:orderId/poses',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20) }),
  query: object(imagesQuery),
  body: Nothing,
  answer: OrderImageChoice,
  problems: ['session-unknown', 'not-found'],
} satisfies AnyCall

/** Puts the name and the year of somebody's prints right; where they are printed stays as it was sold. Versions are as for a line. */
export const patchPrintedTexts = {
  method: 'PATCH',
  path: '/api/customer/jobs/:jobId/orders/:orderId/lines/:lineId/words',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20), lineId: Id }),
  query: Nothing,
  body: object({ version: optional(Id), nameToPrint: shortText(60), yearToPrint: shortText(20) }),
  answer: type({ version: integer() }),
  problems: ['session-unknown', 'not-found', 'conflict', 'refused'],
} satisfies AnyCall

/**
 * Puts pictures, crops and texts of a line right, as in a cart; what is not named stays as it is. `version` is the line's as it was
 * seen: changed in between, it is a conflict. A text sent as its mask stays as it is.
 */
export const patchOrderImageChoice = {
  method: 'PATCH',
  path: '/api/customer/jobs/:jobId/orders/:orderId/lines/:lineId/poses',
  who: 'session',
  params: object({ jobId: Id, orderId: size(string(), 1, 20), lineId: Id }),
  query: Nothing,
  body: object({
    version: optional(Id),
    textNodes: optional(size(array(TextChoice), 0, 200)),
    imageNodes: optional(size(array(ImageChoice), 0, 200)),
    greenScreenBackgroundId: optional(nullable(Id)),
  }),
  answer: type({ needsPoses: boolean(), awaitsPoses: boolean(), version: optional(integer()) }),
  problems: ['session-unknown', 'not-found', 'grant-needed', 'conflict', 'refused'],
} satisfies AnyCall
