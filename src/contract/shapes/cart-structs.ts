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
  unknown,
} from 'superstruct'
import type * as domain from '#domain/cart/cart.ts'
import type * as domainChanges from '#domain/cart/cart-changes.ts'
import { maxLineQuantity } from '#domain/cart/cart-rules.ts'
import {
  type MutationKind,
  type MutationOf,
  type Mutation as MutationShape,
  mutationVersion,
} from '#domain/cart/mutation.ts'
import { isKnownKind } from '#domain/cart/mutations.ts'
import type * as domainServices from '#domain/cart/order-service-types.ts'
import { Package } from './catalogue-structs.ts'
import { Dollars, Id, Instant, OrderMethod, shortText, Uuid } from './primitives.ts'

/** Bounded, because JSON can contain `1e999`, which parses to Infinity and cannot be serialised again. */
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
const nullableId = nullable(Id)

/** Strict, because clients send it: a misspelt key is rejected instead of silently dropped. */
export const ImageChoice: Describe<domain.ImageChoice> = object({
  packageItemImageNodeId: Id,
  subjectImageId: nullableId,
  groupImageId: nullableId,
  replacementImageId: nullableId,
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
  subjectId: nullableId,
  name: shortText(),
  value: shortText(2000),
  templateId: nullableId,
  optionId: nullableId,
})

export const PersonalizationChoice: Describe<domainServices.PersonalizationChoice> = object({
  nameOnWallets: boolean(),
  nameOnAllPrints: boolean(),
  yearOnWallets: boolean(),
  yearOnAllPrints: boolean(),
  nameToPrint: shortText(60),
  yearToPrint: shortText(20),
})

const stampFields = { id: Uuid, v: literal(mutationVersion), at: Instant }
const contentFields = {
  greenScreenBackgroundId: nullableId,
  dataFields: size(array(DataField), 0, 100),
  textNodes: size(array(TextChoice), 0, 200),
  imageNodes: size(array(ImageChoice), 0, 200),
}
const serviceKey = { subjectId: nullableId, personId: nullable(Uuid), orderServiceId: Id, imageLookupId: nullableId }
/** The price that was shown for a service. The maximum is above any real price and fits into a column of cents. */
export const ShownPrice = max(Dollars, 100_000)
const Quantity = max(min(integer(), 0), maxLineQuantity)

/** The struct of each kind of mutation in the current version; older ones are up-cast before validation. */
const mutationStructs = {
  'line.add': object({
    ...stampFields,
    do: literal('line.add'),
    lineId: Uuid,
    packageId: Id,
    packageVersion: Id,
    subjectId: nullableId,
    personId: nullable(Uuid),
    quantity: Quantity,
    ...contentFields,
  }),
  'line.customise': object({ ...stampFields, do: literal('line.customise'), lineId: Uuid, ...contentFields }),
  'line.quantity': object({ ...stampFields, do: literal('line.quantity'), lineId: Uuid, quantity: Quantity }),
  'line.remove': object({ ...stampFields, do: literal('line.remove'), lineId: Uuid }),
  'line.accept': object({ ...stampFields, do: literal('line.accept'), lineId: Uuid, packageVersion: Id }),
  'cart.clear': object({ ...stampFields, do: literal('cart.clear') }),
  'service.set': object({
    ...stampFields,
    do: literal('service.set'),
    ...serviceKey,
    personalization: nullable(PersonalizationChoice),
    price: nullable(ShownPrice),
  }),
  'service.remove': object({ ...stampFields, do: literal('service.remove'), ...serviceKey }),
  'person.set': object({
    ...stampFields,
    do: literal('person.set'),
    personId: Uuid,
    firstName: shortText(60),
    lastName: shortText(60),
    dataFields: contentFields.dataFields,
  }),
  'pose.set': object({ ...stampFields, do: literal('pose.set'), subjectId: Id, imageId: Id }),
} satisfies { [Kind in MutationKind]: Struct<MutationOf<Kind>, unknown> }

const kindOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'do' in value ? value.do : null

