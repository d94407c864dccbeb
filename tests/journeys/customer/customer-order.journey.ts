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

const makeItTheirs = async (page: Page): Promise<void> => {
  const step = page.getByRole('region', { name: '8×10' })
  await step.getByRole('radio', { name: 'Photo 3' }).check()
  await cropAndRotate(page, step)
  await step.getByRole('textbox', { name: /^Name/ }).fill('Ada L.')
}

test('A parent orders Ada’s pictures: code, search, package, crop, cart, a declined card, a good one, and the order again', async ({
  page,
  browser,
  pageErrors,
}) => {
  await page.goto('/')
  await expect(page).toHaveTitle('Fieldproof')
  await page.getByRole('textbox', { name: 'Your photography studio' }).fill('riverside')
  await page.getByRole('button', { name: 'Find my pictures' }).click()
  await enterAccessCode(page, 'spring')
  await expect(page.getByText('Lincoln Elementary')).toBeVisible()
  await findAda(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package B/)

  await test.step('another image, a crop and a text', async () => {
    await makeItTheirs(page)
    await page.getByRole('region', { name: '8×10' }).getByRole('button', { name: 'Crop and turn' }).click()
    await expect(page.getByRole('slider', { name: 'Zoom' })).toHaveValue('1.6')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await addToCart(page)
  })

  await test.step('the studio has what was chosen', async () => {
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    const { cartPackages } = await fetchCart(page, jobId)
    const items = cartPackages.flatMap((line) => line.cartPackageItems)
    expect(cartPackages).toHaveLength(1)
    expect(items.flatMap((item) => item.textNodes.map((node) => node.value))).toContain('Ada L.')
    expect(items.flatMap((item) => item.imageNodes.map((node) => node.rotation))).toContain(90)
    await expect(cartLine(page, /Package B/).getByRole('definition')).toHaveText(['Ada L.', '2027'])
  })

  await test.step('a declined card keeps everything', async () => {
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.declined)
    await pay(page)
    await expect(page.getByText('Nothing was charged, and your order is kept as it is.')).toBeVisible()
    await page.getByRole('button', { name: 'Use another card' }).click()
    await expect(page.getByRole('textbox', { name: 'Street address' })).toHaveValue('12 Engine Lane')
    await expect(page.getByRole('textbox', { name: 'ZIP code' })).toHaveValue('45402')
  })

  const number = await test.step('the next card pays', async () => {
    await fillCardForm(page, testCards.good)
    await pay(page)
    const given = await readOrderNumber(page)
    await expect(page.getByText('Thank you, Anne. Your order number is')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cart, 0 packages' })).toBeVisible()
    return given
  })

  await test.step('it is found from a fresh browser', async () => {
    const other = await browser.newContext()
    collectPageErrors(other, pageErrors)
    const elsewhere = await other.newPage()
    await elsewhere.goto(page.url().replace(/\/riverside.*/, '/'))
    await findOrder(elsewhere, { email: 'anne@example.com', number })
    await expect(elsewhere.getByRole('heading', { name: number })).toBeVisible()
    await expect(elsewhere.getByText('12 Engine Lane')).toBeVisible()
    await expect(elsewhere.getByText('Package B')).toBeVisible()
    await other.close()
  })
})

test('A wrong number gives the toast and an empty form; a form with mistakes sends nothing', async ({ page }) => {
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

test('A child’s own code in the address opens straight on the child', async ({ page }) => {
  await openAda(page)
  await expect(page).toHaveURL(/\/riverside\/\d+\/subject\/\d+\/select-package$/)
  await expect(page.getByRole('heading', { name: 'Packages' })).toBeVisible()
})
