import type { Locator, Page } from 'playwright/test'
import { readOrderNumber, testCards } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

/** Counts what a parent does: taps, and fields that are typed into. */
const countingHand = () => {
  const counts = { taps: 0, fields: 0, keys: 0 }
  return {
    counts,
    tap: async (target: Locator) => {
      counts.taps += 1
      await target.tap()
    },
    type: async (target: Locator, text: string) => {
      counts.fields += 1
      counts.keys += text.length
      await target.fill(text)
    },
  }
}

type Hand = ReturnType<typeof countingHand>

/** From a child's packages to the paid order. */
const orderAndPay = async (page: Page, { tap, type }: Hand): Promise<void> => {
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await tap(button(/^Choose: Package B/))
  await tap(button('Add to cart'))
  await tap(button('Checkout'))
  await type(field('Full name'), 'Anne Lovelace')
  await type(field('Email'), 'anne@example.com')
  await type(field('Phone'), '9375550188')
  await type(field('Street address'), '12 Engine Lane')
  await type(field('ZIP code'), '45402')
  await expect(field('City')).toHaveValue('Dayton')
  await type(field('Card number'), testCards.good)
  await type(field('Expires (MM/YY)'), '1239')
  await type(field('Security code'), '123')
  await tap(button('Review order'))
  await tap(button(/^Pay \$/))
  await readOrderNumber(page)
}

for (const viewport of [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]) {
  const size = `${viewport.width}×${viewport.height}`
  test.describe(`at ${size}`, () => {
    test.use({ viewport, hasTouch: true })

    test('The home page leads to a paid order in at most nine taps and nine fields', async ({ page }) => {
      const hand = countingHand()
      await page.goto('/')
      await hand.type(page.getByRole('textbox', { name: 'Photo code, link or studio name' }), 'ADALVL')
      await hand.tap(page.getByRole('button', { name: 'Find my photos' }))
      await orderAndPay(page, hand)
      const { taps, fields, keys } = hand.counts
      process.stdout.write(`     Home page to paid, ${size}: ${taps} taps, ${fields} fields, ${keys} keys\n`)
      expect(taps).toBeLessThanOrEqual(9)
      expect(fields).toBeLessThanOrEqual(9)
    })

    test('A returning parent pays with a wallet in at most five taps, without typing', async ({ page }) => {
      const hand = countingHand()
      const button = (name: string | RegExp) => page.getByRole('button', { name })
      await page.goto('/riverside/code/ADALVL')
      await expect(button(/^Choose: Package B/)).toBeVisible()
      await page.goto('/riverside/code/ADALVL')
      await hand.tap(button(/^Choose: Package B/))
      await hand.tap(button('Add to cart'))
      await hand.tap(button('Checkout'))
      await hand.tap(button('Pay with test wallet'))
      await hand.tap(button(/^Pay \$/))
      await readOrderNumber(page)
      const { taps, fields } = hand.counts
      process.stdout.write(`     Returning with a wallet to paid, ${size}: ${taps} taps, ${fields} fields\n`)
      expect(taps).toBeLessThanOrEqual(5)
      expect(fields).toBe(0)
    })

    test('A QR card leads to a paid order in at most six taps and eight fields', async ({ page }) => {
      const hand = countingHand()
      await page.goto('/riverside/code/ADALVL')
      await orderAndPay(page, hand)
      const { taps, fields, keys } = hand.counts
      process.stdout.write(`     QR card to paid, ${size}: ${taps} taps, ${fields} fields, ${keys} keys\n`)
      expect(taps).toBeLessThanOrEqual(6)
      expect(fields).toBeLessThanOrEqual(8)
    })
  })
}
