import type { Browser, BrowserContext, Page, Request } from 'playwright/test'
import {
  addAndSyncPackage,
  fetchOrder,
  fillCardForm,
  fillCheckoutForm,
  idsInUrl,
  pay,
  readOrderNumber,
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

type LostResponseCase = { dropped: DropMoment; tab: 'closed' | 'open'; delay: ReturnDelay }

const allCases: LostResponseCase[] = (['before', 'inside', 'after'] as const).flatMap((dropped) =>
  (['closed', 'open'] as const).flatMap((tab) =>
    (['1 minute', '5 days'] as const).map((delay) => ({ dropped, tab, delay })),
  ),
)

const increaseRequest = /^POST .*\/orders\/[^/]+\/more$/
const isIncrease = ({ method, path }: RequestTarget): boolean => increaseRequest.test(`${method} ${path}`)

type PendingIncrease = {
  context: BrowserContext
  proxy: NetworkProxy
  page: Page
  /** The path of the order's screen. */
  orderPath: string
  /** Reads the quantity of the order's only package from the server. */
  readQuantity: (page: Page) => Promise<number | undefined>
  /** Repeats the request that paid, unchanged. */
  sendLate: (page: Page) => Promise<{ status: number; problem?: string }>
  close: () => Promise<void>
}

const increaseAndLoseResponse = async (
  browser: Browser,
  port: number,
  fault: NetworkFault,
): Promise<PendingIncrease> => {
  const { proxy, context, close } = await openBehindProxy(browser, port)
  const sentRequests: Request[] = []
  context.on('request', (request) => {
    if (isIncrease({ method: request.method(), path: new URL(request.url()).pathname })) sentRequests.push(request)
  })
  const page = await context.newPage()
  await addAndSyncPackage(page, /Package F/)
  const { jobId } = idsInUrl(page)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await pay(page)
  const number = await readOrderNumber(page)
  const orderPath = new URL(page.url()).pathname
  await page.goto(`${orderPath}/more`)
  await page.getByRole('button', { name: /^One more Package F/ }).click()
  await expect(page.getByText(/^\$\d+\.\d\d more$/)).toBeVisible()
  await fillCardForm(page, testCards.good)
  proxy.setFaultPlan(loseNetworkAfterPayment(fault, isIncrease))
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('Your payment is being confirmed')).toBeVisible()
  return {
    context,
    proxy,
    page,
    orderPath,
    readQuantity: async (anyPage) => (await fetchOrder(anyPage, jobId, number)).lines[0]?.quantity,
    sendLate: async (anyPage) => {
      const [paymentRequest] = sentRequests
      const headers = { 'content-type': 'application/json' }
      const response = await anyPage.request.post(paymentRequest?.url() ?? '', {
        data: paymentRequest?.postData() ?? '',
        headers,
      })
      const { problem } = (await response.json()) as { problem?: string }
      return { status: response.status(), ...(problem && { problem }) }
    },
    close,
  }
}

const startedPayment = /^You started to pay \$\d+\.\d\d on \w+day$/

/** Checks that no screen of the order sends a payment, then finishes or abandons the pending one. */
const decidePending = async (
  page: Page,
  increase: PendingIncrease,
  { dropped, tab }: LostResponseCase,
): Promise<void> => {
  const { proxy, orderPath, readQuantity } = increase
  const requestCount = proxy.requests.length
  if (tab === 'closed') await page.goto(orderPath)
  await expect(page.getByText(startedPayment)).toBeVisible()
  await page.goto(tab === 'closed' ? `${orderPath}/more` : orderPath)
  await expect(page.getByText(startedPayment)).toBeVisible()
  expect(proxy.requests.slice(requestCount).filter(isIncrease)).toEqual([])
  expect(await readQuantity(page)).toBe(1)
  if (dropped === 'before') {
    const abandoned = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Don’t' }).click()
    expect((await abandoned).status()).toBe(200)
    await expect(page.getByText(startedPayment)).toBeHidden()
    expect(await increase.sendLate(page)).toEqual({ status: 422, problem: 'payment-declined' })
    expect(await readQuantity(page)).toBe(1)
    return
  }
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect.poll(() => readQuantity(page)).toBe(2)
  await expect(page.getByText(startedPayment)).toBeHidden()
}

const returnToOrder = async (increase: PendingIncrease, lostCase: LostResponseCase): Promise<void> => {
  const { page: firstPage, context, proxy, orderPath, readQuantity } = increase
  await advanceStoredClock(firstPage, lostCase.delay)
  if (lostCase.tab === 'closed') await firstPage.close()
  const page = lostCase.tab === 'closed' ? await context.newPage() : firstPage
  proxy.setFaultPlan(() => 'none')
  if (lostCase.dropped !== 'after' && lostCase.delay === '5 days') return await decidePending(page, increase, lostCase)
  // The payment was processed, or the page completes it.
  if (lostCase.tab === 'closed') await page.goto(orderPath)
  else await readOrderNumber(page)
  await expect.poll(() => readQuantity(page)).toBe(2)
  expect((await increase.sendLate(page)).status).toBe(200)
  expect(await readQuantity(page)).toBe(2)
}

test.describe('The response to a payment for an additional copy is lost', () => {
  for (const lostCase of drawCases(allCases, { count: 2, name: 'lost additions' })) {
    const { dropped, tab, delay } = lostCase
    test(`Connection lost ${momentLabels[dropped]}, tab ${tab}, return after ${delay}: the order has the copy, or the customer decides`, async ({
      browser,
      product,
    }) => {
      const increase = await increaseAndLoseResponse(browser, Number(new URL(product.url).port), faultByMoment[dropped])
      await returnToOrder(increase, lostCase)
      await increase.close()
    })
  }
})
