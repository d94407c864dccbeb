import { boolean, type Infer, is, nullable, optional, string, type } from 'superstruct'
import type { Log } from '../database/database.ts'
import type { AddressCheck, CheckedAddress, PostalAddress } from '../ports/address-check.ts'
import { addressRules, isSameAddress } from './address-rules.ts'
import { type JsonService, postJson } from './json-service.ts'

const Suggested = type({ address1: string(), address2: string(), city: string(), state: string(), zip: string() })

/** The service's response (`src/server/studio/README.md`). */
const Answer = type({
  deliverable: boolean(),
  message: optional(nullable(string())),
  suggestion: optional(nullable(Suggested)),
})

const undeliverable = 'The post does not know this address. Please look at it once more'

/** The service's suggestion, if it has the shape of an address: five parts, valid by our own rules. */
const suggestionOf = async (
  address: PostalAddress,
  { suggestion }: Infer<typeof Answer>,
): Promise<PostalAddress | null> => {
  if (!suggestion || isSameAddress(suggestion, address)) return null
  const { address1, address2, city, state, zip } = suggestion
  const offered = { address1, address2, city, state, zip }
  const { faults } = await addressRules.check(offered)
  const fits = Object.values(offered).every((text) => text.length <= 100)
  return fits && Object.keys(faults).length === 0 ? offered : null
}

const read = async (address: PostalAddress, body: unknown): Promise<CheckedAddress> => {
  if (!is(body, Answer)) throw new Error('the address service answered something that cannot be read')
  const suggestion = await suggestionOf(address, body)
  const doubt = body.deliverable || suggestion ? null : (body.message ?? undeliverable)
  return { faults: {}, suggestion, doubt }
}

/** Validates by our own rules, then asks a service whether the address exists. A service that fails blocks no order. */
export const httpAddressCheck = (service: JsonService, log: Log): AddressCheck => ({
  check: async (address) => {
    const ruled = await addressRules.check(address)
    if (Object.keys(ruled.faults).length > 0 || ruled.suggestion) return ruled
    try {
      const { address1, address2, city, state, zip } = address
      const { status, body } = await postJson(service, { address1, address2, city, state, zip })
      if (status >= 400) throw new Error(`the address service answered ${status}`)
      return await read(address, body)
    } catch (error) {
      log.warn({ err: error }, 'the address service did not answer; the address was checked by form alone')
      return ruled
    }
  },
})
