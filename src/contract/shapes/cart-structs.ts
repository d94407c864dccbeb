import {
  array,
  boolean,
  type Describe,
  dynamic,
  enums,
  type Infer,
  integer,
  is,
  literal,
  max,
  min,
  never,
  nullable,
  number,
  object,
  optional,
  Struct,
  size,
  string,
  type,
} from 'superstruct'
import type * as domain from '#domain/cart/cart.ts'
import { maxLineQuantity } from '#domain/cart/cart-rules.ts'
import { type Mutation as MutationShape, mutationVersion } from '#domain/cart/mutation.ts'
import { isKnownKind, type MutationKind } from '#domain/cart/mutation-kinds.ts'
import type * as domainServices from '#domain/cart/order-service-types.ts'
import { Package } from './catalogue-structs.ts'
import { Dollars, Id, Instant, OrderMethod, shortText, Uuid } from './primitives.ts'

/** JSON can contain numbers that overflow (`1e999`) and can then not be serialised again. */
const EditorNumber = max(min(number(), -1_000_000), 1_000_000)

const Percent = max(min(number(), -100), 200)

export const CropDimensions: Describe<domain.CropDimensions> = object({
  width: Percent,
  height: Percent,
  cropX: Percent,
  cropY: Percent,
  xMid: Percent,
  yMid: Percent,
})

export const FrontendCropDimensions: Describe<domain.FrontendCropDimensions> = object({
  x: EditorNumber,
  y: EditorNumber,
  zoom: EditorNumber,
})

const Rotation = max(min(integer(), 0), 359)
const imageId = nullable(Id)

/** Strict, as clients send it: a misspelt key is rejected instead of silently dropped. */
export const ImageChoice: Describe<domain.ImageChoice> = object({
  packageItemImageNodeId: Id,
  subjectImageId: imageId,
  groupImageId: imageId,
  replacementImageId: imageId,
  cropDimensions: nullable(CropDimensions),
  frontendCropDimensions: nullable(FrontendCropDimensions),
  rotation: Rotation,
})

export const TextChoice: Describe<domain.TextChoice> = object({
  packageItemTextNodeId: Id,
  value: shortText(),
  autoFilled: boolean(),
})

export const DataField: Describe<domain.DataField> = object({
  subjectId: imageId,
  name: shortText(),
  value: shortText(2000),
  templateId: imageId,
  optionId: imageId,
})

export const PersonalizationChoice: Describe<domainServices.PersonalizationChoice> = object({
  nameOnWallets: boolean(),
  nameOnAllPrints: boolean(),
  yearOnWallets: boolean(),
  yearOnAllPrints: boolean(),
  nameToPrint: shortText(60),
  yearToPrint: shortText(20),
})

const stamped = { id: Uuid, v: literal(mutationVersion), at: Instant }
const content = {
  greenScreenBackgroundId: imageId,
  dataFields: size(array(DataField), 0, 100),
  textNodes: size(array(TextChoice), 0, 200),
  imageNodes: size(array(ImageChoice), 0, 200),
}
const serviceKey = { subjectId: imageId, personId: nullable(Uuid), orderServiceId: Id, imageLookupId: imageId }
/** The price that was shown for a service; higher than any, and low enough for a column of cents. */
export const ShownPrice = max(Dollars, 100_000)
const Quantity = max(min(integer(), 0), maxLineQuantity)

/** The struct of each kind of mutation in the current version; older ones are up-cast before validation. */
const mutationStructs = {
  'line.add': object({
    ...stamped,
    do: literal('line.add'),
    lineId: Uuid,
    packageId: Id,
    packageVersion: Id,
    subjectId: imageId,
    personId: nullable(Uuid),
    quantity: Quantity,
    ...content,
  }),
  'line.customise': object({ ...stamped, do: literal('line.customise'), lineId: Uuid, ...content }),
  'line.quantity': object({ ...stamped, do: literal('line.quantity'), lineId: Uuid, quantity: Quantity }),
  'line.remove': object({ ...stamped, do: literal('line.remove'), lineId: Uuid }),
  'line.accept': object({ ...stamped, do: literal('line.accept'), lineId: Uuid, packageVersion: Id }),
  'cart.clear': object({ ...stamped, do: literal('cart.clear') }),
  'service.set': object({
    ...stamped,
    do: literal('service.set'),
    ...serviceKey,
    personalization: nullable(PersonalizationChoice),
    price: nullable(ShownPrice),
  }),
  'service.remove': object({ ...stamped, do: literal('service.remove'), ...serviceKey }),
  'person.set': object({
    ...stamped,
    do: literal('person.set'),
    personId: Uuid,
    firstName: shortText(60),
    lastName: shortText(60),
    dataFields: content.dataFields,
  }),
  'pose.set': object({ ...stamped, do: literal('pose.set'), subjectId: Id, imageId: Id }),
} satisfies { [Kind in MutationKind]: Struct<Extract<MutationShape, { do: Kind }>, unknown> }

