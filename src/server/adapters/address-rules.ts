import { isMilitaryCity } from '#domain/pricing/shipping.ts'
import { isPostalCode, isStateCode } from '#domain/shared/us-states.ts'
import type { AddressCheck, AddressFaults, PostalAddress } from '../ports/address-check.ts'
import { placeOfPostalCode } from './postal-code-places.ts'

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

/** The military state of a ZIP code (USPS Publication 28, 225). */
const getMilitaryState = (zip: string): string | undefined => {
  if (/^09/.test(zip)) return 'AE'
  if (/^340/.test(zip)) return 'AA'
  return /^96[2-6]/.test(zip) ? 'AP' : undefined
}

const findFaults = (state: string, zip: string): AddressFaults => {
  if (!isStateCode(state)) return { state: 'This value is not a state we know' }
  if (!isPostalCode(zip)) return { zip: 'This value is not a valid ZIP code' }
  const isInState = statesByDigit[zip.charAt(0)]?.split(' ').includes(state)
  return isInState ? {} : { zip: `This ZIP code is not in ${state}` }
}

/** Normalizes an address: single spaces, the state in capitals, military cities in capitals and with the state of their ZIP code. */
const normalize = (address: PostalAddress): PostalAddress => {
  const singleSpaced = (text: string): string => text.trim().replace(/\s+/g, ' ')
  const [city, zip] = [singleSpaced(address.city), singleSpaced(address.zip)]
  const state = singleSpaced(address.state).toUpperCase()
  const region = isMilitaryCity(city) ? getMilitaryState(zip) : undefined
  return {
    address1: singleSpaced(address.address1),
    address2: singleSpaced(address.address2),
    city: region ? city.toUpperCase() : city,
    state: region ?? state,
    zip,
  }
}

const parts = ['address1', 'address2', 'city', 'state', 'zip'] as const

/** Whether two addresses are equal apart from case and spaces. */
export const isSameAddress = (a: PostalAddress, b: PostalAddress): boolean => {
  const comparable = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()
  return parts.every((part) => comparable(a[part]) === comparable(b[part]))
}

/** Checks the format, and that ZIP code and state match, but not whether the address exists. */
export const addressRules: AddressCheck = {
  check: async (address) => {
    const suggestion = normalize(address)
    const faults = findFaults(address.state.trim().toUpperCase(), address.zip.trim())
    const isValid = Object.keys(findFaults(suggestion.state, suggestion.zip)).length === 0
    return { faults, suggestion: isValid && !isSameAddress(suggestion, address) ? suggestion : null, warning: null }
  },
  findPlace: placeOfPostalCode,
}