/** Validates a mutation against the struct of its own kind only. */
export const Mutation = dynamic((value): Struct<MutationShape> => {
  const kind = kindOf(value)
  return (isKnownKind(kind) ? mutationStructs[kind] : never()) as unknown as Struct<MutationShape> // TypeScript cannot relate a struct of one kind to the union
})

export const CartTextNode: Describe<domain.CartTextNode> = type({
  id: nullableId,
  packageItemTextNodeId: integer(),
  value: string(),
  autoFilled: boolean(),
})

export const CartImageNode: Describe<domain.CartImageNode> = type({
  id: nullableId,
  packageItemImageNodeId: integer(),
  subjectImageId: nullableId,
  groupImageId: nullableId,
  replacementImageId: nullableId,
  cropDimensions: nullable(CropDimensions),
  frontendCropDimensions: nullable(FrontendCropDimensions),
  rotation: integer(),
  imageThumbnailUrl: nullable(string()),
})

export const CartPackageItem: Describe<domain.CartPackageItem> = type({
  id: nullableId,
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

const subjectFields = { firstName: string(), lastName: string(), imageThumbnailUrl: nullable(string()) }

export const LineSnapshot: Describe<domain.LineSnapshot> = type({
  package: Package,
  subject: type(subjectFields),
  images: array(SnapshotImage),
  withdrawn: optional(type({ person: nullable(enums(['hidden', 'unconfirmed'])), imageIds: array(integer()) })),
})

/** The size of the cache of valid lines, above the number of lines that a cart may have. A full cache is cleared. */
const maxCachedLines = 250

/**
 * Caches valid values by their JSON: a cart's lines come unchanged with every response, and validating them each time
 * delayed the next tap on slow phones.
 */
const memoizeValid = <Value>(struct: Describe<Value>): Describe<Value> => {
  const validJson = new Set<string>()
  const { type, schema } = struct
  const validator = (value: unknown): boolean => {
    const json = JSON.stringify(value)
    if (validJson.has(json)) return true
    if (!is(value, struct)) return false
    if (validJson.size >= maxCachedLines) validJson.clear()
    validJson.add(json)
    return true
  }
  return new Struct({ type, schema, validator })
}

export const CartPackage: Describe<domain.CartPackage> = memoizeValid<domain.CartPackage>(
  type({
    id: nullableId,
    lineId: string(),
    packageId: integer(),
    subjectId: nullableId,
    personId: nullable(string()),
    quantity: integer(),
    price: Dollars,
    greenScreen: nullable(type({ id: integer() })),
    cartPackageItems: array(CartPackageItem),
    dataFields: array(
      type({
        subjectId: nullableId,
        name: string(),
        value: string(),
        templateId: nullableId,
        optionId: nullableId,
      }),
    ),
    snapshot: LineSnapshot,
  }),
)

const serviceFields = {
  id: nullableId,
  cartId: nullableId,
  subjectId: nullableId,
  personId: nullable(string()),
  orderServiceId: integer(),
  price: Dollars,
}

export const Cart: Describe<domain.Cart> = type({
  id: nullableId,
  jobId: integer(),
  orderMethod: OrderMethod,
  version: integer(),
  state: enums(['open', 'frozen', 'ordered']),
  cartPackages: array(CartPackage),
  subjects: array(type({ subjectId: nullableId, personId: nullable(string()), ...subjectFields })),
  cartOrderServicesDetails: type({
    cartOrderServices: array(type(serviceFields)),
    imageLevel: boolean(),
    retouches: array(
      type({
        ...serviceFields,
        level: enums(['basic', 'premium']),
        imageLookupId: nullableId,
        withdrawn: optional(boolean()),
      }),
    ),
    personalizations: array(
      type({
        ...serviceFields,
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

/** Loose: the device validates the whole cart after it has applied the changes. */
export const CartChanges = type({
  cartPackages: array(unknown()),
}) as Struct<unknown> as Struct<domainChanges.CartChanges>

/** The result of one mutation. A rejection is final for that mutation and never stops the others. */
export const MutationResult = type({
  id: Uuid,
  status: enums(['done', 'refused']),
  problem: optional(string()),
  errors: optional(array(string())),
})
export type MutationResult = Infer<typeof MutationResult>