const kindOf = (found: unknown): unknown =>
  typeof found === 'object' && found !== null && 'do' in found ? found.do : null

/** Validates a mutation against the struct of its own kind only. */
export const Mutation = dynamic((found): Struct<MutationShape> => {
  const kind = kindOf(found)
  return (isKnownKind(kind) ? mutationStructs[kind] : never()) as unknown as Struct<MutationShape> // one of its kinds
})

export const CartTextNode: Describe<domain.CartTextNode> = type({
  id: imageId,
  packageItemTextNodeId: integer(),
  value: string(),
  autoFilled: boolean(),
})

export const CartImageNode: Describe<domain.CartImageNode> = type({
  id: imageId,
  packageItemImageNodeId: integer(),
  subjectImageId: imageId,
  groupImageId: imageId,
  replacementImageId: imageId,
  cropDimensions: nullable(CropDimensions),
  frontendCropDimensions: nullable(FrontendCropDimensions),
  rotation: integer(),
  imageThumbnailUrl: nullable(string()),
})

export const CartPackageItem: Describe<domain.CartPackageItem> = type({
  id: imageId,
  packageItemId: integer(),
  name: string(),
  productCode: string(),
  textNodes: array(CartTextNode),
  imageNodes: array(CartImageNode),
})

export const SnapshotImage: Describe<domain.SnapshotImage> = type({
  imageId: integer(),
  width: integer(),
  height: integer(),
  thumbnailUrl: string(),
  hasAlpha: optional(boolean()),
  greenScreenId: optional(integer()),
})

const personName = { firstName: string(), lastName: string(), imageThumbnailUrl: nullable(string()) }

export const LineSnapshot: Describe<domain.LineSnapshot> = type({
  package: Package,
  subject: type(personName),
  images: array(SnapshotImage),
  withdrawn: optional(type({ person: nullable(enums(['hidden', 'unconfirmed'])), imageIds: array(integer()) })),
})

/** More lines than a cart can have; when the cache is full, it is cleared. */
const maxValidatedLines = 250

/**
 * Caches valid values by their JSON: a cart's lines come unchanged with every response, and validating them each time
 * delayed the next tap on slow phones.
 */
const memoizeValid = <Value>(struct: Describe<Value>): Describe<Value> => {
  const good = new Set<string>()
  const { type, schema } = struct
  const validator = (value: unknown): boolean => {
    const text = JSON.stringify(value)
    if (good.has(text)) return true
    if (!is(value, struct)) return false
    if (good.size >= maxValidatedLines) good.clear()
    good.add(text)
    return true
  }
  return new Struct({ type, schema, validator })
}

export const CartPackage: Describe<domain.CartPackage> = memoizeValid<domain.CartPackage>(
  type({
    id: imageId,
    lineId: string(),
    packageId: integer(),
    subjectId: imageId,
    personId: nullable(string()),
    quantity: integer(),
    price: Dollars,
    greenScreen: nullable(type({ id: integer() })),
    cartPackageItems: array(CartPackageItem),
    dataFields: array(
      type({
        subjectId: imageId,
        name: string(),
        value: string(),
        templateId: imageId,
        optionId: imageId,
      }),
    ),
    snapshot: LineSnapshot,
  }),
)

const service = {
  id: imageId,
  cartId: imageId,
  subjectId: imageId,
  personId: nullable(string()),
  orderServiceId: integer(),
  price: Dollars,
}

export const Cart: Describe<domain.Cart> = type({
  id: imageId,
  jobId: integer(),
  orderMethod: OrderMethod,
  version: integer(),
  state: enums(['open', 'frozen', 'ordered']),
  cartPackages: array(CartPackage),
  subjects: array(type({ subjectId: imageId, personId: nullable(string()), ...personName })),
  cartOrderServicesDetails: type({
    cartOrderServices: array(type(service)),
    imageLevel: boolean(),
    retouches: array(
      type({ ...service, level: enums(['basic', 'premium']), imageLookupId: imageId, withdrawn: optional(boolean()) }),
    ),
    personalizations: array(
      type({
        ...service,
        nameOnWallets: boolean(),
        nameOnAllPrints: boolean(),
        yearOnWallets: boolean(),
        yearOnAllPrints: boolean(),
        nameToPrint: string(),
        yearToPrint: string(),
      }),
    ),
  }),
  yearBookPoses: array(type({ subjectId: integer(), imageId: integer() })),
  orderedCarts: optional(array(type({ cartId: integer(), orderNumber: nullable(string()) }))),
})

/** The result of one mutation. A rejection is final for that mutation and never stops the others. */
export const MutationResult = type({
  id: Uuid,
  status: enums(['done', 'refused']),
  problem: optional(string()),
  errors: optional(array(string())),
})
export type MutationResult = Infer<typeof MutationResult>
