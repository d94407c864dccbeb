/** What a studio offers: packages, their items and nodes (section 3). Prices the specification names are decimal dollars. */

/** `prepay`: paid before the picture day; `gallery`: chosen from published pictures. */
export const orderMethods = ['prepay', 'gallery'] as const
export type OrderMethod = (typeof orderMethods)[number]

export const organizationTypes = ['sport', 'school'] as const
export type OrganizationType = (typeof organizationTypes)[number]

/** Where a node lies on its print: percentages of the print's width and height, from its upper left corner. */
export type PositionCoords = { x: number; y: number; width: number; height: number }

export type ImageNode = {
  id: number
  name: string
  /** True for artwork of the studio's that nobody chooses. */
  static: boolean
  positionCoords: PositionCoords
  allowConsumerCrop: boolean
  productCode: string
}

export type TextNode = {
  id: number
  name: string
  editable: boolean
  /** Name of the subject field that fills it in; `altDataSource` is asked when that one is empty. */
  dataSource: string | null
  altDataSource: string | null
  /** What stands there before anybody types. */
  value: string
  positionCoords: PositionCoords
}

export type PackageItem = {
  id: number
  name: string
  productCode: string
  /** Size of the print in inches; null where nothing is printed. */
  widthInches: number | null
  heightInches: number | null
  imageNodes: ImageNode[]
  textNodes: TextNode[]
}

export const packageAddonTypes = ['standard', 'addon_standard', 'addon_price'] as const
export type PackageAddonType = (typeof packageAddonTypes)[number]

export type PackageAddon = {
  type: PackageAddonType
  /** Decimal dollars the rest of the cart must reach for an `addon_price`; null counts as 0. */
  requiredMinPrice: number | null
  requiresStandard: boolean
  /** With `requiresStandard`: the one standard package that must be there; null means any. */
  packageId: number | null
}

/** One version of a package. Versions are never edited: a studio's change makes the next one. */
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
}

/** Product codes of pictures that are delivered as files (section 9). */
export const digitalProductCodes = ['SingleDigDown', 'WholeDigDown', 'Dj', 'Dk'] as const

/** Product codes whose pictures are never cropped by a customer. */
export const neverCroppedProductCodes = ['Composite', 'ClassGroup'] as const

/** Product codes a customer may always edit. */
export const alwaysEditableProductCodes = ['MemoryMate', 'TraderCards'] as const

/** Billfolds: the "wallets" of the name and year services. */
export const walletProductCodes = ['BFs', 'MiniBFs'] as const

/** The sizes that are not wallets, small to large (section 9). */
export const printSizes = ['3.5x5', '4x6', '5x7', '8x10', '10x13'] as const

export const isDigital = (productCode: string): boolean => digitalProductCodes.some((code) => code === productCode)
