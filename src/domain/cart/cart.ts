import type { OrderMethod, Package } from '../catalogue/catalogue.ts'

/**
 * A cart as client and server both see it (section 3). The server assigns `id`, which is null before that; the device
 * assigns each `lineId`.
 */
export type Cart = {
  id: number | null
  jobId: number
  orderMethod: OrderMethod
  /** Increases with each change the server accepts; 0 for a cart the server has never seen. */
  version: number
  /** A cart that is being paid for (`frozen`) or was ordered accepts no more changes. */
  state: 'open' | 'frozen' | 'ordered'
  cartPackages: CartPackage[]
  subjects: CartSubject[]
  cartOrderServicesDetails: CartOrderServicesDetails
  /** Yearbook images of the subjects that this session has a grant to, orders for, or has chosen an image for. */
  yearBookPoses: YearBookPose[]
  /** Carts of this session, job and order method that became orders; missing if there are none. */
  orderedCarts?: OrderedCart[] | undefined
}

export type OrderedCart = { cartId: number; orderNumber: string | null }

export type YearBookPose = { subjectId: number; imageId: number }

export type CartSubject = {
  subjectId: number | null
  /** Device-generated id of a typed-in subject; null for the studio's own subjects. */
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
  /** Price of one package in decimal dollars, from `snapshot`. */
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
 * Percentages (four decimals) of the bounding box of the upright original, rotated clockwise by `rotation`; `xMid` and
 * `yMid` are the crop's centre.
 */
export type CropDimensions = {
  width: number
  height: number
  cropX: number
  cropY: number
  xMid: number
  yMid: number
}

/**
 * The crop editor's view as stored with the cart: zoom, and the offset in fractions of the frame, so that it does not
 * depend on the screen size. The editor does not open with this view, but with the stored `CropDimensions`.
 */
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

/** A custom field of the job with a subject's value. Absolute: the last write wins. */
export type DataField = {
  subjectId: number | null
  name: string
  value: string
  templateId: number | null
  optionId: number | null
}

/** The image data that the cart needs without a request: upright size in pixels and thumbnail address. */
export type SnapshotImage = {
  imageId: number
  width: number
  height: number
  thumbnailUrl: string
  /** Whether a background shows through the image. Missing from snapshots that predate the field. */
  hasAlpha?: boolean | undefined
  /** Id of the background, if this is a background's image; missing for images of subjects. */
  greenScreenId?: number | undefined
}

/**
 * What a line was built from: the package version with price, rules, items and nodes, the subject's name, and the
 * images used.
 */
export type LineSnapshot = {
  package: Package
  subject: { firstName: string; lastName: string; imageThumbnailUrl: string | null }
  images: SnapshotImage[]
  /** What the studio currently hides of the line; missing if it shows everything. */
  withdrawn?: WithdrawnContent | undefined
}

/** What the studio currently hides of a line; the server computes it each time it reads a cart. */
export type WithdrawnContent = {
  /**
   * `hidden`: the studio hides the subject. `unconfirmed`: this session never had access to the subject, or lost it.
   */
  person: 'hidden' | 'unconfirmed' | null
  /** Images chosen on the line that are no longer published for its subject. */
  imageIds: number[]
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
  /** Whether the studio no longer shows this image; the server computes it each time it reads a cart. */
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
  /** True if retouching is ordered per image instead of per subject. */
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
