import { savedAtServerPattern, testCards } from '#support/journeys/customer-steps.ts'
import type { BrowserDriver } from './browser-driver.ts'

/** The title and the action of a step. */
export type JourneyStep = { name: string; do: (driver: BrowserDriver) => Promise<void> }

const openJobByCode = async (driver: BrowserDriver): Promise<void> => {
  await driver.waitFor('Welcome to Fieldproof')
  await driver.type('Photo code, link or studio name', 'riverside')
  await driver.click('button', 'Find my photos')
  await driver.waitFor('Enter the code from your photo card or email.')
  await driver.type('Access code', 'SPRING')
  await driver.click('button', 'Open')
  await driver.waitFor('Who are you ordering for?')
}

const findSubject = async (driver: BrowserDriver): Promise<void> => {
  await driver.type('First name', 'Ada')
  await driver.type('Last name', 'Lovelace')
  await driver.click('button', 'Search')
  await driver.click('button', /Ada Lovelace/)
  await driver.click('button', 'Yes, show the photos')
  await driver.waitFor('Packages')
}

const choosePackageStep = async (driver: BrowserDriver): Promise<void> => {
  await driver.click('radio', 'Photo 2')
  await driver.click('button', /^Choose: Package B/)
  await driver.waitFor('Make it yours')
}

const customizePackage = async (driver: BrowserDriver): Promise<void> => {
  const print = /^8×10/
  await driver.click('button', /^Change: 8×10/)
  await driver.click('radio', 'Photo 3', print)
  await driver.click('button', 'Crop and rotate', print)
  await driver.slide('Zoom', ['Home', 'PageUp', 'PageUp'])
  await driver.slide('Straighten', ['PageUp'])
  await driver.click('button', 'Rotate right')
  await driver.waitForValue('slider', 'Zoom', '1.8')
  await driver.click('button', 'Done')
  await driver.click('button', 'Crop and rotate', print)
  await driver.waitForValue('slider', 'Zoom', '1.8')
  await driver.waitForValue('slider', 'Straighten', '9')
  await driver.click('button', 'Cancel')
  await driver.type(/^Name/, 'Ada L.')
  await driver.click('button', 'Add to cart')
  await driver.waitFor(savedAtServerPattern)
}

const fillCheckoutDetails = async (driver: BrowserDriver): Promise<void> => {
  await driver.click('button', 'Checkout')
  await driver.waitFor('Billing address')
  await driver.type('Full name', 'Anne Lovelace')
  await driver.type('Email', 'anne@example.com')
  await driver.type('Phone', '937-555-0188')
  await driver.type('Street address', '12 Engine Lane')
  await driver.type('ZIP code', '45402')
  await driver.waitForValue('textbox', 'City', 'Dayton')
}

const payWith = async (driver: BrowserDriver, card: string): Promise<void> => {
  await driver.type('Card number', card)
  await driver.type('Expires (MM/YY)', '1239')
  await driver.type('Security code', '123')
  await driver.click('button', 'Review order')
  await driver.waitFor('Review your order')
  await driver.waitFor('Package B')
  await driver.click('button', /^Pay \$/)
}

const payWithDeclinedCard = async (driver: BrowserDriver): Promise<void> => {
  await payWith(driver, testCards.declined)
  await driver.waitFor('You weren’t charged. Your order is saved.')
  await driver.click('button', 'Pay with another card')
  await driver.waitForValue('textbox', 'Full name', 'Anne Lovelace')
  await driver.waitForValue('textbox', 'Email', 'anne@example.com')
  await driver.waitForValue('textbox', 'Street address', '12 Engine Lane')
  await driver.waitForValue('textbox', 'ZIP code', '45402')
}

const pay = async (driver: BrowserDriver): Promise<void> => {
  await payWith(driver, testCards.good)
  await driver.waitFor('Thank you, Anne!')
}

const searchOrder = async (driver: BrowserDriver, number: string): Promise<void> => {
  await driver.type('Email', 'anne@example.com')
  await driver.type('Order #', number)
  await driver.click('button', 'Search')
}

/** The steps of an order of Ada Lovelace's images, from the home page to the confirmation. */
export const customerOrderSteps: readonly JourneyStep[] = [
  { name: 'The parent opens the job by its code', do: openJobByCode },
  { name: 'The parent finds the child', do: findSubject },
  { name: 'The parent chooses a package', do: choosePackageStep },
  { name: 'The parent customizes the package', do: customizePackage },
  { name: 'The parent fills in the checkout form', do: fillCheckoutDetails },
  { name: 'After a declined card the form is still filled', do: payWithDeclinedCard },
  { name: 'The next card pays the order', do: pay },
]

/** From the home page: an unknown order number shows the toast and an empty form. */
export const searchUnknownOrder = async (driver: BrowserDriver): Promise<void> => {
  await searchOrder(driver, 'FP-00000000')
  await driver.waitForAlert('Could not find this order')
  await driver.waitForValue('textbox', 'Email', '')
  await driver.waitForValue('textbox', 'Order #', '')
}

/** From the home page to the order, by e-mail and number. */
export const findOrder = async (driver: BrowserDriver, number: string): Promise<void> => {
  await searchOrder(driver, number)
  await driver.waitFor('12 Engine Lane')
  await driver.waitFor('Package B')
}

/** The order number on the screen; throws when there is none. */
export const orderNumberOnScreen = async (driver: BrowserDriver): Promise<string> => {
  const text = await driver.read()
  const number = /FP-[0-9A-HJKMNP-TV-Z]{8}/.exec(text)?.[0]
  if (!number) throw new Error(`the page shows no order number: ${text}`)
  return number
}
