import { boolean, type Infer, is, nullable, optional, string, type } from 'superstruct'
import type { Log } from '../database/database.ts'
import type { AddressCheck, CheckedAddress, PostalAddress } from '../ports/address-check.ts'
import { addressRules, isSameAddress } from './address-rules.ts'
import { type JsonService, postJson } from './json-service.ts'

const SuggestedAddress = type({
  address1: string(),
  address2: string(),
  city: string(),
  state: string(),
  zip: string(),
})

/** The service's response (`src/server/studio/README.md`). */
const ServiceResponse = type({
  deliverable: boolean(),
  message: optional(nullable(string())),
  suggestion: optional(nullable(SuggestedAddress)),
})

const undeliverable = 'We couldn’t find this address. Please check it'

/** The service's suggestion; null if it equals the entered address, or is not valid by the built-in rules. */
const suggestionOf = async (
  address: PostalAddress,
  { suggestion }: Infer<typeof ServiceResponse>,
): Promise<PostalAddress | null> => {
  if (!suggestion || isSameAddress(suggestion, address)) return null
  const { address1, address2, city, state, zip } = suggestion
  const suggestedAddress = { address1, address2, city, state, zip }
  const { faults } = await addressRules.check(suggestedAddress)
  const isShortEnough = Object.values(suggestedAddress).every((text) => text.length <= 100)
  return isShortEnough && Object.keys(faults).length === 0 ? suggestedAddress : null
}

const readResponse = async (address: PostalAddress, body: unknown): Promise<CheckedAddress> => {
  if (!is(body, ServiceResponse)) throw new Error('the response of the address service is not valid')
  const suggestion = await suggestionOf(address, body)
  const warning = body.deliverable || suggestion ? null : (body.message ?? undeliverable)
  return { faults: {}, suggestion, warning }
}

/**
 * Checks the address by the built-in rules. Only if they find no fault and suggest nothing, asks a service whether it
 * exists. A failing service blocks no order.
 */
export const httpAddressCheck = (service: JsonService, log: Log): AddressCheck => ({
  findPlace: addressRules.findPlace,
  check: async (address) => {
    const formatCheck = await addressRules.check(address)
    if (Object.keys(formatCheck.faults).length > 0 || formatCheck.suggestion) return formatCheck
    try {
      const { address1, address2, city, state, zip } = address
      const { status, body } = await postJson(service, { address1, address2, city, state, zip })
      if (status >= 400) throw new Error(`the address service responded with ${status}`)
      return await readResponse(address, body)
    } catch (error) {
      log.warn({ err: error }, 'the address service failed; only the format of the address was checked')
      return formatCheck
    }
  },
})
