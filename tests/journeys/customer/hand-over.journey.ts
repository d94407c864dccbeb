import type { Page } from 'playwright/test'
import { openOtherDevice, readStoredCarts, scanQrCode } from '#support/browser/other-device.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addAndSyncPackage,
  addToCart,
  cartLine,
  cartStatus,
  choosePackage,
  cropAndRotate,
  expectImagesLoaded,
  fetchCart,
  fillCardForm,
  fillCheckoutForm,
  idsInUrl,
  openAda,
  openPrints,
  pay,
  readOrderNumber,
  savedAtServer,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const expectHeading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

const largePrint = (page: Page) => page.getByRole('region', { name: '8×10' })

/** Fills a cart with two cropped packages, one rotated, one with a typed text, and retouching of an image. */
const fillCart = async (page: Page): Promise<void> => {
  await openAda(page)
  await choosePackage(page, /Package B/)
  await openPrints(page)
  await cropAndRotate(page, largePrint(page), { zoom: '1.6', turns: 1 })
  await largePrint(page).getByRole('textbox', { name: /^Name/ }).fill('Ada L.')
  await addToCart(page)
  await page.getByRole('link', { name: 'Add another package for Ada' }).click()
  await choosePackage(page, /Package B/, 'Photo 1')
  await openPrints(page)
  await cropAndRotate(page, largePrint(page), { zoom: '2.2', turns: 0 })
  await addToCart(page)
  await page.getByRole('link', { name: 'Retouching, name and year for Ada' }).click()
  await page
    .getByRole('group', { name: 'Photo 1' })
    .getByRole('radio', { name: /Premium retouching/ })
    .check()
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await expect(cartStatus(page)).toHaveText(savedAtServer)
}

/** Reads the texts and the drawn images that the cart shows. */
const readVisibleCart = async (page: Page) => ({
  lines: await page.getByRole('article').allInnerTexts(),
  drawn: await page
    .getByRole('article')
    .locator('svg image')
    .evaluateAll((images) =>
      images.map((image) => ['href', 'x', 'y', 'width', 'height', 'transform'].map((name) => image.getAttribute(name))),
    ),
  services: await page.getByRole('list', { name: 'Services for Ada' }).innerText(),
  bar: await page.getByRole('region', { name: 'Next step' }).innerText(),
})

/** Opens the scanned address on the other device and accepts the cart. */
const acceptCart = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await page.getByRole('button', { name: 'Continue here' }).click()
}

const openQrCode = async (page: Page): Promise<string> => {
  await page.getByRole('link', { name: 'Continue on another device' }).click()
  await expectHeading(page, 'Continue on another device')
  await expect(page.getByRole('img', { name: 'The code that opens your cart on another device' })).toBeVisible()
  await expect(page.getByText('Works for 10 more minutes, on one device')).toBeVisible()
  return await scanQrCode(page)
}

test('A code opens the complete cart on another device, and both can change it', async ({
  page,
  browser,
  product,
  pageErrors,
}) => {
  await fillCart(page)
  const { jobId } = idsInUrl(page)
  await expectImagesLoaded(page)
  const visibleCart = await readVisibleCart(page)
  expect([visibleCart.lines.length, visibleCart.drawn.length > 1]).toEqual([2, true])
  const address = await openQrCode(page)
  expect(address).toMatch(new RegExp(`^${product.url}/riverside/${jobId}/continue#[\\w-]{22}$`))
  await checkScreen(page, '80-hand-over')

  const { page: otherPage, context } = await openOtherDevice(browser, { url: product.url, pageErrors })
  await test.step('The other device shows the complete cart', async () => {
    await otherPage.goto(address)
    await expectHeading(otherPage, 'Continue on this device?')
    await checkScreen(otherPage, '79-continue')
    await otherPage.getByRole('button', { name: 'Continue here' }).click()
    await expectHeading(otherPage, 'Cart')
    expect(otherPage.url()).toBe(`${product.url}/riverside/${jobId}/cart`)
    await expect(cartStatus(otherPage)).toHaveText(savedAtServer)
    await expectImagesLoaded(otherPage)
    expect(await fetchCart(otherPage, jobId)).toEqual(await fetchCart(page, jobId))
    expect(await readStoredCarts(otherPage)).toEqual(await readStoredCarts(page))
    expect(await readVisibleCart(otherPage)).toEqual(visibleCart)
    const rotations = (await fetchCart(otherPage, jobId)).cartPackages.flatMap((line) =>
      line.cartPackageItems.flatMap((item) => item.imageNodes.map(({ rotation }) => rotation)),
    )
    expect(rotations).toContain(90)
  })

  await test.step('The first device shows that the cart was opened elsewhere, and can still change it', async () => {
    await expect(page.getByText('Your other device has your cart now')).toBeVisible()
    await checkScreen(page, '81-handed-over')
    await page.getByRole('link', { name: 'Back to the cart' }).click()
    await page.getByRole('button', { name: 'One more Package B' }).first().click()
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    await otherPage.reload()
    await expect(
      otherPage.getByRole('group', { name: 'Quantity of Package B' }).first().getByRole('status'),
    ).toHaveText('2')
  })

  await test.step('A third device finds the code expired', async () => {
    const third = await openOtherDevice(browser, { url: product.url, pageErrors })
    await acceptCart(third.page, address)
    await expectHeading(third.page, 'This code has expired')
    expect(third.page.url()).not.toContain('#')
    await checkScreen(third.page, '82-spent-code')
    await third.context.close()
  })
  await context.close()
})

