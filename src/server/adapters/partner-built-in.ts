import type { Partner } from '../ports/partner.ts'

/** Every request waits for an administrator's decision. The password is sent nowhere. */
export const manualReviewPartner: Partner = { decidedBy: 'administrator', verify: async () => ({ state: 'waiting' }) }

/** The passwords of the built-in partner's accounts. */
const passwordByAccount: Readonly<Record<string, string>> = { '4600100': 'partner-demo', '4600200': 'partner-demo' }
/** The account that the built-in partner reviews manually. */
const manuallyReviewedAccount = '4600900'

export const unknownAccountMessage = 'The partner does not know this account number and password'

/** The built-in partner: it verifies two accounts immediately and leaves a third waiting. */
export const testPartner: Partner = {
  decidedBy: 'partner',
  verify: async ({ accountNumber, password }) => {
    if (accountNumber === manuallyReviewedAccount) return { state: 'waiting' }
    const isVerified = Object.hasOwn(passwordByAccount, accountNumber) && passwordByAccount[accountNumber] === password
    return isVerified ? { state: 'verified' } : { state: 'refused', reason: unknownAccountMessage }
  },
}
