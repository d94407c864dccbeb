export type AddressParts = { readonly state: string; readonly zip: string }

/** Messages by part; an address in order has none. */
export type AddressFaults = Partial<Record<keyof AddressParts, string>>

/** Who knows whether an address can be (section 7). */
export type AddressCheck = { check(address: AddressParts): Promise<AddressFaults> }
