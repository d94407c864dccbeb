import { readFile } from 'node:fs/promises'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addAndSyncPackage,
  fillCardForm,
  fillCheckoutForm,
  pay,
  readOrderNumber,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

test('A promotion code: refused with its reason, put on, taken off, put on again, and on the order', async ({
  page,
}) => {
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  const code = page.getByRole('textbox', { name: 'Promotion code (optional)' })
  await page.getByRole('button', { name: 'Add a promotion code' }).click()
  await expect(code).toBeFocused()

  await test.step('refused, and kept as it was typed, through a reload too', async () => {
    await code.fill('summer 27')
    await page.keyboard.press('Enter')
    await expect(page.getByText('We do not know this code')).toBeVisible()
    await page.reload()
    await expect(code).toHaveValue('summer 27')
  })
  await test.step('put on, taken off, put on', async () => {
    await code.fill('save10')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('Discount (SAVE10)')).toBeVisible()
    await page.getByRole('button', { name: 'Remove promotion code SAVE10' }).click()
    await expect(page.getByText('Discount (SAVE10)')).toBeHidden()
    await expect(code).toBeFocused()
    await code.fill('Take5')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Discount (TAKE5)')).toBeVisible()
  })
  await test.step('in the review, and on the order', async () => {
    await fillCardForm(page, testCards.good)
    await pay(page)
    const number = await readOrderNumber(page)
    await expect(page.getByText('Discount (TAKE5)')).toBeVisible()
    await expect(page.getByText('-$5.00')).toBeVisible()
    expect(number).toMatch(/^FP-/)
  })
})

test('A declined card keeps the form, and a valid one then makes one order', async ({ page }) => {
  await addAndSyncPackage(page, /Package C/)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.insufficient)
  await pay(page)
  await expect(page.getByText('Your card does not have enough money for this')).toBeVisible()
  await page.getByRole('button', { name: 'Use another card' }).click()
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Street address', exact: true })).toHaveValue('12 Engine Lane')
  await fillCardForm(page, testCards.good)
  await pay(page)
  await readOrderNumber(page)
  await expect(page.getByText('Thank you, Anne. Your order number is')).toBeVisible()
})

test('A military address is offered priority alone, and the order says so', async ({ page }) => {
  await addAndSyncPackage(page, /Package C/)
  await fillCheckoutForm(page)
  await page.getByRole('textbox', { name: 'City, or APO, FPO, DPO', exact: true }).fill('APO')
  await page.getByRole('combobox', { name: 'State' }).selectOption({ value: 'AE' })
  await page.getByRole('textbox', { name: 'ZIP code', exact: true }).fill('09012')
  const ways = page.getByRole('radio', { name: /mail|shipping/i })
  await expect(page.getByText('Priority Shipping').first()).toBeVisible()
  await expect(ways.filter({ hasText: /standard/i })).toHaveCount(0)
  await fillCardForm(page, testCards.good)
  await pay(page)
  await readOrderNumber(page)
  await expect(page.getByText('Priority Shipping').first()).toBeVisible()
  await expect(page.getByText(/APO, AE 09012/)).toBeVisible()
})

test('An order is taken back: asked once, the money on its way, and found cancelled from another device', async ({
  page,
  browser,
}) => {
  await addAndSyncPackage(page, /Package C/)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await pay(page)
  const number = await readOrderNumber(page)
  await page.getByRole('button', { name: 'Cancel this order' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('goes back to the card ending 4242')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(page.getByText('Thank you, Anne. Your order number is')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel this order' }).click()
  await dialog.getByRole('button', { name: 'Cancel the order' }).click()
  await expect(page.getByText('This order was cancelled')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel this order' })).toBeHidden()

  const context = await browser.newContext()
  const other = await context.newPage()
  await other.goto(new URL('/', page.url()).href)
  await other.getByRole('textbox', { name: 'Email' }).fill('anne@example.com')
  await other.getByRole('textbox', { name: 'Order #' }).fill(number)
  await other.getByRole('button', { name: 'Search' }).click()
  await expect(other.getByText('This order was cancelled')).toBeVisible()
  await expect(other.getByText(/^\$\d+\.\d\d (is on its way back|was given back on)/)).toBeVisible()
  await context.close()
})

test('Pictures as files: bought, downloaded byte for byte, gone on with where they broke off, on another device too', async ({
  page,
  browser,
}) => {
  await addAndSyncPackage(page, /Package A/)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await pay(page)
  await readOrderNumber(page)
  const link = page.getByRole('link', { name: 'One picture of Ada Lovelace' })
  const address = new URL((await link.getAttribute('href')) ?? '', page.url()).href

  const context = await browser.newContext({ acceptDownloads: true })
  const other = await context.newPage()
  await other.goto(address)
  await expect(other).toHaveTitle('Download | Fieldproof')
  await expect(other.getByRole('heading', { name: 'Ada Lovelace’s picture' })).toBeVisible()
  const button = other.getByRole('link', { name: /^Download / })
  await checkScreen(other, '99-download')
  const [download] = await Promise.all([other.waitForEvent('download'), button.click()])
  const got = await readFile(await download.path())
  const url = new URL((await button.getAttribute('href')) ?? '', address).href
  const whole = await other.request.get(url)
  expect(got.equals(await whole.body())).toBe(true)
  expect(got.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  const half = Math.floor(got.length * 0.6)
  const rest = await other.request.get(url, {
    headers: { range: `bytes=${half}-`, 'if-range': whole.headers().etag ?? '' },
  })
  expect(rest.status()).toBe(206)
  expect(got.subarray(half).equals(await rest.body())).toBe(true)
  // A downloaded file cannot be returned.
  await page.getByRole('button', { name: 'Cancel this order' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the order' }).click()
  await expect(page.getByText('Pictures of this were downloaded already')).toBeVisible()
  await context.close()
})
