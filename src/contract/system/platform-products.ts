import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  number,
  object,
  optional,
  string,
  type,
} from 'superstruct'
import { taxClasses } from '#domain/catalogue/package-preferences.ts'
import { call } from '../shapes/call.ts'
import { Cents, Count, Id, shortText, WholeNumber } from '../shapes/primitives.ts'
import { administrators, expectedVersion, listQuery, readProblems, writeProblems } from '../shapes/staff-call.ts'
import { platformResource, Removal, resourceFileCalls } from './platform-resource.ts'

/** A print or download that packages of all studios can contain. */
export const PlatformProduct = type({
  id: integer(),
  code: string(),
  name: string(),
  description: string(),
  isDigital: boolean(),
  widthInches: nullable(number()),
  heightInches: nullable(number()),
  taxClass: enums(taxClasses),
  allowCrop: boolean(),
  labSku: string(),
  costCents: Cents,
  suggestedPriceCents: nullable(Cents),
  tagIds: array(integer()),
  tags: array(string()),
  /** The public address of its image; null for none. */
  imageUrl: nullable(string()),
  /** How many packages contain it, in their current version. */
  packageCount: Count,
  isArchived: boolean(),
  version: Count,
})
export type PlatformProduct = Infer<typeof PlatformProduct>

const draft = {
  code: shortText(40),
  name: shortText(),
  description: shortText(1000),
  isDigital: boolean(),
  widthInches: nullable(number()),
  heightInches: nullable(number()),
  taxClass: enums(taxClasses),
  allowCrop: boolean(),
  labSku: shortText(100),
  costCents: WholeNumber,
  suggestedPriceCents: nullable(WholeNumber),
  tagIds: array(Id),
}

const products = platformResource({
  base: '/api/admin/products',
  query: object({ ...listQuery, type: optional(enums(['print', 'digital', 'current', 'archived'])) }),
  item: PlatformProduct,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion, isArchived: optional(boolean()) }),
})
export const {
  get: getPlatformProduct,
  list: listPlatformProducts,
  post: postPlatformProduct,
  put: putPlatformProduct,
} = products
/** Deletes a product, or archives it if a package contains it. */
export const deletePlatformProduct = { ...products.remove, answer: Removal }

/** Sets the image of a product: multipart, the image as the form field `File`. */
export const putProductImage = call({
  method: 'PUT',
  path: '/api/admin/products/:id/image',
  who: administrators,
  params: object({ id: Id }),
  answer: PlatformProduct,
  problems: [...writeProblems, 'too-large', 'unsupported-media'],
})

export const deleteProductImage = call({ ...putProductImage, method: 'DELETE', problems: writeProblems })

export const { exportFile: exportProducts, importFile: importProducts } = resourceFileCalls('/api/admin/products')

/** A package that contains a product. */
export const ProductUse = type({
  studioId: integer(),
  studioName: string(),
  packageSetId: integer(),
  packageSetName: string(),
  packageId: integer(),
  packageName: string(),
})
export type ProductUse = Infer<typeof ProductUse>

/** The packages whose current version contains a product, at most a hundred, by studio. */
export const listProductUses = call({
  method: 'GET',
  path: '/api/admin/products/:id/packages',
  who: administrators,
  params: object({ id: Id }),
  answer: array(ProductUse),
  problems: readProblems,
})

/** A word by which administrators find products. */
export const Tag = type({
  id: integer(),
  name: string(),
  /** How many products have it, archived ones included. */
  productCount: Count,
  version: Count,
})
export type Tag = Infer<typeof Tag>

const tags = platformResource({
  base: '/api/admin/tags',
  query: object(listQuery),
  item: Tag,
  draft: object({ name: shortText(60) }),
  replacement: object({ name: shortText(60), ...expectedVersion }),
})
/** A tag that products have is not deleted: the answer names some of them. */
export const { get: getTag, list: listTags, post: postTag, put: putTag, remove: deleteTag } = tags