test('After a cart is ordered on one device, the other device shows the order', async ({
  page,
  browser,
  product,
  pageErrors,
}) => {
  await addAndSyncPackage(page, /Package F/)
  const { jobId } = idsInUrl(page)
  const address = await openQrCode(page)
  const { page: otherPage, context } = await openOtherDevice(browser, { url: product.url, pageErrors })
  await acceptCart(otherPage, address)
  await expectHeading(otherPage, 'Cart')
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await expect(cartLine(page, /Package F/)).toBeVisible()

  await fillCheckoutForm(otherPage)
  await fillCardForm(otherPage, testCards.good)
  await pay(otherPage)
  const number = await readOrderNumber(otherPage)
  await page.reload()
  await expect(page.getByText(`You ordered this – ${number}`)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
  await checkScreen(page, '83-ordered-elsewhere')
  expect((await fetchCart(page, jobId)).cartPackages).toEqual([])
  await page.getByRole('link', { name: 'See the order' }).click()
  expect(await readOrderNumber(page)).toBe(number)
  await context.close()
})

test('A device that already has a cart can keep it, or clear it and open the handed-over cart', async ({
  page,
  browser,
  product,
  pageErrors,
}) => {
  await addAndSyncPackage(page, /Package F/)
  const { jobId } = idsInUrl(page)
  const address = await openQrCode(page)

  const { page: otherPage, context } = await openOtherDevice(browser, { url: product.url, pageErrors })
  await addAndSyncPackage(otherPage, /Package E/)
  const otherCart = await fetchCart(otherPage, jobId)

  await acceptCart(otherPage, address)
  await expectHeading(otherPage, 'This phone has a cart of its own')
  await checkScreen(otherPage, '84-own-cart')
  await otherPage.getByRole('link', { name: 'Keep this phone’s cart' }).click()
  await expect(cartLine(otherPage, /Package E/)).toBeVisible()
  expect(await fetchCart(otherPage, jobId)).toEqual(otherCart)

  await acceptCart(otherPage, address)
  await otherPage.getByRole('button', { name: 'Finish here and continue' }).click()
  await otherPage.getByRole('alertdialog').getByRole('button', { name: 'Finish' }).click()
  await otherPage.getByRole('button', { name: 'Continue here' }).click()
  await expectHeading(otherPage, 'Cart')
  await expect(cartLine(otherPage, /Package F/)).toBeVisible()
  await expect(cartLine(otherPage, /Package E/)).toHaveCount(0)
  expect(await fetchCart(otherPage, jobId)).toEqual(await fetchCart(page, jobId))
  await expect(page.getByText('Your other device has your cart now')).toBeVisible()
  await context.close()
})

test('A cart can’t be handed over offline, and a hand-over that failed is completed after a reload', async ({
  page,
  context,
  browser,
  product,
  pageErrors,
}) => {
  await addAndSyncPackage(page, /Package F/)
  const address = await openQrCode(page)
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await context.setOffline(true)
  const link = page.getByRole('button', { name: 'Continue on another device' })
  await expect(link).toHaveAccessibleDescription('You’re offline: this needs a connection.')
  await context.setOffline(false)
  await expect(page.getByRole('link', { name: 'Continue on another device' })).toBeVisible()

  const otherDevice = await openOtherDevice(browser, { url: product.url, pageErrors })
  await otherDevice.page.goto('/riverside')
  await otherDevice.page.route('**/api/customer/hand-over', (route) => route.abort())
  await acceptCart(otherDevice.page, address)
  await expectHeading(otherDevice.page, 'Not quite yet')
  await checkScreen(otherDevice.page, '85-no-network')
  await otherDevice.page.unroute('**/api/customer/hand-over')
  // The URL no longer holds the token, because the device has stored it.
  await otherDevice.page.reload()
  await expectHeading(otherDevice.page, 'Cart')
  await expect(cartLine(otherDevice.page, /Package F/)).toBeVisible()
  await otherDevice.context.close()
})
