import type { DataField } from '#domain/cart/cart.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'

/** The subject of a package. */
export type PackageSubject = AutofillSubject & {
  subjectId: number | null
  personId: string | null
  imageThumbnailUrl: string | null
  /** Their yearbook image when the subject was loaded; the cart's value is newer. */
  yearBookImageId?: number | null | undefined
  /** The customer's answers from before picture day; null if this device has none. */
  dataFields: DataField[] | null
}
