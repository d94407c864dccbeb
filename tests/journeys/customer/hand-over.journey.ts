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
  pay,
  readOrderNumber,
  savedAtServer,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

const large = (page: Page) => page.getByRole('region', { name: '8×10' })

/** Fills a cart with two cropped packages, one rotated, one with a typed text, and retouching of an image. */
const fillCart = async (page: Page): Promise<void> => {
  await openAda(page)
  await choosePackage(page, /Package B/)
  await cropAndRotate(page, large(page), { zoom: '1.6', turns: 1 })
  await large(page).getByRole('textbox', { name: /^Name/ }).fill('Ada L.')
  await addToCart(page)
  await page.getByRole('link', { name: 'Add another package for Ada' }).click()
  await choosePackage(page, /Package B/, 'Pose 1')
  await cropAndRotate(page, large(page), { zoom: '2.2', turns: 0 })
  await addToCart(page)
  await page.getByRole('link', { name: 'Retouching, name and year for Ada' }).click()
  await page
    .getByRole('group', { name: 'Photo 1' })
    .getByRole('radio', { name: /Premium retouching/ })
    .check()
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await expect(cartStatus(page)).toHaveText(savedAtServer)
}

/** The texts and images of the cart, by line and for the whole cart. */
const shownCart = async (page: Page) => ({
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

/** Scans the code on the other device and accepts. */
const continueAt = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await page.getByRole('button', { name: 'Continue here' }).click()
}

const openCode = async (page: Page): Promise<string> => {
  await page.getByRole('link', { name: 'Continue on another device' }).click()
  await heading(page, 'Continue on another device')
  await expect(page.getByRole('img', { name: 'The code that opens your cart on another device' })).toBeVisible()
  await expect(page.getByText('Good for 10 more minutes, for one device')).toBeVisible()
  return await scanQrCode(page)
}

test('The cart goes to another device by a code, whole, and both go on with it', async ({
  page,
  browser,
  product,
  pageErrors,
}) => {
  await fillCart(page)
  const { jobId } = idsInUrl(page)
  await expectImagesLoaded(page)
  const before = await shownCart(page)
  expect([before.lines.length, before.drawn.length > 1]).toEqual([2, true])
  const address = await openCode(page)
  expect(address).toMatch(new RegExp(`^${product.url}/riverside/${jobId}/continue#[\\w-]{22}$`))
  await checkScreen(page, '80-hand-over')

  const { page: other, context } = await openOtherDevice(browser, { url: product.url, pageErrors })
  await test.step('the other device has all of it', async () => {
    await other.goto(address)
    await heading(other, 'Continue on this device?')
    await checkScreen(other, '79-continue')
    await other.getByRole('button', { name: 'Continue here' }).click()
    await heading(other, 'Cart')
    expect(other.url()).toBe(`${product.url}/riverside/${jobId}/cart`)
    await expect(cartStatus(other)).toHaveText(savedAtServer)
    await expectImagesLoaded(other)
    expect(await fetchCart(other, jobId)).toEqual(await fetchCart(page, jobId))
    expect(await readStoredCarts(other)).toEqual(await readStoredCarts(page))
    expect(await shownCart(other)).toEqual(before)
    const rotations = (await fetchCart(other, jobId)).cartPackages.flatMap((line) =>
      line.cartPackageItems.flatMap((item) => item.imageNodes.map(({ rotation }) => rotation)),
    )
    expect(rotations).toContain(90)
  })

  await test.step('the first one hears of it, and goes on', async () => {
    await expect(page.getByText('Your other device has your cart now')).toBeVisible()
    await checkScreen(page, '81-handed-over')
    await page.getByRole('link', { name: 'Back to the cart' }).click()
    await page.getByRole('button', { name: 'One more Package B' }).first().click()
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    await other.reload()
    await expect(other.getByRole('group', { name: 'Quantity of Package B' }).first().getByRole('status')).toHaveText(
      '2',
    )
  })

  await test.step('a third one comes too late', async () => {
    const third = await openOtherDevice(browser, { url: product.url, pageErrors })
    await continueAt(third.page, address)
    await heading(third.page, 'This code is no longer good')
    expect(third.page.url()).not.toContain('#')
    await checkScreen(third.page, '82-spent-code')
    await third.context.close()
  })
  await context.close()
})

test('What one device orders is an order on the other, not a cart that was lost', async ({
  page,
  browser,
  product,
  pageErrors,
}) => {
  await addAndSyncPackage(page, /Package F/)
  const { jobId } = idsInUrl(page)
  const address = await openCode(page)
  const { page: other, context } = await openOtherDevice(browser, { url: product.url, pageErrors })
  await continueAt(other, address)
  await heading(other, 'Cart')
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await expect(cartLine(page, /Package F/)).toBeVisible()

  await fillCheckoutForm(other)
  await fillCardForm(other, testCards.good)
  await pay(other)
  const number = await readOrderNumber(other)
  await page.reload()
  await expect(page.getByText(`You ordered this – ${number}`)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible()
  await checkScreen(page, '83-ordered-elsewhere')
  expect((await fetchCart(page, jobId)).cartPackages).toEqual([])
  await page.getByRole('link', { name: 'See the order' }).click()
  expect(await readOrderNumber(page)).toBe(number)
  await context.close()
})

test('A device with a cart of its own keeps it, or is finished and takes over the other’s', async ({
  page,
  browser,
  product,
  pageErrors,
}) => {
  await addAndSyncPackage(page, /Package F/)
  const { jobId } = idsInUrl(page)
  const address = await openCode(page)

  const { page: other, context } = await openOtherDevice(browser, { url: product.url, pageErrors })
  await addAndSyncPackage(other, /Package E/)
  const own = await fetchCart(other, jobId)

  await continueAt(other, address)
  await heading(other, 'This phone has a cart of its own')
  await checkScreen(other, '84-own-cart')
  await other.getByRole('link', { name: 'Keep this phone’s cart' }).click()
  await expect(cartLine(other, /Package E/)).toBeVisible()
  expect(await fetchCart(other, jobId)).toEqual(own)

  await continueAt(other, address)
  await other.getByRole('button', { name: 'Finish here and continue' }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: 'Finish' }).click()
  await other.getByRole('button', { name: 'Continue here' }).click()
  await heading(other, 'Cart')
  await expect(cartLine(other, /Package F/)).toBeVisible()
  await expect(cartLine(other, /Package E/)).toHaveCount(0)
  expect(await fetchCart(other, jobId)).toEqual(await fetchCart(page, jobId))
  await expect(page.getByText('Your other device has your cart now')).toBeVisible()
  await context.close()
})

test('Without a network nothing is handed over, and nothing lost', async ({
  page,
  context,
  browser,
  product,
  pageErrors,
}) => {
  await addAndSyncPackage(page, /Package F/)
  const address = await openCode(page)
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await context.setOffline(true)
  const link = page.getByRole('button', { name: 'Continue on another device' })
  await expect(link).toHaveAccessibleDescription('You’re offline: this needs a connection.')
  await context.setOffline(false)
  await expect(page.getByRole('link', { name: 'Continue on another device' })).toBeVisible()

  const other = await openOtherDevice(browser, { url: product.url, pageErrors })
  await other.page.goto('/riverside')
  await other.page.route('**/api/customer/hand-over', (route) => route.abort())
  await continueAt(other.page, address)
  await heading(other.page, 'Not quite yet')
  await checkScreen(other.page, '85-no-network')
  await other.page.unroute('**/api/customer/hand-over')
  // The URL holds the token no longer: the device has stored what it needs.
  await other.page.reload()
  await heading(other.page, 'Cart')
  await expect(cartLine(other.page, /Package F/)).toBeVisible()
  await other.context.close()
})
