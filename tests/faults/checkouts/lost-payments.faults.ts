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
  deadAfterPayment,
  drawCases,
  faultByMoment,
  openOnLine,
  type ReturnDelay,
} from './lost-response-cases.ts'

type Case = {
  dropped: DropMoment
  tab: 'closed' | 'open'
  later: ReturnDelay
  cart: 'touched' | 'untouched'
}

const every: Case[] = (['before', 'inside', 'after'] as const).flatMap((dropped) =>
  (['closed', 'open'] as const).flatMap((tab) =>
    (['1 minute', '5 days'] as const).flatMap((later) =>
      (['touched', 'untouched'] as const).map((cart) => ({ dropped, tab, later, cart })),
    ),
  ),
)

const submit = /^POST .*\/checkout\/submit$/
const isSubmit = ({ method, path }: RequestTarget): boolean => submit.test(`${method} ${path}`)

type Parent = {
  context: BrowserContext
  line: NetworkProxy
  page: Page
  jobId: number
  /** URL where one more package can be added. */
  options: string
  /** The body of the request that paid. */
  paid: () => string
  submits: () => number
  close: () => Promise<void>
}

const payAndLose = async (browser: Browser, port: number, fault: NetworkFault): Promise<Parent> => {
  const { line, context, close } = await openOnLine(browser, port)
  const bodies: string[] = []
  context.on('request', (request: Request) => {
    if (request.url().endsWith('/checkout/submit')) bodies.push(request.postData() ?? '')
  })
  const page = await context.newPage()
  await openAda(page)
  await choosePackage(page, /Package F/)
  const options = new URL(page.url()).pathname
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  const { jobId } = idsInUrl(page)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  line.setFaultPlan(deadAfterPayment(fault, isSubmit))
  await pay(page)
  await expect(page.getByText('Your payment is being confirmed')).toBeVisible()
  await expect(page.getByText('The connection was lost on the way')).toBeVisible()
  const submits = () => line.requests.filter((one) => isSubmit(one) && one.fault === 'none').length
  return { context, line, page, jobId, options, paid: () => bodies[0] ?? '', submits, close }
}

const started = /^You started to pay \$\d+\.\d\d on \w+day$/

/** Opens the order that the cart became, from any screen. */
const openOrder = async (page: Page): Promise<string> => {
  await expect(
    page
      .getByText(/^You ordered this – FP-/)
      .or(page.getByRole('heading', { level: 1, name: /^FP-/ }))
      .first(),
  ).toBeVisible()
  const link = page.getByRole('link', { name: 'See the order' })
  if (!/\/order\/FP-/.test(page.url())) await link.click()
  return await readOrderNumber(page)
}

/** Adds one more package, as a customer who forgot the payment. */
const touch = async (page: Page, options: string): Promise<void> => {
  await page.goto(options)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  const refused = page.getByText('This cart is being paid for. Wait for that to end before you change it')
  await expect(refused.or(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).first()).toBeVisible()
}

/** Taps every screen but the notice. None of them pays. */
const wander = async (page: Page, { jobId }: Parent): Promise<void> => {
  await page.goto(`/riverside/${jobId}/cart`)
  await expect(page.getByText(started)).toBeVisible()
  // Both buttons stay on the page and say why they are disabled; they are tapped anyway.
  await page.getByRole('button', { name: 'Checkout' }).click({ force: true })
  await expect(page).toHaveURL(/\/cart$/)
  await page.goto(`/riverside/${jobId}/checkout`)
  await expect(page).toHaveURL(/\/checkout\/review$/)
  await expect(page.getByText(started)).toBeVisible()
  await page.getByRole('button', { name: /^Pay/ }).click({ force: true })
  await expect(page.getByText(started)).toBeVisible()
}

/** “Don’t”: nothing is charged, neither now nor when the request arrives late, and the cart is open. */
const declineToFinish = async (page: Page, parent: Parent): Promise<void> => {
  await page.getByRole('button', { name: 'Don’t' }).click()
  await expect(page.getByText(started)).toBeHidden()
  const url = `/api/customer/jobs/${parent.jobId}/checkout/submit`
  const late = await page.request.post(url, { data: parent.paid(), headers: { 'content-type': 'application/json' } })
  expect(late.status()).toBe(422)
  expect(((await late.json()) as { problem: string }).problem).toBe('payment-declined')
  await touch(page, parent.options)
  await expect(page).toHaveURL(/\/cart$/)
  await expect(page.getByRole('article')).toHaveCount(2)
  // Only the late request above.
  expect(parent.submits()).toBe(1)
}

const returnToPaid = async (page: Page, parent: Parent, { tab, cart }: Case): Promise<void> => {
  if (tab === 'open') {
    // The tab that paid opens the order by itself.
    const number = await readOrderNumber(parent.page)
    const other = await parent.context.newPage()
    await other.goto(`/riverside/${parent.jobId}/checkout/review`)
    expect(await readOrderNumber(other)).toBe(number)
    return
  }
  if (cart === 'touched') await touch(page, parent.options)
  await page.goto(`/riverside/${parent.jobId}/cart`)
  await openOrder(page)
}

const comeBack = async (parent: Parent, one: Case): Promise<void> => {
  const { page: first, context, line, jobId } = parent
  await advanceStoredClock(first, one.later)
  if (one.tab === 'closed') await first.close()
  const page = one.tab === 'closed' ? await context.newPage() : first
  const before = line.requests.length
  line.setFaultPlan(() => 'none')
  if (one.dropped === 'after' || one.later === '1 minute') {
    await returnToPaid(page, parent, one)
    return
  }
  if (one.tab === 'open') await expect(page.getByText(started)).toBeVisible()
  if (one.cart === 'touched') await touch(page, parent.options)
  await wander(page, parent)
  // No screen sent a payment.
  expect(line.requests.slice(before).filter(isSubmit)).toEqual([])
  if (one.cart === 'touched') return await declineToFinish(page, parent)
  if (one.tab === 'closed') await page.goto(`/riverside/${jobId}/cart`)
  await page.getByRole('button', { name: 'Finish' }).click()
  await openOrder(page)
  expect(parent.submits()).toBe(1)
}

test.describe('A payment whose answer was lost', () => {
  for (const one of drawCases(every, { count: 3, of: 'lost payments' })) {
    const { dropped, tab, later, cart } = one
    test(`dropped ${dropped} its arrival, the tab ${tab}, ${later} later, the cart ${cart}: the order is found, or the customer decides`, async ({
      browser,
      product,
    }) => {
      const parent = await payAndLose(browser, Number(new URL(product.url).port), faultByMoment[dropped])
      await comeBack(parent, one)
      await parent.close()
    })
  }
})
