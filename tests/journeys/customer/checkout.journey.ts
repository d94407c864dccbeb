import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright/test'
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

/** Records each text that an element shows from now on. Returns a function that reads them. */
const recordTexts = async (element: Locator): Promise<() => Promise<string[]>> => {
  const texts = await element.evaluateHandle((node) => {
    const seen = [node.textContent ?? '']
    const record = () => seen.push(node.textContent ?? '')
    new MutationObserver(record).observe(node, { subtree: true, childList: true, characterData: true })
    return seen
  })
  return () => texts.jsonValue()
}

test('A promotion code can be refused with a reason, applied and removed, and its discount is on the order', async ({
  page,
}) => {
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  const code = page.getByRole('textbox', { name: 'Promotion code (optional)' })
  await page.getByRole('button', { name: 'Add a promotion code' }).click()
  await expect(code).toBeFocused()

  await test.step('An unknown code is refused and stays in its field, also after a reload', async () => {
    await code.fill('summer 27')
    await page.keyboard.press('Enter')
    await expect(page.getByText('We don’t know this code')).toBeVisible()
    await page.reload()
    await expect(code).toHaveValue('summer 27')
  })
  await test.step('A code is applied and removed, and another code is applied', async () => {
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
  await test.step('The discount is shown on the order', async () => {
    await fillCardForm(page, testCards.good)
    await pay(page)
    const number = await readOrderNumber(page)
    await expect(page.getByText('Discount (TAKE5)')).toBeVisible()
    await expect(page.getByText('-$5.00')).toBeVisible()
    expect(number).toMatch(/^FP-/)
  })
})

test('A total never includes a tax of zero before the address is known', async ({ page }) => {
  await addAndSyncPackage(page, /Package B/)
  await page.getByRole('button', { name: 'Checkout' }).click()
  const bill = page.getByRole('region', { name: 'Order total' })
  await expect(bill).toContainText('calculated from your address')
  await expect(bill).toContainText('Total before tax')
  const totalsSeen = await recordTexts(bill)
  await page.getByRole('combobox', { name: 'State' }).selectOption('Ohio')
  await expect(bill).toContainText(/Tax\$\d+\.\d\dTotal\$/)
  expect((await totalsSeen()).filter((text) => text.includes('Tax$0.00'))).toEqual([])
})

test('After a declined card the form is still filled, and a valid card pays the order', async ({ page }) => {
  await addAndSyncPackage(page, /Package C/)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.insufficient)
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeEnabled()
  const bar = page.getByRole('region', { name: 'Next step' })
  const barTexts = await recordTexts(bar)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('Your card does not have enough money for this')).toBeVisible()
  await expect(bar).toContainText('Card declined')
  expect((await barTexts()).filter((text) => text.includes('Updating'))).toEqual([])
  await page.getByRole('button', { name: 'Pay with another card' }).click()
  await expect(page.getByRole('textbox', { name: 'Card number' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Street address', exact: true })).toHaveValue('12 Engine Lane')
  await fillCardForm(page, testCards.good)
  await pay(page)
  await readOrderNumber(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you, Anne!' })).toBeVisible()
})

test('A military address is offered only priority shipping, which the order shows', async ({ page }) => {
  await addAndSyncPackage(page, /Package C/)
  await fillCheckoutForm(page)
  await page.getByRole('textbox', { name: 'City', exact: true }).fill('APO')
  await page.getByRole('combobox', { name: 'State' }).selectOption({ value: 'AE' })
  await page.getByRole('textbox', { name: 'ZIP code', exact: true }).fill('09012')
  const shippingOptions = page.getByRole('radio', { name: /mail|shipping/i })
  await expect(page.getByText('Priority Shipping').first()).toBeVisible()
  await expect(shippingOptions.filter({ hasText: /standard/i })).toHaveCount(0)
  await fillCardForm(page, testCards.good)
  await pay(page)
  await readOrderNumber(page)
  await expect(page.getByText('Priority Shipping').first()).toBeVisible()
  await expect(page.getByText(/APO, AE 09012/)).toBeVisible()
})

test('An order is cancelled after one question, refunded, and shown as cancelled on another device', async ({
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
  await expect(dialog).toContainText('to the card ending 4242')
  await dialog.getByRole('button', { name: 'Keep the order' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you, Anne!' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel this order' }).click()
  await dialog.getByRole('button', { name: 'Cancel the order' }).click()
  await expect(page.getByText('This order was cancelled')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel this order' })).toBeHidden()

  const context = await browser.newContext()
  const otherPage = await context.newPage()
  await otherPage.goto(new URL('/', page.url()).href)
  await otherPage.getByRole('textbox', { name: 'Email' }).fill('anne@example.com')
  await otherPage.getByRole('textbox', { name: 'Order #' }).fill(number)
  await otherPage.getByRole('button', { name: 'Search' }).click()
  await expect(otherPage.getByText('This order was cancelled')).toBeVisible()
  await expect(otherPage.getByText(/^\$\d+\.\d\d (is being refunded|was refunded on)/)).toBeVisible()
  await context.close()
})

test('Downloads are bought, downloaded byte for byte, and resumed after an interruption, also on another device', async ({
  page,
  browser,
}) => {
  await addAndSyncPackage(page, /Package A/)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await pay(page)
  await readOrderNumber(page)
  const link = page.getByRole('link', { name: 'Download Ada Lovelace’s photo' })
  const downloadPageUrl = new URL((await link.getAttribute('href')) ?? '', page.url()).href

  const context = await browser.newContext({ acceptDownloads: true })
  const otherPage = await context.newPage()
  await otherPage.goto(downloadPageUrl)
  await expect(otherPage).toHaveTitle('Download | Fieldproof')
  await expect(otherPage.getByRole('heading', { name: 'Ada Lovelace’s photo' })).toBeVisible()
  const downloadLink = otherPage.getByRole('link', { name: /^Download / })
  await checkScreen(otherPage, '99-download')
  const [download] = await Promise.all([otherPage.waitForEvent('download'), downloadLink.click()])
  const downloadedBytes = await readFile(await download.path())
  const fileUrl = new URL((await downloadLink.getAttribute('href')) ?? '', downloadPageUrl).href
  const fullResponse = await otherPage.request.get(fileUrl)
  expect(downloadedBytes.equals(await fullResponse.body())).toBe(true)
  expect(downloadedBytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  const resumeOffset = Math.floor(downloadedBytes.length * 0.6)
  const partialResponse = await otherPage.request.get(fileUrl, {
    headers: { range: `bytes=${resumeOffset}-`, 'if-range': fullResponse.headers().etag ?? '' },
  })
  expect(partialResponse.status()).toBe(206)
  expect(downloadedBytes.subarray(resumeOffset).equals(await partialResponse.body())).toBe(true)
  // A downloaded file cannot be returned.
  await page.getByRole('button', { name: 'Cancel this order' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the order' }).click()
  await expect(page.getByText('Photos of this were already downloaded')).toBeVisible()
  await context.close()
})
