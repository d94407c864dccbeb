import type { OrderMethod, Package } from '../catalogue/catalogue.ts'
import type { WithdrawnContent } from './line-blocker.ts'

/**
 * A cart as client and server both see it (section 3). What the server has not seen yet has `id: null`; `lineId` is the identity
 * the device gave and the server keeps.
 */
export type Cart = {
  id: number | null
  jobId: number
  orderMethod: OrderMethod
  /** Grows with each change the server accepts; 0 for a cart it has never seen. */
  version: number
  /** A cart whose checkout is being paid, or that was ordered, takes no more changes. */
  state: 'open' | 'frozen' | 'ordered'
  cartPackages: CartPackage[]
  subjects: CartSubject[]
  cartOrderServicesDetails: CartOrderServicesDetails
  /** The year-book poses of people this visit was granted, orders for or chose for. */
  yearBookPoses: YearBookPose[]
  /** The carts of this visit, event and order method that became orders; missing where none did. */
  orderedCarts?: OrderedCart[] | undefined
}

export type OrderedCart = { cartId: number; orderNumber: string | null }

export type YearBookPose = { subjectId: number; imageId: number }

export type CartSubject = {
  subjectId: number | null
  /** The device's id of a person typed in before the picture day; null for the studio's own subjects. */
  personId: string | null
  firstName: string
  lastName: string
  imageThumbnailUrl: string | null
}

export type CartPackage = {
  id: number | null
  lineId: string
  packageId: number
  subjectId: number | null
  personId: string | null
  quantity: number
  /** Decimal dollars for one, as of `snapshot`. */
  price: number
  greenScreen: { id: number } | null
  cartPackageItems: CartPackageItem[]
  dataFields: DataField[]
  snapshot: LineSnapshot
}

export type CartPackageItem = {
  id: number | null
  packageItemId: number
  name: string
  productCode: string
  textNodes: CartTextNode[]
  imageNodes: CartImageNode[]
}

export type TextChoice = { packageItemTextNodeId: number; value: string; autoFilled: boolean }

/**
 * Percentages (four decimals) of the bounding box of the upright original turned clockwise by `rotation`; the mids are the
 * crop's centre.
 */
export type CropDimensions = {
  width: number
  height: number
  cropX: number
  cropY: number
  xMid: number
  yMid: number
}

/** The crop editor's own state, kept so that it opens again as it was left. */
export type FrontendCropDimensions = { x: number; y: number; zoom: number }

export type ImageChoice = {
  packageItemImageNodeId: number
  subjectImageId: number | null
  groupImageId: number | null
  replacementImageId: number | null
  cropDimensions: CropDimensions | null
  frontendCropDimensions: FrontendCropDimensions | null
  /** Whole degrees clockwise, 0 to 359. */
  rotation: number
}

export type CartTextNode = TextChoice & { id: number | null }
export type CartImageNode = ImageChoice & { id: number | null; imageThumbnailUrl: string | null }

/** A custom field of the job filled in for a person; absolute, the last one wins. */
export type DataField = {
  subjectId: number | null
  name: string
  value: string
  templateId: number | null
  optionId: number | null
}

/** Facts about a picture that the cart needs without asking anybody: its upright size in pixels and where it is shown from. */
export type SnapshotImage = {
  imageId: number
  width: number
  height: number
  thumbnailUrl: string
  /** Whether a background shows through it. Missing where it was kept before that was told. */
  hasAlpha?: boolean | undefined
  /** The background this is the picture of; missing for pictures of people. */
  greenScreenId?: number | undefined
}

/** What a line was made from: the package's version with price, rules, items and nodes, the person's name, the pictures used. */
export type LineSnapshot = {
  package: Package
  subject: { firstName: string; lastName: string; imageThumbnailUrl: string | null }
  images: SnapshotImage[]
  /** What the studio does not show of it now; missing where it shows everything. */
  withdrawn?: WithdrawnContent | undefined
}

export type CartOrderService = {
  id: number | null
  cartId: number | null
  subjectId: number | null
  personId: string | null
  orderServiceId: number
  /** Decimal dollars. */
  price: number
}

export type Retouch = CartOrderService & {
  level: 'basic' | 'premium'
  imageLookupId: number | null
  /** The studio shows this image no more; the server finds it at each reading of a cart. */
  withdrawn?: boolean | undefined
}

export type Personalization = CartOrderService & {
  nameOnWallets: boolean
  nameOnAllPrints: boolean
  yearOnWallets: boolean
  yearOnAllPrints: boolean
  nameToPrint: string
  yearToPrint: string
}

export type CartOrderServicesDetails = {
  cartOrderServices: CartOrderService[]
  /** True where retouching is ordered per image instead of per subject. */
  imageLevel: boolean
  retouches: Retouch[]
  personalizations: Personalization[]
}

export const emptyCart = (jobId: number, orderMethod: OrderMethod): Cart => ({
  id: null,
  jobId,
  orderMethod,
  version: 0,
  state: 'open',
  cartPackages: [],
  subjects: [],
  cartOrderServicesDetails: { cartOrderServices: [], imageLevel: false, retouches: [], personalizations: [] },
  yearBookPoses: [],
})
