import { testCards } from '#support/journeys/customer-steps.ts'
import type { BrowserDriver } from './browser-driver.ts'

/** What a parent does: taps, fields that are typed into, and keys. */
export type Counts = { taps: number; fields: number; keys: number }

type Hand = Pick<BrowserDriver, 'goTo' | 'waitFor' | 'waitForValue'> & {
  tap: BrowserDriver['click']
  type: BrowserDriver['type']
}

/** Orders and pays from a child's packages. */
const orderAndPay = async ({ tap, type, waitFor, waitForValue }: Hand): Promise<void> => {
  await tap('button', /^Choose: Package B/)
  await tap('button', 'Add to cart')
  await tap('button', 'Checkout')
  await type('Full name', 'Anne Lovelace')
  await type('Email', 'anne@example.com')
  await type('Phone', '9375550188')
  await type('Street address', '12 Engine Lane')
  await type('ZIP code', '45402')
  await waitForValue('textbox', 'City', 'Dayton')
  await type('Card number', testCards.good)
  await type('Expires (MM/YY)', '1239')
  await type('Security code', '123')
  await tap('button', 'Review order')
  await tap('button', /^Pay \$/)
  await waitFor('Thank you, Anne!')
}

const fromHome = async (hand: Hand, url: string): Promise<void> => {
  await hand.goTo(`${url}/`)
  await hand.type('Photo code, link or studio name', 'ADALVL')
  await hand.tap('button', 'Find my photos')
  await orderAndPay(hand)
}

const fromCard = async (hand: Hand, url: string): Promise<void> => {
  await hand.goTo(`${url}/riverside/code/ADALVL`)
  await orderAndPay(hand)
}

const withWallet = async (hand: Hand, url: string): Promise<void> => {
  await hand.goTo(`${url}/riverside/code/ADALVL`)
  await hand.waitFor('Packages')
  await hand.goTo(`${url}/riverside/code/ADALVL`)
  await hand.tap('button', /^Choose: Package B/)
  await hand.tap('button', 'Add to cart')
  await hand.tap('button', 'Checkout')
  await hand.tap('button', 'Pay with test wallet')
  await hand.tap('button', /^Pay \$/)
  await hand.waitFor('Thank you, Tess!')
}

type CountedFlow = {
  name: string
  run: (hand: Hand, url: string) => Promise<void>
  /** The largest counts that are allowed. */
  limits: { taps: number; fields: number }
}

/** The ways to a paid order whose taps and fields are limited. */
export const countedFlows: readonly CountedFlow[] = [
  { name: 'From the home page', run: fromHome, limits: { taps: 9, fields: 9 } },
  { name: 'From a QR card', run: fromCard, limits: { taps: 6, fields: 8 } },
  { name: 'Returning, with a wallet', run: withWallet, limits: { taps: 5, fields: 0 } },
]

/** Does a flow and counts what it takes. */
export const countFlow = async (driver: BrowserDriver, { run }: CountedFlow, url: string): Promise<Counts> => {
  const counts: Counts = { taps: 0, fields: 0, keys: 0 }
  const hand: Hand = {
    ...driver,
    tap: (...target) => {
      counts.taps += 1
      return driver.click(...target)
    },
    type: (label, text) => {
      counts.fields += 1
      counts.keys += text.length
      return driver.type(label, text)
    },
  }
  await run(hand, url)
  return counts
}
