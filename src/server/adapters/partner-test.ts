import type { Partner } from '../ports/partner.ts'

/** The customers of the built-in partner, and what each has for a password. */
const passwordByAccount: Readonly<Record<string, string>> = { '4600100': 'partner-demo', '4600200': 'partner-demo' }
/** The one the built-in partner has to look up by hand. */
const slowAccount = '4600900'

export const unknownAccountMessage = 'The partner does not know this account number and password'

/** The built-in partner: it knows two account numbers, and one that takes it longer. */
export const testPartner: Partner = {
  decidedBy: 'partner',
  verify: async ({ accountNumber, password }) => {
    if (accountNumber === slowAccount) return { state: 'waiting' }
    const isKnown = Object.hasOwn(passwordByAccount, accountNumber) && passwordByAccount[accountNumber] === password
    return isKnown ? { state: 'verified' } : { state: 'refused', reason: unknownAccountMessage }
  },
}
