import { nullable, object, optional, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { customerJobProblems, jobParams } from '../shapes/customer-call.ts'
import { Id, shortText } from '../shapes/primitives.ts'

const addressParts = {
  address1: shortText(),
  address2: shortText(),
  city: shortText(100),
  state: shortText(2),
  zip: shortText(10),
}

const Message = optional(string())

/**
 * Validates an address: `faults` has a message for each invalid part, `suggestion` the postal service's spelling if it
 * differs, for the customer to accept or ignore. `warning` blocks nothing. Nothing is stored.
 */
export const validateAddress = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/checkout/validateaddress',
  who: 'job',
  params: jobParams,
  body: object(addressParts),
  answer: type({
    faults: type({ address1: Message, address2: Message, city: Message, state: Message, zip: Message }),
    warning: optional(nullable(string())),
    suggestion: nullable(
      type({ address1: string(), address2: string(), city: string(), state: string(), zip: string() }),
    ),
  }),
  problems: customerJobProblems,
})

/** The city and the state (two letters) of a ZIP code of five digits; `place` is null if there is no such code. */
export const findPlace = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/checkout/places/:zip',
  who: 'job',
  params: object({ jobId: Id, zip: shortText(5) }),
  answer: type({ place: nullable(type({ city: string(), state: string() })) }),
  problems: customerJobProblems,
})
