import type { Personalization } from './cart.ts'

/** Price of name and year on a subject's prints if the job's order service sets none; decimal dollars (section 9). */
export const defaultPersonalizationPrice = 10

type Choices = Pick<
  Personalization,
  'nameOnWallets' | 'nameOnAllPrints' | 'yearOnWallets' | 'yearOnAllPrints' | 'yearToPrint'
>

/**
 * The initial personalization (section 9): name and current year on all prints, not on wallets. `now` is ISO 8601 UTC.
 */
export const defaultPersonalization = (now: string): Choices => ({
  nameOnWallets: false,
  nameOnAllPrints: true,
  yearOnWallets: false,
  yearOnAllPrints: true,
  yearToPrint: now.slice(0, 4),
})
