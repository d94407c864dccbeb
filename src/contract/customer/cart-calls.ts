import {
  array,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  refine,
  size,
  string,
  type,
  unknown,
} from 'superstruct'
import { call } from '../shapes/call.ts'
import {
  Cart,
  CartChanges,
  CartPackage,
  CropDimensions,
  DataField,
  FrontendCropDimensions,
  ImageChoice,
  MutationResult,
  TextChoice,
} from '../shapes/cart-structs.ts'
import { customerJobProblems, jobParams } from '../shapes/customer-call.ts'
import { Id, Nothing, OrderMethod, shortText, Uuid, WholeNumber } from '../shapes/primitives.ts'

const orderMethodOnly = object({ orderMethod: OrderMethod })

/**
 * Returns the session's open cart for an order method. If there is none, creates it, or returns an unsaved empty cart
 * if the method is closed.
 */
export const openCart = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/carts',
  who: 'job',
  params: jobParams,
  body: orderMethodOnly,
  answer: Cart,
  problems: customerJobProblems,
})

export const maxMutationsPerSync = 200

/**
 * Applies a device's queued mutations in order. Each mutation is its own idempotency key; if one is rejected, the others
 * still take effect. The response has the result of each and the resulting cart. Mutations are `unknown` here: each is
 * up-cast and validated against `Mutation` separately, so that an unreadable one is rejected alone. `cartId`: the cart
 * that the mutations are for, if the device knows one. Once that cart is ordered, mutations change neither it nor the
 * next cart: they are rejected (`cart-closed`), for the customer to decide. `sentBefore`: ids of mutations whose
 * response the device never got. Their recorded results follow in `results`, because the cart may contain their effects
 * already. `base`: the etag of the cart that the device has. If that was the current cart before this request, the
 * response has only what differs since.
 */
export const syncCart = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/cart/sync',
  who: 'job',
  params: jobParams,
  body: object({
    orderMethod: OrderMethod,
    cartId: optional(Id),
    mutations: size(array(unknown()), 0, maxMutationsPerSync),
    sentBefore: optional(size(array(Uuid), 0, maxMutationsPerSync)),
    base: optional(shortText()),
  }),
  /** `cart`, or its `changes` since `base`, and the etag of the changed cart. */
  answer: type({
    results: array(MutationResult),
    etag: optional(string()),
    cart: optional(Cart),
    changes: optional(CartChanges),
  }),
  problems: customerJobProblems,
})

export const getCart = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/cart',
  who: 'job',
  params: jobParams,
  query: orderMethodOnly,
  answer: Cart,
  problems: customerJobProblems,
})

/** The live carts of this session, with just enough data to check whether a device's copies are current. */
export const listCarts = call({
  ...getCart,
  path: openCart.path,
  query: Nothing,
  answer: array(type({ orderMethod: OrderMethod, id: Id, version: integer() })),
})
export type LiveCart = Infer<(typeof listCarts)['answer']>[number]

/** The cart with its amounts before promotion, shipping and tax. */
export const getCartDetails = call({
  ...getCart,
  path: '/api/customer/jobs/:jobId/cart/details',
  answer: type({ cart: Cart, packagesCents: integer(), servicesCents: integer(), totalCents: integer() }),
})

/**
 * Without `orderMethod` the cart that the customer sees is emptied: the server chooses the method as the device does.
 * Rejected without it if both carts have lines, because a retry would empty the other one.
 */
export const deleteCart = call({
  method: 'DELETE',
  path: '/api/customer/jobs/:jobId/cart',
  who: 'job',
  params: jobParams,
  query: object({ orderMethod: optional(OrderMethod) }),
  answer: type({}),
  problems: [...customerJobProblems, 'refused', 'key-reused'],
})

/**
 * Adds a line. `lineId` is the device's own id of the line; without it the server generates one. A missing package or
 * subject is rejected with 'An error occurred'.
 */
export const postCartPackage = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/cartpackages',
  who: 'job',
  params: jobParams,
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
  problems: [...customerJobProblems, 'refused', 'in-flight', 'key-reused'],
})

const cartPackageParams = object({ jobId: Id, id: Id })

export const patchCartPackage = call({
  method: 'PATCH',
  path: '/api/customer/jobs/:jobId/cartpackages/:id',
  who: 'job',
  params: cartPackageParams,
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
  problems: [...customerJobProblems, 'refused', 'in-flight', 'key-reused'],
})

export const deleteCartPackage = call({
  method: 'DELETE',
  path: patchCartPackage.path,
  who: 'job',
  params: cartPackageParams,
  answer: Cart,
  problems: patchCartPackage.problems,
})

export const patchTextNode = call({
  ...patchCartPackage,
  path: '/api/customer/jobs/:jobId/cartpackageitems/text-nodes/:id',
  body: object({ value: shortText() }),
})

export const patchImageNode = call({
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
})
