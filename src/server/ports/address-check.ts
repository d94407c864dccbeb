/** A postal address; `address2` may be empty. */
export type PostalAddress = {
  readonly address1: string
  readonly address2: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

/** Messages by field; empty for a valid address. */
export type AddressFaults = Partial<Record<keyof PostalAddress, string>>

/**
 * `suggestion`: the standardized address if it differs; the customer may accept or ignore it. `doubt`: a warning about
 * a valid address, which blocks nothing.
 */
export type CheckedAddress = {
  readonly faults: AddressFaults
  readonly suggestion: PostalAddress | null
  readonly doubt: string | null
}

/** Checks whether an address exists (section 7). Always resolves; an unavailable service reports no faults. */
export type AddressCheck = { check(address: PostalAddress): Promise<CheckedAddress> }
