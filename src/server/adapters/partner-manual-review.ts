import type { Partner } from '../ports/partner.ts'

/** Every request waits for an administrator's decision. The password is sent nowhere. */
export const manualReviewPartner: Partner = { decidedBy: 'administrator', verify: async () => ({ state: 'waiting' }) }
