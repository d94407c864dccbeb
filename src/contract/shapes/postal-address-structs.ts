import { object, string, type } from 'superstruct'
import { shortText } from './primitives.ts'

/** The address of a studio or an organization, in five parts that may be empty. */
export const PostalAddress = type({
  address1: string(),
  address2: string(),
  city: string(),
  state: string(),
  zip: string(),
})

/** An address as a form sends it. */
export const AddressDraft = object({
  address1: shortText(100),
  address2: shortText(100),
  city: shortText(100),
  state: shortText(2),
  zip: shortText(10),
})
