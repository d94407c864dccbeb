import type { CartSubject } from '#domain/cart/cart.ts'
import type { PersonalizationChoice, ServiceFlags } from '#domain/cart/order-service-types.ts'
import { defaultPersonalization } from '#domain/cart/personalization.ts'

/** Maximum lengths of the printed name and year; the same as in the contract. */
export const maxNameLength = 60
export const maxYearLength = 20

/**
 * The initial choice (section 9): the subject's name and the current year on all prints, or on wallets if the job
 * offers nothing else. `now` is ISO 8601 UTC.
 */
export const initialPersonalization = (
  { firstName, lastName }: Pick<CartSubject, 'firstName' | 'lastName'>,
  { allowNameOnAllPrints, allowNameOnWallets }: ServiceFlags,
  now: string,
): PersonalizationChoice => {
  const initial = defaultPersonalization(now)
  const onWalletsOnly = allowNameOnWallets && !allowNameOnAllPrints
  const placement = { nameOnWallets: true, nameOnAllPrints: false, yearOnWallets: true, yearOnAllPrints: false }
  return {
    ...initial,
    ...(onWalletsOnly && placement),
    nameToPrint: `${firstName} ${lastName}`.trim().slice(0, maxNameLength),
  }
}
