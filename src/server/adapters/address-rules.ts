import { isPostalCode, isStateCode } from '../../domain/us-states.ts'
import type { AddressCheck } from '../ports/address.ts'

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

/** Checks form, and that ZIP code and state can belong together; whether there is such a house it does not know. */
export const addressRules: AddressCheck = {
  check: async (address) => {
    const state = address.state.trim().toUpperCase()
    const zip = address.zip.trim()
    if (!isStateCode(state)) return { state: 'This value is not a state we know' }
    if (!isPostalCode(zip)) return { zip: 'This value is not a valid ZIP code' }
    const isThere = statesByDigit[zip.charAt(0)]?.split(' ').includes(state)
    return isThere ? {} : { zip: `This ZIP code is not in ${state}` }
  },
}
