/** An address as far as post offices look at it; `address2` may be empty. */
export type PostalAddress = {
  readonly address1: string
  readonly address2: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

/** Messages by part; an address in order has none. */
export type AddressFaults = Partial<Record<keyof PostalAddress, string>>

/**
 * `suggestion`: the address as the post writes it, where that is another than what was given; the customer may take it or leave it.
 * `doubt`: what speaks against an address that is in order, for the customer to look at; it holds nothing up.
 */
export type CheckedAddress = {
  readonly faults: AddressFaults
  readonly suggestion: PostalAddress | null
  readonly doubt: string | null
}

/** Who knows whether an address can be (section 7). It always answers: one that cannot say finds no faults of its own. */
export type AddressCheck = { check(address: PostalAddress): Promise<CheckedAddress> }
