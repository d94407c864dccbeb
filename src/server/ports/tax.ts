import type { TaxCents } from '#domain/pricing/pricing.ts'

export type TaxRequest = {
  /** Whose sale it is, and which; for the log. */
  readonly studioId: number
  readonly checkoutId: string | null
  readonly state: string
  readonly zip: string
  /** After discounts, by what kind of thing is sold. */
  readonly goods: readonly { readonly taxClass: string; readonly cents: number }[]
  readonly shippingCents: number
  readonly at: Date
}

/** Who knows what is taxed where (section 7). Never asked inside a database transaction. */
export type Tax = { quote(request: TaxRequest): Promise<TaxCents> }
