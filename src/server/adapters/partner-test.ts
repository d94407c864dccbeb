import type { Partner } from '../ports/partner.ts'

/** The passwords of the built-in partner's accounts. */
const passwordByAccount: Readonly<Record<string, string>> = { '4600100': 'partner-demo', '4600200': 'partner-demo' }
/** The account that the built-in partner reviews by hand. */
const slowAccount = '4600900'

export const unknownAccountMessage = 'The partner does not know this account number and password'

/** The built-in partner: it knows two accounts, and one that takes longer. */
export const testPartner: Partner = {
  decidedBy: 'partner',
  verify: async ({ accountNumber, password }) => {
    if (accountNumber === slowAccount) return { state: 'waiting' }
    const isKnown = Object.hasOwn(passwordByAccount, accountNumber) && passwordByAccount[accountNumber] === password
    return isKnown ? { state: 'verified' } : { state: 'refused', reason: unknownAccountMessage }
  },
}
