import type { Page } from 'playwright/test'
import { formatMoney } from '#domain/pricing/money.ts'
import { readBrowserStorage } from '#support/browser/browser-storage.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addAndSyncPackage,
  addToCart,
  cartStatus,
  fetchOrder,
  fillCardForm,
  fillCheckoutForm,
  fillJobFields,
  idsInUrl,
  openJob,
  pay,
  readOrderNumber,
  savedAtServer,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

/** Waits until the typed text is stored on the device. */
const isKept = (page: Page, words: RegExp): Promise<void> =>
  expect
    .poll(async () => JSON.stringify((await readBrowserStorage(page.context(), page)).rows['cart/drafts']))
    .toMatch(words)

/** Adds a prepay package for a typed-in child, in a job that ships home or with the group. */
const orderForJuno = async (page: Page): Promise<number> => {
  await openJob(page, 'PREPAY')
  const { jobId } = idsInUrl(page)
  await page.getByRole('textbox', { name: 'First name' }).fill('Juno')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Marlow')
  await fillJobFields(page)
  await page.getByRole('button', { name: 'See the packages' }).click()
  await page.getByRole('button', { name: /^Choose: Package C/ }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  return jobId
}

test('Shipping home and shipping with the group show their cost and address, in checkout and on the order', async ({
  page,
}) => {
  const jobId = await orderForJuno(page)
  await fillCheckoutForm(page)
  const bill = page.getByRole('region', { name: 'Your order' })
  const part = (name: string) => bill.getByText(name, { exact: true }).locator('..')
  await test.step('mailed home costs its shipping, with everybody’s costs none', async () => {
    await expect(part('Standard Shipping')).toContainText('$6.95')
    await page.getByRole('radio', { name: 'Studio Shipping' }).check()
    await expect(part('Studio Shipping')).toContainText('$0.00')
    await expect(part('Standard Shipping')).toBeHidden()
    await expect(page.getByRole('radio', { name: /Standard Shipping/ })).toBeHidden()
    await checkScreen(page, '95-studio-shipping')
  })
  await test.step('another thought, and back', async () => {
    await page.getByRole('radio', { name: 'Mailed home' }).check()
    await expect(page.getByRole('radio', { name: /Standard Shipping/ })).toBeChecked()
    await page.getByRole('radio', { name: 'Studio Shipping' }).check()
    await isKept(page, /"delivery":"batch"/)
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Studio Shipping' })).toBeChecked()
  })
  await fillCardForm(page, testCards.good)
  await pay(page)
  const number = await readOrderNumber(page)
  await expect(page.getByText('Studio Shipping').first()).toBeVisible()
  const { totals } = await fetchOrder(page, jobId, number)
  expect(totals.shippingCents).toBe(0)
})

test('Another recipient’s address is asked for, saved, and shown on the order', async ({ page }) => {
  await addAndSyncPackage(page, /Package C/)
  await fillCheckoutForm(page)
  await page.getByRole('checkbox', { name: 'Mail it to my billing address' }).uncheck()
  const shipping = page.getByRole('region', { name: 'Shipping address' })
  await shipping.getByRole('textbox', { name: 'First name' }).fill('Byron')
  await shipping.getByRole('textbox', { name: 'Street address', exact: true }).fill('7 Mill Road')
  await shipping.getByRole('textbox', { name: 'City, or APO, FPO, DPO' }).fill('Columbus')
  await shipping.getByRole('combobox', { name: 'State' }).selectOption('Ohio')
  await shipping.getByRole('textbox', { name: 'ZIP code' }).fill('43215')
  await isKept(page, /43215/)
  await page.reload()
  await expect(shipping.getByRole('textbox', { name: 'Street address', exact: true })).toHaveValue('7 Mill Road')
  await fillCardForm(page, testCards.good)
  await pay(page)
  await readOrderNumber(page)
  await expect(page.getByText('7 Mill Road')).toBeVisible()
  await expect(page.getByText('Byron Lovelace')).toBeVisible()
})

test('A total that changed between the review and Pay: nothing charged, the new one shown, then paid', async ({
  page,
  site,
}) => {
  await addAndSyncPackage(page, /Package C/)
  const { jobId } = idsInUrl(page)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await page.getByRole('button', { name: 'Review order' }).click()
  const button = page.getByRole('button', { name: /^Pay \$/ })
  await expect(button).toBeEnabled()
  const before = await button.innerText()
  await site.stop()
  await changeProductData(site.dataDir, (db) =>
    db
      .updateTable('shipping_options')
      .set(({ eb }) => ({ price_cents: eb('price_cents', '+', 100) }))
      .execute(),
  )
  await site.start()
  await button.click()
  await expect(
    page.getByText(
      'Nothing was charged. Your order and its total are shown below as they are now. Pay when you are ready.',
    ),
  ).toBeVisible()
  await expect(button).not.toHaveText(before)
  await checkScreen(page, '96-total-changed')
  const after = await button.innerText()
  await button.click()
  const { totals } = await fetchOrder(page, jobId, await readOrderNumber(page))
  expect(totals.shippingCents).toBe(795)
  expect(`Pay ${formatMoney(totals.totalCents)}`).toBe(after)
})

test('An order that comes to nothing needs no card', async ({ page, site }) => {
  await site.stop()
  await changeProductData(site.dataDir, async (db) => {
    const { id } = await db.selectFrom('studios').select('id').where('slug', '=', 'riverside').executeTakeFirstOrThrow()
    await db
      .insertInto('promotions')
      .values({ studio_id: id, code: 'GIFT', name: 'A gift', kind: 'percent', basis_points: 10_000 })
      .execute()
    await db.updateTable('shipping_options').set({ price_cents: 0 }).execute()
  })
  await site.start()
  await addAndSyncPackage(page, /Package C/)
  const { jobId } = idsInUrl(page)
  await fillCheckoutForm(page)
  await expect(page.getByText('Test payments')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a promotion code' }).click()
  await page.getByRole('textbox', { name: 'Promotion code (optional)' }).fill('gift')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Discount (GIFT)')).toBeVisible()
  await expect(page.getByText('Test payments')).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeHidden()
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByRole('button', { name: 'Place order' })).toBeEnabled()
  await checkScreen(page, '97-nothing-to-pay')
  await page.getByRole('button', { name: 'Place order' }).click()
  const { totals } = await fetchOrder(page, jobId, await readOrderNumber(page))
  expect(totals.totalCents).toBe(0)
})
