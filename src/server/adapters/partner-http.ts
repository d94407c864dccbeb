import { boolean, is, nullable, optional, size, string, type } from 'superstruct'
import type { Log } from '../database/database.ts'
import type { Partner } from '../ports/partner.ts'
import { type JsonService, postJson } from './json-service.ts'
import { unknownAccountMessage } from './partner-built-in.ts'

/** The partner's response (`src/server/studio/README.md`). */
const PartnerResponse = type({ verified: boolean(), message: optional(nullable(size(string(), 1, 300))) })

/** Verifies at the partner's own service. Requests are never logged. */
export const httpPartner = (service: JsonService, log: Log): Partner => ({
  decidedBy: 'partner',
  verify: async ({ accountNumber, password }) => {
    try {
      const { status, body } = await postJson(service, { accountNumber, password })
      if (status >= 400 || !is(body, PartnerResponse))
        throw new Error(`the response of the partner is not valid (status ${status})`)
      return body.verified ? { state: 'verified' } : { state: 'refused', reason: body.message ?? unknownAccountMessage }
    } catch (error) {
      log.warn({ err: error }, 'the partner’s service failed')
      return { state: 'unreachable' }
    }
  },
})
