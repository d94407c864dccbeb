import { object, string, type } from 'superstruct'
import { shortText } from './primitives.ts'

/** Where a studio or an organization is, in five parts that may be empty. */
export const PostalAddress = type({
  address1: string(),
  address2: string(),
  city: string(),
  state: string(),
  zip: string(),
})

/** The same as a form sends it. */
export const AddressDraft = object({
  address1: shortText(100),
  address2: shortText(100),
  city: shortText(100),
  state: shortText(2),
  zip: shortText(10),
})
