import type { DataField } from '#domain/cart/cart.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'

/** Whom a package is for. */
export type PackageSubject = AutofillSubject & {
  subjectId: number | null
  personId: string | null
  imageThumbnailUrl: string | null
  /** Their picture for the year book when their facts were asked for; what the cart says is newer. */
  yearBookImageId?: number | null | undefined
  /** What the customer told of them before the picture day; null where nothing was told on this device. */
  dataFields: DataField[] | null
}
