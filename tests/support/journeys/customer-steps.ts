import { expect, type Locator, type Page } from 'playwright/test'
import { getCart } from '#contract/customer/cart-calls.ts'
import { getOrder, type Order } from '#contract/customer/checkout-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'

/** What a parent does, found as a parent finds it: by what things are and what they are called. */

/** Once the studio's server has the cart. */
export const savedAtServer = 'Saved'
export const savedOnDevice = 'Saved on this phone'
/** The same as `savedAtServer` within a longer text: not the start of `savedHere`. */
export const savedAtServerPattern = /Saved(?! on this phone)/

export const testCards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  insufficient: '4000 0000 0000 9995',
  /** The bank asks before it pays. */
  asksFirst: '4000 0025 0000 3155',
} as const

/** The numbers in the address of a customer's screen; NaN for what is not in it. */
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

/** From the search to Ada's packages. */
export const findAda = async (page: Page): Promise<void> => {
  await searchSubject(page, 'A', 'lovelace')
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('button', { name: 'Yes, show the pictures' }).click()
  await expect(page.getByRole('heading', { name: 'Ada Lovelace', exact: true })).toBeVisible()
}

/** Answers what the studio of PREPAY asks of everybody. */
export const fillJobFields = async (page: Page): Promise<void> => {
  await page.getByRole('combobox', { name: 'Grade' }).selectOption('3')
  await page.getByRole('textbox', { name: 'Teacher' }).fill('Ms. Alvarez')
}

/** From nowhere to Ada's packages, by her own code. */
export const openAda = async (page: Page): Promise<void> => {
  await page.goto('/riverside/code/ADALVL')
  await expect(page.getByRole('heading', { name: 'Ada Lovelace', exact: true })).toBeVisible()
}

/** Takes a package, and goes on to make it theirs. */
export const choosePackage = async (page: Page, name: RegExp, pose = 'Pose 2'): Promise<void> => {
  await page.getByRole('radio', { name: pose, exact: true }).check()
  await page.getByRole('button', { name: new RegExp(`^Choose: ${name.source}`) }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
}

/** Crops the first picture of a step, or of a print, and turns it by quarters. */
export const cropAndRotate = async (page: Page, step: Locator, { zoom = '1.6', turns = 1 } = {}): Promise<void> => {
  await step.getByRole('button', { name: 'Crop and turn' }).click()
  const sheet = page.getByRole('dialog', { name: 'Crop and turn' })
  await sheet.getByRole('slider', { name: 'Zoom' }).fill(zoom)
  for (let turn = 0; turn < turns; turn += 1) await sheet.getByRole('button', { name: 'Turn right' }).click()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toBeHidden()
}

export const addToCart = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('heading', { name: 'Cart', exact: true })).toBeVisible()
}

/** The line of the cart's status in the header, on every screen of an event. */
export const cartStatus = (page: Page) => page.getByRole('banner').getByRole('status')

export const cartLine = (page: Page, name: RegExp) => page.getByRole('article', { name })

/** One package for Ada, made as it is offered, in the cart and with the studio. */
export const addAndSyncPackage = async (page: Page, name: RegExp): Promise<void> => {
  await openAda(page)
  await choosePackage(page, name)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
}

/** From the cart to the filled-in checkout; everything but the card. */
export const fillCheckoutForm = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'Billing address' })).toBeVisible()
  const fill = (label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text)
  await fill('First name', 'Anne')
  await fill('Last name', 'Lovelace')
  await fill('Email', 'anne@example.com')
  await fill('Phone', '937-555-0188')
  await fill('Street address', '12 Engine Lane')
  await fill('City, or APO, FPO, DPO', 'Dayton')
  await page.getByRole('combobox', { name: 'State' }).selectOption('Ohio')
  await fill('ZIP code', '45402')
}

export const fillCardForm = async (page: Page, number: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Card number' }).fill(number)
  await page.getByRole('textbox', { name: 'Expires (MM/YY)' }).fill('12/39')
  await page.getByRole('textbox', { name: 'Security code' }).fill('123')
}

/** From the filled-in checkout to the tap on Pay. */
export const pay = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByRole('heading', { name: 'Review your order' })).toBeVisible()
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

/** Waits for the confirmation and reads the order's number. */
export const readOrderNumber = async (page: Page): Promise<string> => {
  await expect(page).toHaveURL(/\/order\/FP-[0-9A-HJKMNP-TV-Z]{8}$/)
  const heading = page.getByRole('heading', { level: 1, name: /^FP-/ })
  return await heading.innerText()
}

/** The cart as the server has it for this browser's session. */
export const fetchCart = async (page: Page, jobId: number, orderMethod: OrderMethod = 'gallery'): Promise<Cart> => {
  const path = getCart.path.replace(':jobId', String(jobId))
  const answer = await page.request.get(path, { params: { orderMethod } })
  expect(answer.status()).toBe(200)
  const { data } = (await answer.json()) as { data: Cart }
  return data
}

/** An order as the server tells the browser that placed it. */
export const fetchOrder = async (page: Page, jobId: number, number: string): Promise<Order> => {
  const answer = await page.request.get(getOrder.path.replace(':jobId', String(jobId)).replace(':orderId', number))
  const { data } = (await answer.json()) as { data: Order }
  return data
}

/** Every picture that the screen shows has arrived. */
export const expectImagesLoaded = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const missing = [...document.images]
          .filter((image) => image.checkVisibility() && (image.loading !== 'lazy' || image.complete))
          .filter((image) => !image.complete || image.naturalWidth === 0)
          .map((image) => image.src)
        for (const image of document.querySelectorAll('image')) {
          const arrived = (image as unknown as HTMLImageElement).decode() // pictures of an SVG decode as others do, TypeScript's list lags behind
          await arrived.catch(() => missing.push(image.href.baseVal))
        }
        return missing
      }),
    )
    .toEqual([])
