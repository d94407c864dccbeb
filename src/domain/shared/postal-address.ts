import { isPostalCode, isStateCode } from './us-states.ts'
import type { Rules, Validator } from './validators.ts'

/** Where a studio or an organization is. Staff fill it in bit by bit, so that each part may be empty. */
export type PostalAddress = {
  readonly address1: string
  readonly address2: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

const parts = ['address1', 'address2', 'city', 'state', 'zip'] as const

/** Nowhere yet: what a form begins with. */
export const emptyAddress: PostalAddress = { address1: '', address2: '', city: '', state: '', zip: '' }

/** Whether any part of it says something: only then is it kept (section 3, organization contact). */
export const hasAddress = (address: PostalAddress): boolean => parts.some((part) => address[part].trim() !== '')

/** As it is kept: without blanks around, the state in capitals. Null where no part says anything. */
export const normaliseAddress = (address: PostalAddress): PostalAddress | null => {
  if (!hasAddress(address)) return null
  const [address1, address2, city, zip] = [address.address1, address.address2, address.city, address.zip].map((part) =>
    part.trim(),
  ) as [string, string, string, string] // as many as were given
  return { address1, address2, city, state: address.state.trim().toUpperCase(), zip }
}

const filled =
  (isGood: (text: string) => boolean, message: string): Validator<unknown> =>
  (value) =>
    typeof value !== 'string' || value.trim() === '' || isGood(value) ? null : message

/** What an address may not say, at `path`: a state and a ZIP code there are none of. Empty parts are fine. */
export const addressRules = (path: string): Rules<unknown> => ({
  [`${path}.state`]: filled(isStateCode, 'This value is not a state we know'),
  [`${path}.zip`]: filled(isPostalCode, 'This value is not a valid ZIP code'),
})
