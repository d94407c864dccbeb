import type { Page } from 'playwright/test'
import { fillCardForm, fillCheckoutForm, readOrderNumber, testCards } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

/** What a screen reader says of the controls and headings of the screen, in its order, from the accessibility tree. */
const readScreen = async (page: Page): Promise<string[]> => {
  const tree = await page.locator('body').ariaSnapshot()
  const entries = tree.matchAll(/- '?(heading|textbox|button|link|combobox|radio|checkbox|img) "((?:[^"\\]|\\.)*)"/g)
  return [...entries].map(([, role, name]) => `${role} ${name}`)
}

/** Expects that the screen has these entries, in this order; others may be between them. */
const expectInOrder = async (page: Page, expected: readonly RegExp[]): Promise<void> => {
  await expect
    .poll(async () => {
      const entries = await readScreen(page)
      const places = expected.map((pattern) => entries.findIndex((entry) => pattern.test(entry)))
      const missing = expected.filter((_, index) => places[index] === -1).map(String)
      const isInOrder = places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1))
      return missing.length === 0 && isInOrder ? 'in order' : { missing, entries }
    })
    .toBe('in order')
}

test('A screen reader meets what finding, ordering and paying need in the order in which it is done', async ({
  page,
}) => {
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  await page.goto('/')
  await expectInOrder(page, [/^heading /, /^textbox Photo code, link or studio name/, /^button Find my photos/])
  await page.getByRole('textbox', { name: 'Photo code, link or studio name' }).fill('ADALVL')
  await button('Find my photos').click()
  await expectInOrder(page, [/^heading Ada Lovelace/, /^radio Photo 1/, /^radio Photo 2/, /^button Choose: Package B/])
  await button(/^Choose: Package B/).click()
  await expectInOrder(page, [/^heading Make it yours/, /^img Package B/, /^heading 8×10 Print/, /^button Add to cart/])
  await button('Add to cart').click()
  await expectInOrder(page, [/^heading Cart/, /^heading .*Ada/, /^button Checkout/])
  await fillCheckoutForm(page)
  await expectInOrder(page, [
    /^heading Checkout/,
    /^button Pay with test wallet/,
    /^textbox Full name/,
    /^textbox Email/,
    /^textbox Phone/,
    /^heading Billing address/,
    /^textbox Street address/,
    /^textbox ZIP code/,
    /^textbox Card number/,
    /^button Review order/,
  ])
  await fillCardForm(page, testCards.good)
  await button('Review order').click()
  await expectInOrder(page, [/^heading Review your order/, /^button Pay \$/])
  await button(/^Pay \$/).click()
  await readOrderNumber(page)
  await expectInOrder(page, [/^heading Thank you/, /^heading What happens next/, /^heading What you ordered/])
})
