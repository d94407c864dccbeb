import { array, type Infer, integer, nullable, object, optional, refine, size, type, unknown } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import {
  Cart,
  CartPackage,
  CropDimensions,
  DataField,
  FrontendCropDimensions,
  ImageChoice,
  MutationResult,
  TextChoice,
} from '../shapes/cart-structs.ts'
import { Id, Nothing, OrderMethod, shortText, Uuid, WholeNumber } from '../shapes/primitives.ts'

const ofJob = object({ jobId: Id })
const ofMethod = object({ orderMethod: OrderMethod })
const shared = ['session-unknown', 'code-needed', 'not-found'] as const

/** Opens the session's cart for an order method, or gives the one that is open. */
export const openCart = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/carts',
  who: 'job',
  params: ofJob,
  query: Nothing,
  body: ofMethod,
  answer: Cart,
  problems: shared,
} satisfies AnyCall

export const maxMutationsPerSync = 200

/**
 * Everything a device has to tell, in order. Each mutation is its own idempotency key and its own transaction; the answer is every
 * result and the cart as it now is. Mutations are `unknown` here: each is up-cast and held against `Mutation` by itself, so that one
 * that cannot be read is refused alone. `cartId`: the cart the device tells of, where it knows one. Once that is ordered, nothing more is
 * put into it nor, unasked, into the next one: what would change it is refused (`cart-closed`), for the customer to decide.
 */
export const syncCart = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/cart/sync',
  who: 'job',
  params: ofJob,
  query: Nothing,
  body: object({
    orderMethod: OrderMethod,
    cartId: optional(Id),
    mutations: size(array(unknown()), 0, maxMutationsPerSync),
  }),
  answer: type({ results: array(MutationResult), cart: Cart }),
  problems: shared,
} satisfies AnyCall

export const getCart = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/cart',
  who: 'job',
  params: ofJob,
  query: ofMethod,
  body: Nothing,
  answer: Cart,
  problems: shared,
} satisfies AnyCall

/** The live carts of this visit, each with no more than tells whether a device has its newest state. */
export const listCarts = {
  ...getCart,
  path: openCart.path,
  query: Nothing,
  answer: array(type({ orderMethod: OrderMethod, id: Id, version: integer() })),
} satisfies AnyCall
export type LiveCart = Infer<(typeof listCarts)['answer']>[number]

/** The cart with what it comes to, before promotion, shipping and tax. */
export const getCartDetails = {
  ...getCart,
  path: '/api/customer/jobs/:jobId/cart/details',
  answer: type({ cart: Cart, packagesCents: integer(), servicesCents: integer(), totalCents: integer() }),
} satisfies AnyCall

/**
 * Without `orderMethod` it is the cart in front of the customer: the method is chosen as on the device. Refused without it where both
 * carts have lines: a repetition would empty the other one.
 */
export const deleteCart = {
  method: 'DELETE',
  path: '/api/customer/jobs/:jobId/cart',
  who: 'job',
  params: ofJob,
  query: object({ orderMethod: optional(OrderMethod) }),
  body: Nothing,
  answer: type({}),
  problems: [...shared, 'refused', 'key-reused'],
} satisfies AnyCall

/** `lineId` lets a device name the line itself; without it the server does. A missing package or subject is 'An error occurred'. */
export const postCartPackage = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/cartpackages',
  who: 'job',
  params: ofJob,
  query: Nothing,
  body: object({
    packageId: optional(nullable(Id)),
    subjectId: optional(nullable(Id)),
    orderMethod: OrderMethod,
    quantity: optional(Id),
    lineId: optional(Uuid),
    dataFields: optional(size(array(DataField), 0, 100)),
    greenScreenBackgroundId: optional(nullable(Id)),
    textNodes: optional(size(array(TextChoice), 0, 200)),
    imageNodes: optional(size(array(ImageChoice), 0, 200)),
  }),
  answer: CartPackage,
  problems: [...shared, 'refused', 'in-flight', 'key-reused'],
} satisfies AnyCall

const ofCartPackage = object({ jobId: Id, id: Id })

export const patchCartPackage = {
  method: 'PATCH',
  path: '/api/customer/jobs/:jobId/cartpackages/:id',
  who: 'job',
  params: ofCartPackage,
  query: Nothing,
  body: refine(
    object({
      quantity: optional(WholeNumber),
      greenScreenBackgroundId: optional(nullable(Id)),
      dataFields: optional(size(array(DataField), 0, 100)),
      textNodes: optional(size(array(TextChoice), 0, 200)),
      imageNodes: optional(size(array(ImageChoice), 0, 200)),
    }),
    'at least one change',
    (body) => Object.keys(body).length > 0,
  ),
  answer: Cart,
  failureData: false,
  problems: [...shared, 'refused', 'in-flight', 'key-reused'],
} satisfies AnyCall

export const deleteCartPackage = {
  method: 'DELETE',
  path: patchCartPackage.path,
  who: 'job',
  params: ofCartPackage,
  query: Nothing,
  body: Nothing,
  answer: Cart,
  problems: patchCartPackage.problems,
} satisfies AnyCall

export const patchTextNode = {
  ...patchCartPackage,
  path: '/api/customer/jobs/:jobId/cartpackageitems/text-nodes/:id',
  body: object({ value: shortText() }),
} satisfies AnyCall

export const patchImageNode = {
  ...patchCartPackage,
  path: '/api/customer/jobs/:jobId/cartpackageitems/image-nodes/:id',
  body: object({
    cropDimensions: optional(nullable(CropDimensions)),
    frontendCropDimensions: optional(nullable(FrontendCropDimensions)),
    rotation: optional(WholeNumber),
    subjectImageId: optional(nullable(Id)),
    groupImageId: optional(nullable(Id)),
    replacementImageId: optional(nullable(Id)),
  }),
} satisfies AnyCall
