import type { Page } from 'playwright/test'
import {
  addToCart,
  cartLine,
  cartStatus,
  choosePackage,
  cropAndRotate,
  enterAccessCode,
  fetchCart,
  fillCardForm,
  fillCheckoutForm,
  findAda,
  idsInUrl,
  openAda,
  openPrints,
  pay,
  readOrderNumber,
  savedAtServer,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { collectPageErrors, expect, test } from '#support/journeys/journey-test.ts'

const findOrder = async (page: Page, { email, number }: { email: string; number: string }): Promise<void> => {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Order #' }).fill(number)
  await page.getByRole('button', { name: 'Search' }).click()
}

const customizePrint = async (page: Page): Promise<void> => {
  const printSection = page.getByRole('region', { name: '8×10' })
  await openPrints(page)
  await printSection.getByRole('radio', { name: 'Photo 3' }).check()
  await cropAndRotate(page, printSection)
  await printSection.getByRole('textbox', { name: /^Name/ }).fill('Ada L.')
}

test('A parent enters a code, orders Ada’s photos, pays after a declined card, and finds the order again', async ({
  page,
  browser,
  pageErrors,
}) => {
  await page.goto('/')
  await expect(page).toHaveTitle('Fieldproof')
  await page.getByRole('textbox', { name: 'Photo code, link or studio name' }).fill('riverside')
  await page.getByRole('button', { name: 'Find my photos' }).click()
  await enterAccessCode(page, 'spring')
  await expect(page.getByText('Lincoln Elementary')).toBeVisible()
  await findAda(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package B/)

  await test.step('The parent chooses another photo, crops it and types a text', async () => {
    await customizePrint(page)
    await page.getByRole('region', { name: '8×10' }).getByRole('button', { name: 'Crop and rotate' }).click()
    await expect(page.getByRole('slider', { name: 'Zoom' })).toHaveValue('1.6')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await addToCart(page)
  })

  await test.step('The server stores the chosen photo, crop and text', async () => {
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    const { cartPackages } = await fetchCart(page, jobId)
    const items = cartPackages.flatMap((line) => line.cartPackageItems)
    expect(cartPackages).toHaveLength(1)
    expect(items.flatMap((item) => item.textNodes.map((node) => node.value))).toContain('Ada L.')
    expect(items.flatMap((item) => item.imageNodes.map((node) => node.rotation))).toContain(90)
    await expect(cartLine(page, /Package B/).getByRole('definition')).toHaveText(['Ada L.', '2027'])
  })

  await test.step('After a declined card the form is still filled', async () => {
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.declined)
    await pay(page)
    await expect(page.getByText('You weren’t charged. Your order is saved.')).toBeVisible()
    await page.getByRole('button', { name: 'Pay with another card' }).click()
    await expect(page.getByRole('textbox', { name: 'Street address' })).toHaveValue('12 Engine Lane')
    await expect(page.getByRole('textbox', { name: 'ZIP code' })).toHaveValue('45402')
  })

  const number = await test.step('The next card pays the order', async () => {
    await fillCardForm(page, testCards.good)
    await pay(page)
    const orderNumber = await readOrderNumber(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Thank you, Anne!' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cart, 0 packages' })).toBeVisible()
    return orderNumber
  })

  await test.step('The order is found in another browser', async () => {
    const otherContext = await browser.newContext()
    collectPageErrors(otherContext, pageErrors)
    const otherPage = await otherContext.newPage()
    await otherPage.goto(page.url().replace(/\/riverside.*/, '/'))
    await findOrder(otherPage, { email: 'anne@example.com', number })
    await expect(otherPage.getByText(number, { exact: true })).toBeVisible()
    await expect(otherPage.getByText('12 Engine Lane')).toBeVisible()
    await expect(otherPage.getByText('Package B')).toBeVisible()
    await otherContext.close()
  })
})

test('A wrong order number shows a toast and an empty form, and an invalid form sends no request', async ({ page }) => {
  const searches: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/customer/cart/search')) searches.push(request.url())
  })
  await page.goto('/')
  const email = page.getByRole('textbox', { name: 'Email' })
  const number = page.getByRole('textbox', { name: 'Order #' })

  await findOrder(page, { email: 'not an address', number: '' })
  await expect(page.getByText('Please fix the fields marked below')).toBeVisible()
  await expect(email).toHaveAccessibleDescription('This value is not a valid email address')
  await expect(number).toHaveAccessibleDescription('This field is required')
  expect(searches).toEqual([])

  await findOrder(page, { email: 'anne@example.com', number: 'FP-00000000' })
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText('Could not find this order')
  await expect(email).toHaveValue('')
  await expect(number).toHaveValue('')
  expect(searches).toHaveLength(1)
})

test('A URL with a child’s own code opens the child’s packages', async ({ page }) => {
  await openAda(page)
  await expect(page).toHaveURL(/\/riverside\/\d+\/subject\/\d+\/select-package$/)
  await expect(page.getByRole('heading', { name: 'Packages' })).toBeVisible()
})
