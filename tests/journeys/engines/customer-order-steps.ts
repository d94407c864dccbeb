import { savedAtServerPattern, testCards } from '#support/journeys/customer-steps.ts'
import type { BrowserDriver } from './browser-driver.ts'

/** The title and the action of a step. */
export type JourneyStep = { name: string; do: (parent: BrowserDriver) => Promise<void> }

const openJobByCode = async (parent: BrowserDriver): Promise<void> => {
  await parent.waitFor('Welcome to Fieldproof')
  await parent.type('Your photography studio', 'riverside')
  await parent.click('button', 'Find my pictures')
  await parent.waitFor('Type the code from the card or e-mail you were given.')
  await parent.type('Access code', 'SPRING')
  await parent.click('button', 'Open')
  await parent.waitFor('Who are you ordering for?')
}

const findSubject = async (parent: BrowserDriver): Promise<void> => {
  await parent.type('First name', 'Ada')
  await parent.type('Last name', 'Lovelace')
  await parent.click('button', 'Search')
  await parent.click('button', /Ada Lovelace/)
  await parent.click('button', 'Yes, show the pictures')
  await parent.waitFor('Packages')
}

const choosePackageStep = async (parent: BrowserDriver): Promise<void> => {
  await parent.click('radio', 'Pose 2')
  await parent.click('button', /^Choose: Package B/)
  await parent.click('button', 'Next')
  await parent.waitFor('Make it yours')
}

const customisePackage = async (parent: BrowserDriver): Promise<void> => {
  const print = /^8×10/
  await parent.click('radio', 'Photo 3', print)
  await parent.click('button', 'Crop and turn', print)
  await parent.slide('Zoom', ['Home', 'PageUp', 'PageUp'])
  await parent.slide('Straighten', ['PageUp'])
  await parent.click('button', 'Turn right')
  await parent.waitForValue('slider', 'Zoom', '1.8')
  await parent.click('button', 'Done')
  await parent.click('button', 'Crop and turn', print)
  await parent.waitForValue('slider', 'Zoom', '1.8')
  await parent.waitForValue('slider', 'Straighten', '9')
  await parent.click('button', 'Cancel')
  await parent.type(/^Name/, 'Ada L.')
  await parent.click('button', 'Add to cart')
  await parent.waitFor(savedAtServerPattern)
}

const fillCheckoutDetails = async (parent: BrowserDriver): Promise<void> => {
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
}

const payWith = async (parent: BrowserDriver, card: string): Promise<void> => {
  await parent.type('Card number', card)
  await parent.type('Expires (MM/YY)', '1239')
  await parent.type('Security code', '123')
  await parent.click('button', 'Review order')
  await parent.waitFor('Review your order')
  await parent.waitFor('Package B')
  await parent.click('button', /^Pay \$/)
}

const payWithDeclinedCard = async (parent: BrowserDriver): Promise<void> => {
  await payWith(parent, testCards.declined)
  await parent.waitFor('Nothing was charged, and your order is kept as it is.')
  await parent.click('button', 'Use another card')
  await parent.waitForValue('textbox', 'First name', 'Anne')
  await parent.waitForValue('textbox', 'Email', 'anne@example.com')
  await parent.waitForValue('textbox', 'Street address', '12 Engine Lane')
  await parent.waitForValue('textbox', 'ZIP code', '45402')
}

const pay = async (parent: BrowserDriver): Promise<void> => {
  await payWith(parent, testCards.good)
  await parent.waitFor('Thank you, Anne. Your order number is')
}

const searchOrder = async (parent: BrowserDriver, number: string): Promise<void> => {
  await parent.type('Email', 'anne@example.com')
  await parent.type('Order #', number)
  await parent.click('button', 'Search')
}

/** Orders Ada Lovelace's images, from the home page to the confirmation (sections 1 and 2), at 390 × 844 or any other size. */
export const customerOrderSteps: readonly JourneyStep[] = [
  { name: 'find the event', do: openJobByCode },
  { name: 'find the child', do: findSubject },
  { name: 'choose a package', do: choosePackageStep },
  { name: 'make it theirs', do: customisePackage },
  { name: 'give the details', do: fillCheckoutDetails },
  { name: 'a declined card keeps everything', do: payWithDeclinedCard },
  { name: 'the next card pays', do: pay },
]

/** From the home page: an unknown order number shows the toast and an empty form (sections 2 and 5). */
export const searchUnknownOrder = async (parent: BrowserDriver): Promise<void> => {
  await searchOrder(parent, 'FP-00000000')
  await parent.waitForAlert('Could not find this order')
  await parent.waitForValue('textbox', 'Email', '')
  await parent.waitForValue('textbox', 'Order #', '')
}

/** From the home page to the order, by e-mail and number. */
export const findOrder = async (parent: BrowserDriver, number: string): Promise<void> => {
  await searchOrder(parent, number)
  await parent.waitFor('12 Engine Lane')
  await parent.waitFor('Package B')
}

/** The order number on the screen; throws when there is none. */
export const orderNumberOnScreen = async (parent: BrowserDriver): Promise<string> => {
  const text = await parent.read()
  const number = /FP-[0-9A-HJKMNP-TV-Z]{8}/.exec(text)?.[0]
  if (!number) throw new Error(`no order number can be read; there is: ${text}`)
  return number
}
