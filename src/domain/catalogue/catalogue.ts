/**
 * What a studio offers: packages, their items and nodes (section 3). Prices named by the specification are decimal
 * dollars.
 */

/** `prepay`: paid before the picture day; `gallery`: chosen from published images. */
export const orderMethods = ['prepay', 'gallery'] as const
export type OrderMethod = (typeof orderMethods)[number]

export const organizationTypes = ['sport', 'school'] as const
export type OrganizationType = (typeof organizationTypes)[number]

/** A node's box on its print: percentages of the print's width and height, from its upper left corner. */
export type PositionCoords = { x: number; y: number; width: number; height: number }

export type ImageNode = {
  id: number
  name: string
  /** True for the studio's artwork, which customers do not choose. */
  static: boolean
  positionCoords: PositionCoords
  allowConsumerCrop: boolean
  productCode: string
}

export type TextNode = {
  id: number
  name: string
  editable: boolean
  /** Name of the subject field for autofill; `altDataSource` is used if that field is empty. */
  dataSource: string | null
  altDataSource: string | null
  /** The text before the customer types. */
  value: string
  positionCoords: PositionCoords
}

export type PackageItem = {
  id: number
  name: string
  productCode: string
  /** Size of the print in inches; null if nothing is printed. */
  widthInches: number | null
  heightInches: number | null
  imageNodes: ImageNode[]
  textNodes: TextNode[]
}

export const packageAddonTypes = ['standard', 'addon_standard', 'addon_price'] as const
export type PackageAddonType = (typeof packageAddonTypes)[number]

export type PackageAddon = {
  type: PackageAddonType
  /** Decimal dollars that the rest of the cart must reach for an `addon_price`; null counts as 0. */
  requiredMinPrice: number | null
  requiresStandard: boolean
  /** With `requiresStandard`: the standard package that must be in the cart; null means any. */
  packageId: number | null
}

/** One version of a package. Versions are immutable: a change by the studio creates the next one. */
export type Package = {
  id: number
  version: number
  name: string
  /** Decimal dollars. */
  retailCost: number
  altName: string | null
  altDescription: string | null
  items: PackageItem[]
  packageAddon: PackageAddon
  /** Only in what a job offers: customers see "Most popular". */
  mostPopular?: boolean | undefined
}

/** Product codes of images that are delivered as files (section 9). */
export const digitalProductCodes = ['SingleDigDown', 'WholeDigDown', 'Dj', 'Dk'] as const

/** Product codes whose images customers never crop. */
export const neverCroppedProductCodes = ['Composite', 'ClassGroup'] as const

/** Product codes a customer may always edit. */
export const alwaysEditableProductCodes = ['MemoryMate', 'TraderCards'] as const

/** Billfolds: the "wallets" of the name and year services. */
export const walletProductCodes = ['BFs', 'MiniBFs'] as const

/** The sizes that are not wallets, small to large (section 9). */
export const printSizes = ['3.5x5', '4x6', '5x7', '8x10', '10x13'] as const

export const isDigital = (productCode: string): boolean => digitalProductCodes.some((code) => code === productCode)

/** Whether a print comes in its frame. Its name says so by beginning with the word, because products have no mark for it. */
export const isFramed = ({ name, productCode }: Pick<PackageItem, 'name' | 'productCode'>): boolean =>
  /^framed\b/i.test(name) && !isDigital(productCode)

/** Inches of the frame on each side of a framed print, as it is drawn. */
export const ownFrameInches = 0.5
