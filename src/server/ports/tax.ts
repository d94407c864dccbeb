import type { CalculatedTax } from '#domain/pricing/pricing.ts'

export type TaxRequest = {
  /** The studio and the checkout, for the log; null for an administrator’s test. */
  readonly studioId: number | null
  readonly checkoutId: string | null
  /** The failed entry of the log that the request repeats. */
  readonly repeatsId?: number | undefined
  readonly state: string
  readonly zip: string
  /** Amounts after discounts, by tax class: each package in the order of the cart, the services, the late price. */
  readonly goods: readonly { readonly taxClass: string; readonly cents: number }[]
  readonly shippingCents: number
  readonly at: Date
}

/** Calculates sales tax. Never called inside a database transaction. */
export type Tax = { quote(request: TaxRequest): Promise<CalculatedTax> }
