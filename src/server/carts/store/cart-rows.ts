import type { ImageChoice, OrderedCart, TextChoice, YearBookPose } from '#domain/cart/cart.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import type { BackgroundRecord, ImageRecord, SubjectRecord } from './subject-and-image-queries.ts'

export type LineRow = {
  id: number
  lineId: string
  packageId: number
  version: number
  subjectId: number
  quantity: number
  greenScreenId: number | null
}

export type ItemRow = {
  id: number
  cartPackageId: number
  packageItemId: number
  name: string
  productCode: string
}

type NodeRow = { id: number; cartPackageId: number; packageItemId: number }

export type TextRow = NodeRow & TextChoice

export type ImageRow = NodeRow & ImageChoice

export type FieldRow = {
  cartPackageId: number
  subjectId: number
  name: string
  value: string
  templateId: number | null
  optionId: number | null
}

export type ServiceRow = {
  id: number
  kind: 'service' | 'retouch' | 'personalization'
  subjectId: number
  orderServiceId: number
  imageId: number | null
  priceCents: number
  level: 'basic' | 'premium' | null
  personalization: {
    nameOnWallets: boolean
    nameOnAllPrints: boolean
    yearOnWallets: boolean
    yearOnAllPrints: boolean
    nameToPrint: string
    yearToPrint: string
  } | null
}

/** A cart as one statement returns it: flat lists, each in display order. */
export type CartRow = {
  id: number
  version: number
  state: 'open' | 'frozen' | 'ordered'
  image_level: boolean
  /** Whether the job currently shows images to customers. If it does not, no image counts as withdrawn. */
  shows_images: boolean
  lines: LineRow[]
  items: ItemRow[]
  texts: TextRow[]
  images: ImageRow[]
  fields: FieldRow[]
  packages: Package[]
  people: SubjectRecord[]
  image_records: ImageRecord[]
  backgrounds: BackgroundRecord[]
  services: ServiceRow[]
  poses: YearBookPose[]
  ordered: OrderedCart[] | null
  valid_until: Date | null
}
