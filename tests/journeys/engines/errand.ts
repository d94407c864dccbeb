import type { Driver } from './driver.ts'

/** What a step is called, and how it is done. */
export type Step = { name: string; do: (parent: Driver) => Promise<void> }

const findTheEvent = async (parent: Driver): Promise<void> => {
  await parent.waitFor('Welcome to Fieldproof')
  await parent.type('Your photography studio', 'riverside')
  await parent.click('button', 'Find my pictures')
  await parent.waitFor('Type the code from the card or e-mail you were given.')
  await parent.type('Access code', 'SPRING')
  await parent.click('button', 'Open')
  await parent.waitFor('Who are you ordering for?')
}

const findTheChild = async (parent: Driver): Promise<void> => {
  await parent.type('First name', 'Ada')
  await parent.type('Last name', 'Lovelace')
  await parent.click('button', 'Search')
  await parent.click('button', /Ada Lovelace/)
  await parent.click('button', 'Yes, show the pictures')
  await parent.waitFor('Packages')
}

const chooseAPackage = async (parent: Driver): Promise<void> => {
  await parent.click('radio', 'Pose 2')
  await parent.click('button', /^Choose: Package B/)
  await parent.click('button', 'Next')
  await parent.waitFor('Make it yours')
}

const makeItTheirs = async (parent: Driver): Promise<void> => {
  await parent.type(/^Name/, 'Ada L.')
  await parent.click('button', 'Add to cart')
  await parent.waitFor('Sent to Riverside Portraits')
}

const giveDetails = async (parent: Driver): Promise<void> => {
  await parent.click('button', 'Checkout')
  await parent.waitFor('Billing address')
  await parent.type('First name', 'Anne')
  await parent.type('Last name', 'Lovelace')
  await parent.type('Email', 'anne@example.com')
  await parent.type('Phone', '937-555-0188')
  await parent.type('Street address', '12 Engine Lane')
  await parent.type('City, or APO, FPO, DPO', 'Dayton')
  await parent.choose('State', 'Ohio')
  await parent.type('ZIP code', '45402')
  await parent.type('Card number', '4242424242424242')
  await parent.type('Expires (MM/YY)', '1239')
  await parent.type('Security code', '123')
}

const pay = async (parent: Driver): Promise<void> => {
  await parent.click('button', 'Review order')
  await parent.waitFor('Review your order')
  await parent.click('button', /^Pay \$/)
  await parent.waitFor('Your order number is')
}

/** A parent's whole errand for Ada Lovelace, from the home page to the confirmation (sections 1 and 2), at 390 × 844 or any other size. */
export const errand: readonly Step[] = [
  { name: 'find the event', do: findTheEvent },
  { name: 'find the child', do: findTheChild },
  { name: 'choose a package', do: chooseAPackage },
  { name: 'make it theirs', do: makeItTheirs },
  { name: 'give the details', do: giveDetails },
  { name: 'pay', do: pay },
]

/** The number of the order whose confirmation is on the screen. */
export const orderNumberOn = async (parent: Driver): Promise<string | undefined> =>
  /FP-[0-9A-HJKMNP-TV-Z]{8}/.exec(await parent.read())?.[0]
