import type { Browser, BrowserContext, Page, Request } from 'playwright/test'
import {
  addToCart,
  cartStatus,
  choosePackage,
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
import type { NetworkFault, RequestTarget } from '#support/network/fault-plans.ts'
import type { NetworkProxy } from '#support/network/network-proxy.ts'
import {
  advanceStoredClock,
  type DropMoment,
  drawCases,
  faultByMoment,
  loseNetworkAfterPayment,
  momentLabels,
  openBehindProxy,
  type ReturnDelay,
} from './lost-response-cases.ts'

type LostResponseCase = {
  dropped: DropMoment
  tab: 'closed' | 'open'
  delay: ReturnDelay
  cart: 'changed' | 'unchanged'
}

const allCases: LostResponseCase[] = (['before', 'inside', 'after'] as const).flatMap((dropped) =>
  (['closed', 'open'] as const).flatMap((tab) =>
    (['1 minute', '5 days'] as const).flatMap((delay) =>
      (['changed', 'unchanged'] as const).map((cart) => ({ dropped, tab, delay, cart })),
    ),
  ),
)

const submitRequest = /^POST .*\/checkout\/submit$/
const isSubmit = ({ method, path }: RequestTarget): boolean => submitRequest.test(`${method} ${path}`)

type PendingPayment = {
  context: BrowserContext
  proxy: NetworkProxy
  page: Page
  jobId: number
  /** The path where one more package can be added. */
  packageOptionsPath: string
  /** The body of the paying request. */
  paymentBody: () => string
  countSubmits: () => number
  close: () => Promise<void>
}

const payAndLoseResponse = async (browser: Browser, port: number, fault: NetworkFault): Promise<PendingPayment> => {
  const { proxy, context, close } = await openBehindProxy(browser, port)
  const bodies: string[] = []
  context.on('request', (request: Request) => {
    if (request.url().endsWith('/checkout/submit')) bodies.push(request.postData() ?? '')
  })
  const page = await context.newPage()
  await openAda(page)
  await choosePackage(page, /Package F/)
  const packageOptionsPath = new URL(page.url()).pathname
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  const { jobId } = idsInUrl(page)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  proxy.setFaultPlan(loseNetworkAfterPayment(fault, isSubmit))
  await pay(page)
  await expect(page.getByText('Your payment is being confirmed')).toBeVisible()
  await expect(page.getByText('The connection was lost.')).toBeVisible()
  const countSubmits = () => proxy.requests.filter((request) => isSubmit(request) && request.fault === 'none').length
  return { context, proxy, page, jobId, packageOptionsPath, paymentBody: () => bodies[0] ?? '', countSubmits, close }
}

const startedPayment = /^You started to pay \$\d+\.\d\d on \w+day$/

/** Opens the order from any screen of its cart. */
const openOrder = async (page: Page): Promise<string> => {
  await expect(
    page
      .getByText(/^You ordered this – FP-/)
      .or(page.getByText(/^FP-[0-9A-HJKMNP-TV-Z]{8}$/))
      .first(),
  ).toBeVisible()
  const link = page.getByRole('link', { name: 'See the order' })
  if (!/\/order\/FP-/.test(page.url())) await link.click()
  return await readOrderNumber(page)
}

/** Tries to add one more package, as a customer who forgot the payment. */
const addPackage = async (page: Page, packageOptionsPath: string): Promise<void> => {
  await page.goto(packageOptionsPath)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  const rejection = page.getByText('This cart is being paid for. You can’t change it until the payment is finished')
  await expect(rejection.or(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).first()).toBeVisible()
}

/** Taps the buttons of cart, checkout and review, except those of the notice. None of them sends a payment. */
const tapDisabledButtons = async (page: Page, { jobId }: PendingPayment): Promise<void> => {
  await page.goto(`/riverside/${jobId}/cart`)
  await expect(page.getByText(startedPayment)).toBeVisible()
  // `force` taps the buttons although they are disabled.
  await page.getByRole('button', { name: 'Checkout' }).click({ force: true })
  await expect(page).toHaveURL(/\/cart$/)
  await page.goto(`/riverside/${jobId}/checkout`)
  await expect(page).toHaveURL(/\/checkout\/review$/)
  await expect(page.getByText(startedPayment)).toBeVisible()
  await page.getByRole('button', { name: /^Pay/ }).click({ force: true })
  await expect(page.getByText(startedPayment)).toBeVisible()
}

/** Taps “Don’t”, and checks that a late request charges nothing and that the cart can be changed. */
const abandonPayment = async (page: Page, payment: PendingPayment): Promise<void> => {
  const abandoned = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Don’t' }).click()
  expect((await abandoned).status()).toBe(200)
  await expect(page.getByText(startedPayment)).toBeHidden()
  const url = `/api/customer/jobs/${payment.jobId}/checkout/submit`
  const response = await page.request.post(url, {
    data: payment.paymentBody(),
    headers: { 'content-type': 'application/json' },
  })
  expect(response.status()).toBe(422)
  expect(((await response.json()) as { problem: string }).problem).toBe('payment-declined')
  await addPackage(page, payment.packageOptionsPath)
  await expect(page).toHaveURL(/\/cart$/)
  await expect(page.getByRole('article')).toHaveCount(2)
  // The late request above was the only one.
  expect(payment.countSubmits()).toBe(1)
}

const expectOrderOpens = async (
  page: Page,
  payment: PendingPayment,
  { tab, cart }: LostResponseCase,
): Promise<void> => {
  if (tab === 'open') {
    // The tab that paid opens the order without a tap.
    const number = await readOrderNumber(payment.page)
    const otherTab = await payment.context.newPage()
    await otherTab.goto(`/riverside/${payment.jobId}/checkout/review`)
    expect(await readOrderNumber(otherTab)).toBe(number)
    return
  }
  if (cart === 'changed') await addPackage(page, payment.packageOptionsPath)
  await page.goto(`/riverside/${payment.jobId}/cart`)
  await openOrder(page)
}

const returnToCart = async (payment: PendingPayment, lostCase: LostResponseCase): Promise<void> => {
  const { page: firstPage, context, proxy, jobId } = payment
  await advanceStoredClock(firstPage, lostCase.delay)
  if (lostCase.tab === 'closed') await firstPage.close()
  const page = lostCase.tab === 'closed' ? await context.newPage() : firstPage
  const requestCount = proxy.requests.length
  proxy.setFaultPlan(() => 'none')
  if (lostCase.dropped === 'after' || lostCase.delay === '1 minute') {
    await expectOrderOpens(page, payment, lostCase)
    return
  }
  if (lostCase.tab === 'open') await expect(page.getByText(startedPayment)).toBeVisible()
  if (lostCase.cart === 'changed') await addPackage(page, payment.packageOptionsPath)
  await tapDisabledButtons(page, payment)
  // No screen sent a payment.
  expect(proxy.requests.slice(requestCount).filter(isSubmit)).toEqual([])
  if (lostCase.cart === 'changed') return await abandonPayment(page, payment)
  if (lostCase.tab === 'closed') await page.goto(`/riverside/${jobId}/cart`)
  await page.getByRole('button', { name: 'Finish' }).click()
  await openOrder(page)
  expect(payment.countSubmits()).toBe(1)
}

test.describe('The response to a payment is lost', () => {
  for (const lostCase of drawCases(allCases, { count: 3, name: 'lost payments' })) {
    const { dropped, tab, delay, cart } = lostCase
    test(`Connection lost ${momentLabels[dropped]}, tab ${tab}, return after ${delay}, cart ${cart}: the order opens, or the customer decides`, async ({
      browser,
      product,
    }) => {
      const payment = await payAndLoseResponse(browser, Number(new URL(product.url).port), faultByMoment[dropped])
      await returnToCart(payment, lostCase)
      await payment.close()
    })
  }
})
