/** A postal address; `address2` may be empty. */
export type PostalAddress = {
  readonly address1: string
  readonly address2: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

/** Messages by field; empty for a well-formed address. */
export type AddressFaults = Partial<Record<keyof PostalAddress, string>>

/**
 * `suggestion`: the standardized address if it differs; the customer may accept or ignore it. `warning`: why a well-formed
 * address may not exist; it does not block an order.
 */
export type CheckedAddress = {
  readonly faults: AddressFaults
  readonly suggestion: PostalAddress | null
  readonly warning: string | null
}

/** `state`: two letters. */
export type Place = { readonly city: string; readonly state: string }

/**
 * Checks an address: its format and, with a service, whether it exists. Always resolves; an
 * unavailable service blocks no order.
 */
export type AddressCheck = {
  check(address: PostalAddress): Promise<CheckedAddress>
  /** The city and the state of a ZIP code; null if it is not known. */
  findPlace(zip: string): Promise<Place | null>
}
