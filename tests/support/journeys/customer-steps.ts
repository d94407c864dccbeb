import { expect, type Locator, type Page } from 'playwright/test'
import { getCart } from '#contract/customer/cart-calls.ts'
import { getOrder, type Order } from '#contract/customer/order-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'

/** Steps of a customer. Elements are found by role and accessible name. */

/** The cart's status once the server has stored the cart. */
export const savedAtServer = 'Saved'
export const savedOnDevice = 'Saved on this phone'
/** `savedAtServer` within a longer text. Does not match the start of `savedOnDevice`. */
export const savedAtServerPattern = /Saved(?! on this phone)/

export const testCards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  insufficient: '4000 0000 0000 9995',
  /** The bank asks for confirmation before it pays. */
  requiresAuthentication: '4000 0025 0000 3155',
} as const

/** The ids in the URL of a customer's screen; NaN for those that are missing. */
export const idsInUrl = (page: Page): { jobId: number; subjectId: number } => {
  const [, , jobId, , subjectId] = new URL(page.url()).pathname.split('/')
  return { jobId: Number(jobId), subjectId: Number(subjectId) }
}

export const enterAccessCode = async (page: Page, code: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Access code' }).fill(code)
  await page.getByRole('button', { name: 'Open' }).click()
}

export const openJob = async (page: Page, code: string): Promise<void> => {
  await page.goto('/riverside')
  await enterAccessCode(page, code)
  await expect(page).toHaveURL(/\/riverside\/\d+\//)
}

export const searchSubject = async (page: Page, firstName: string, lastName: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'First name' }).fill(firstName)
  await page.getByRole('textbox', { name: 'Last name' }).fill(lastName)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
}

/** Opens Ada's packages from the search form. */
export const findAda = async (page: Page): Promise<void> => {
  await searchSubject(page, 'A', 'lovelace')
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('button', { name: 'Yes, show the photos' }).click()
  await expect(page.getByRole('heading', { name: 'Ada Lovelace', exact: true })).toBeVisible()
}

/** Fills in the custom fields of the job PREPAY. */
export const fillJobFields = async (page: Page): Promise<void> => {
  await page.getByRole('combobox', { name: 'Grade' }).selectOption('3')
  await page.getByRole('textbox', { name: 'Teacher' }).fill('Ms. Alvarez')
}

/** Opens Ada's packages by a URL with her own code, and waits until the app has replaced the prerendered view. */
export const openAda = async (page: Page): Promise<void> => {
  await page.goto('/riverside/code/ADALVL')
  await expect(page.locator('#first-view')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Ada Lovelace', exact: true })).toBeVisible()
}

/** Chooses a package and opens its first customization step. */
export const choosePackage = async (page: Page, name: RegExp, photo = 'Photo 2'): Promise<void> => {
  await page.getByRole('radio', { name: photo, exact: true }).check()
  await page.getByRole('button', { name: new RegExp(`^Choose: ${name.source}`) }).click()
  await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
}

/** Opens all prints that are filled in already, so that they can be changed. */
export const openPrints = async (page: Page): Promise<void> => {
  const changes = page.getByRole('button', { name: /^Change: / })
  await changes
    .or(page.getByRole('region', { name: /×/ }))
    .first()
    .waitFor()
  for (let left = await changes.count(); left > 0; left -= 1) await changes.first().click()
}

/** Crops the image of a print section, and rotates it by quarter turns. */
export const cropAndRotate = async (page: Page, section: Locator, { zoom = '1.6', turns = 1 } = {}): Promise<void> => {
  await section.getByRole('button', { name: 'Crop and rotate' }).click()
  const sheet = page.getByRole('dialog', { name: 'Crop and rotate' })
  await sheet.getByRole('slider', { name: 'Zoom' }).fill(zoom)
  for (let turn = 0; turn < turns; turn += 1) await sheet.getByRole('button', { name: 'Rotate right' }).click()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toBeHidden()
}

export const addToCart = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('heading', { name: 'Cart', exact: true })).toBeVisible()
}

/** The cart's status in the header of every screen of a job. */
export const cartStatus = (page: Page) => page.getByRole('banner').getByRole('status')

export const cartLine = (page: Page, name: RegExp) => page.getByRole('article', { name })

/** Adds one package for Ada as it is offered, and waits until the studio's server has it. */
export const addAndSyncPackage = async (page: Page, name: RegExp): Promise<void> => {
  await openAda(page)
  await choosePackage(page, name)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
}

/** Opens the checkout from the cart, and fills in its form except for the card. */
export const fillCheckoutForm = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'Billing address' })).toBeVisible()
  const fill = (label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text)
  await fill('Full name', 'Anne Lovelace')
  await fill('Email', 'anne@example.com')
  await fill('Phone', '937-555-0188')
  await fill('Street address', '12 Engine Lane')
  // The ZIP code fills in the city and the state, if the network allows.
  await fill('ZIP code', '45402')
  await fill('City', 'Dayton')
  await page.getByRole('combobox', { name: 'State' }).selectOption('Ohio')
}

export const fillCardForm = async (page: Page, number: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Card number' }).fill(number)
  await page.getByRole('textbox', { name: 'Expires (MM/YY)' }).fill('12/39')
  await page.getByRole('textbox', { name: 'Security code' }).fill('123')
}

/** Opens the review from the filled-in checkout form, and taps Pay. */
export const pay = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByRole('heading', { name: 'Review your order' })).toBeVisible()
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

/** Waits for the confirmation and returns the order number. */
export const readOrderNumber = async (page: Page): Promise<string> => {
  await expect(page).toHaveURL(/\/order\/FP-[0-9A-HJKMNP-TV-Z]{8}$/)
  return await page.getByText(/^FP-[0-9A-HJKMNP-TV-Z]{8}$/).innerText()
}

/** The cart that the server has for this browser's session. */
export const fetchCart = async (page: Page, jobId: number, orderMethod: OrderMethod = 'gallery'): Promise<Cart> => {
  const path = getCart.path.replace(':jobId', String(jobId))
  const response = await page.request.get(path, { params: { orderMethod } })
  expect(response.status()).toBe(200)
  const { data } = (await response.json()) as { data: Cart }
  return data
}

/** An order as the server returns it to the browser that placed it. */
export const fetchOrder = async (page: Page, jobId: number, number: string): Promise<Order> => {
  const response = await page.request.get(getOrder.path.replace(':jobId', String(jobId)).replace(':orderId', number))
  const { data } = (await response.json()) as { data: Order }
  return data
}

/** Waits until every image on the screen has loaded. */
export const expectImagesLoaded = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const missingImages = [...document.images]
          .filter((image) => image.checkVisibility() && (image.loading !== 'lazy' || image.complete))
          .filter((image) => !image.complete || image.naturalWidth === 0)
          .map((image) => image.src)
        for (const image of document.querySelectorAll('image')) {
          const decoded = (image as unknown as HTMLImageElement).decode() // SVG images have decode(), but TypeScript's types lack it
          await decoded.catch(() => missingImages.push(image.href.baseVal))
        }
        return missingImages
      }),
    )
    .toEqual([])
