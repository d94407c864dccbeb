import { isPostalCode, isStateCode } from './us-states.ts'
import type { Rules, Validator } from './validators.ts'

/** The address of a studio or an organization. Staff fill it in step by step, so that each part may be empty. */
export type PostalAddress = {
  readonly address1: string
  readonly address2: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

const parts = ['address1', 'address2', 'city', 'state', 'zip'] as const

/** The initial value of forms. */
export const emptyAddress: PostalAddress = { address1: '', address2: '', city: '', state: '', zip: '' }

/** Whether any part is filled in; otherwise the address is not stored (section 3, organization contact). */
export const hasAddress = (address: PostalAddress): boolean => parts.some((part) => address[part].trim() !== '')

/** Normalises an address for storage: trimmed, the state in capitals. Null if all parts are empty. */
export const normaliseAddress = (address: PostalAddress): PostalAddress | null => {
  if (!hasAddress(address)) return null
  const [address1, address2, city, zip] = [address.address1, address.address2, address.city, address.zip].map((part) =>
    part.trim(),
  ) as [string, string, string, string] // the four parts above
  return { address1, address2, city, state: address.state.trim().toUpperCase(), zip }
}

const ifFilled =
  (isGood: (text: string) => boolean, message: string): Validator<unknown> =>
  (value) =>
    typeof value !== 'string' || value.trim() === '' || isGood(value) ? null : message

/** Validates state and ZIP code of an address at `path`. Empty parts are valid. */
export const addressRules = (path: string): Rules<unknown> => ({
  [`${path}.state`]: ifFilled(isStateCode, 'This value is not a state we know'),
  [`${path}.zip`]: ifFilled(isPostalCode, 'This value is not a valid ZIP code'),
})
