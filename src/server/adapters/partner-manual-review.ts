import type { Partner } from '../ports/partner.ts'

/** Nobody is asked: each request waits for an administrator. The password goes nowhere. */
export const manualReviewPartner: Partner = { decidedBy: 'administrator', verify: async () => ({ state: 'waiting' }) }
