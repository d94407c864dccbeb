import { isMilitaryCity } from '#domain/pricing/shipping.ts'
import { isPostalCode, isStateCode } from '#domain/shared/us-states.ts'
import type { AddressCheck, AddressFaults, PostalAddress } from '../ports/address-check.ts'

/** The states whose ZIP codes begin with each digit. */
const statesByDigit: Readonly<Record<string, string>> = {
  0: 'CT MA ME NH NJ NY PR RI VT VI AE',
  1: 'DE NY PA',
  2: 'DC MD NC SC VA WV',
  3: 'AL FL GA MS TN AA',
  4: 'IN KY MI OH',
  5: 'DC IA MN MT ND SD WI',
  6: 'IL KS MO NE',
  7: 'AR LA OK TX',
  8: 'AZ CO ID NM NV TX UT WY',
  9: 'AK AP AS CA GU HI MP OR WA',
}

/** The military state by the ZIP codes of its region (USPS Publication 28, 225). */
const militaryStateOf = (zip: string): string | undefined => {
  if (/^09/.test(zip)) return 'AE'
  if (/^340/.test(zip)) return 'AA'
  return /^96[2-6]/.test(zip) ? 'AP' : undefined
}

const faultsOf = (state: string, zip: string): AddressFaults => {
  if (!isStateCode(state)) return { state: 'This value is not a state we know' }
  if (!isPostalCode(zip)) return { zip: 'This value is not a valid ZIP code' }
  const isThere = statesByDigit[zip.charAt(0)]?.split(' ').includes(state)
  return isThere ? {} : { zip: `This ZIP code is not in ${state}` }
}

/** Normalizes an address as the post writes it: military cities in capitals, in the region of their ZIP code; single blanks. */
const written = (address: PostalAddress): PostalAddress => {
  const once = (text: string): string => text.trim().replace(/\s+/g, ' ')
  const [city, zip] = [once(address.city), once(address.zip)]
  const state = once(address.state).toUpperCase()
  const region = isMilitaryCity(city) ? militaryStateOf(zip) : undefined
  return {
    address1: once(address.address1),
    address2: once(address.address2),
    city: region ? city.toUpperCase() : city,
    state: region ?? state,
    zip,
  }
}

const parts = ['address1', 'address2', 'city', 'state', 'zip'] as const

/** Whether two addresses are equal apart from case and blanks. */
export const isSameAddress = (one: PostalAddress, other: PostalAddress): boolean => {
  const bare = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()
  return parts.every((part) => bare(one[part]) === bare(other[part]))
}

/** Checks the form, and that ZIP code and state match; it does not know whether the house exists. */
export const addressRules: AddressCheck = {
  check: async (address) => {
    const suggestion = written(address)
    const faults = faultsOf(address.state.trim().toUpperCase(), address.zip.trim())
    const isGood = Object.keys(faultsOf(suggestion.state, suggestion.zip)).length === 0
    return { faults, suggestion: isGood && !isSameAddress(suggestion, address) ? suggestion : null, doubt: null }
  },
}
