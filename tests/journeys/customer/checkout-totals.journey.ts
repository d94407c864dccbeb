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

/** Waits until the drafts stored on the device contain the text. */
const expectStoredDraft = (page: Page, text: RegExp): Promise<void> =>
  expect
    .poll(async () => JSON.stringify((await readBrowserStorage(page.context(), page)).rows['cart/drafts']))
    .toMatch(text)

/** Adds a prepay package for a typed child, in a job that ships to the home or to the studio. Returns the job's id. */
const orderForJuno = async (page: Page): Promise<number> => {
  await openJob(page, 'PREPAY')
  const { jobId } = idsInUrl(page)
  await page.getByRole('textbox', { name: 'First name' }).fill('Juno')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Marlow')
  await fillJobFields(page)
  await page.getByRole('button', { name: 'See the packages' }).click()
  await page.getByRole('button', { name: /^Choose: Package C/ }).click()
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  return jobId
}

test('Shipping to the home and to the studio show their cost in the checkout, and the choice is on the order', async ({
  page,
}) => {
  const jobId = await orderForJuno(page)
  await fillCheckoutForm(page)
  const bill = page.getByRole('region', { name: 'Order total' })
  const billRow = (name: string) => bill.getByText(name, { exact: true }).locator('..')
  await test.step('Shipping to the home has its cost, and shipping to the studio is free', async () => {
    await expect(billRow('Standard Shipping')).toContainText('$6.95')
    await page.getByRole('radio', { name: 'Studio Shipping' }).check()
    await expect(billRow('Studio Shipping')).toContainText('$0.00')
    await expect(billRow('Standard Shipping')).toBeHidden()
    await expect(page.getByRole('radio', { name: /Standard Shipping/ })).toBeHidden()
    await checkScreen(page, '95-studio-shipping')
  })
  await test.step('The choice of shipping can be changed, and survives a reload', async () => {
    await page.getByRole('radio', { name: 'Ship to home' }).check()
    await expect(page.getByRole('radio', { name: /Standard Shipping/ })).toBeChecked()
    await page.getByRole('radio', { name: 'Studio Shipping' }).check()
    await expectStoredDraft(page, /"delivery":"batch"/)
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

test('A separate shipping address can be entered, survives a reload, and is shown on the order', async ({ page }) => {
  await addAndSyncPackage(page, /Package C/)
  await fillCheckoutForm(page)
  await page.getByRole('checkbox', { name: 'Ship to this address' }).uncheck()
  const shipping = page.getByRole('region', { name: 'Shipping address' })
  await shipping.getByRole('textbox', { name: 'Full name' }).fill('Byron Lovelace')
  await shipping.getByRole('textbox', { name: 'Street address', exact: true }).fill('7 Mill Road')
  await shipping.getByRole('textbox', { name: 'ZIP code' }).fill('43215')
  await expect(shipping.getByRole('textbox', { name: 'City' })).toHaveValue('Columbus')
  await expect(shipping.getByRole('combobox', { name: 'State' })).toHaveValue('OH')
  await expectStoredDraft(page, /43215/)
  await page.reload()
  await expect(shipping.getByRole('textbox', { name: 'Street address', exact: true })).toHaveValue('7 Mill Road')
  await fillCardForm(page, testCards.good)
  await pay(page)
  await readOrderNumber(page)
  await expect(page.getByText('7 Mill Road')).toBeVisible()
  await expect(page.getByText('Byron Lovelace')).toBeVisible()
})

test('If the total changes before payment, nothing is charged, and the new total is shown and then paid', async ({
  page,
  site,
}) => {
  await addAndSyncPackage(page, /Package C/)
  const { jobId } = idsInUrl(page)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await page.getByRole('button', { name: 'Review order' }).click()
  const payButton = page.getByRole('button', { name: /^Pay \$/ })
  await expect(payButton).toBeEnabled()
  const oldLabel = await payButton.innerText()
  await site.stop()
  await changeProductData(site.dataDir, (db) =>
    db
      .updateTable('shipping_options')
      .set(({ eb }) => ({ price_cents: eb('price_cents', '+', 100) }))
      .execute(),
  )
  await site.start()
  await payButton.click()
  await expect(
    page.getByText('You weren’t charged. Below is your order with its current total. Pay when you’re ready.'),
  ).toBeVisible()
  await expect(payButton).not.toHaveText(oldLabel)
  await checkScreen(page, '96-total-changed')
  const newLabel = await payButton.innerText()
  await payButton.click()
  const { totals } = await fetchOrder(page, jobId, await readOrderNumber(page))
  expect(totals.shippingCents).toBe(795)
  expect(`Pay ${formatMoney(totals.totalCents)}`).toBe(newLabel)
})

test('An order with a total of zero needs no card', async ({ page, site }) => {
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
