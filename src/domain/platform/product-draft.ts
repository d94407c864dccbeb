import { digitalProductCodes, isDigital } from '../catalogue/catalogue.ts'
import { type TaxClass, taxClasses } from '../catalogue/package-preferences.ts'
import { oneOf, type Rules, required } from '../shared/validators.ts'
import { maxAmountCents, wholeNumber } from '../studio/rates.ts'
import { catalogueMessages } from './shipping-option.ts'

/** A print or download that packages of all studios can contain. */
export type ProductDraft = {
  /** By which packages, orders and packets refer to it. */
  code: string
  name: string
  description: string
  isDigital: boolean
  /** Inches; null if the product has no fixed size. */
  widthInches: number | null
  heightInches: number | null
  taxClass: TaxClass
  /** Whether customers may crop its images, where a package does not say otherwise. */
  allowCrop: boolean
  /** The lab's own code. */
  labSku: string
  costCents: number
  /** Null for none. */
  suggestedPriceCents: number | null
  tagIds: readonly number[]
}

const maxInches = 200

export const productMessages = {
  code: 'Enter up to 40 letters, digits, dots and hyphens',
  codeInUse: 'The code cannot change, because packages have this product',
  codeTaken: 'Another product has this code',
  size: `Enter a size above 0 and up to ${maxInches} inches, with at most two decimals`,
  bothSizes: 'Enter both width and height, or neither',
  digital: `Downloads have one of the codes ${digitalProductCodes.join(', ')}, and no other product has`,
  digitalSize: 'A download has no size',
  tags: 'A tag does not exist any more',
} as const

const isSize = (value: number): boolean =>
  value > 0 && value <= maxInches && Math.abs(value * 100 - Math.round(value * 100)) < 1e-6

const sizeError = (size: number | null, otherSize: number | null, draft: ProductDraft): string | null => {
  if (size === null) return otherSize === null ? null : productMessages.bothSizes
  if (draft.isDigital) return productMessages.digitalSize
  return isSize(size) ? null : productMessages.size
}

export const productRules: Rules<ProductDraft> = {
  code: [
    required(),
    (value) => (/^([a-z0-9][a-z0-9.-]{0,39})?$/i.test(String(value).trim()) ? null : productMessages.code),
  ],
  name: required(),
  isDigital: (value, { code }) => (value === isDigital(code.trim()) ? null : productMessages.digital),
  widthInches: (_, draft) => sizeError(draft.widthInches, draft.heightInches, draft),
  heightInches: (_, draft) => sizeError(draft.heightInches, draft.widthInches, draft),
  taxClass: oneOf(taxClasses),
  costCents: wholeNumber(0, maxAmountCents, catalogueMessages.price),
  suggestedPriceCents: (value, draft) =>
    value === null ? null : wholeNumber<ProductDraft>(0, maxAmountCents, catalogueMessages.price)(value, draft),
}

/** A word by which administrators find products. */
export type TagDraft = { name: string }

export const tagMessages = { nameTaken: 'Another tag has this name' } as const

export const tagRules: Rules<TagDraft> = { name: required() }

/** The tax classes of packages and products, as staff read them. */
export const taxClassLabels: Readonly<Record<TaxClass, string>> = { standard: 'Goods', digital: 'Downloads' }
