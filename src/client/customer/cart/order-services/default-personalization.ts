import type { CartSubject } from '#domain/cart/cart.ts'
import type { PersonalizationChoice, ServiceFlags } from '#domain/cart/order-service-types.ts'
import { defaultPersonalization } from '#domain/cart/personalization.ts'

/** The longest name and year that are printed, and the contract with it. */
export const maxNameLength = 60
export const maxYearLength = 20

/**
 * Name and year as they begin (section 9): the person's name and the current year on all prints; on wallets where a job prints them
 * nowhere else. `now` is ISO 8601 UTC.
 */
export const initialPersonalization = (
  { firstName, lastName }: Pick<CartSubject, 'firstName' | 'lastName'>,
  { allowNameOnAllPrints, allowNameOnWallets }: ServiceFlags,
  now: string,
): PersonalizationChoice => {
  const begun = defaultPersonalization(now)
  const onWalletsOnly = allowNameOnWallets && !allowNameOnAllPrints
  const places = { nameOnWallets: true, nameOnAllPrints: false, yearOnWallets: true, yearOnAllPrints: false }
  return {
    ...begun,
    ...(onWalletsOnly && places),
    nameToPrint: `${firstName} ${lastName}`.trim().slice(0, maxNameLength),
  }
}
