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
  deadAfterPayment,
  drawCases,
  faultByMoment,
  openOnLine,
  type ReturnDelay,
} from './lost-response-cases.ts'

type Case = { dropped: DropMoment; tab: 'closed' | 'open'; later: ReturnDelay }

const every: Case[] = (['before', 'inside', 'after'] as const).flatMap((dropped) =>
  (['closed', 'open'] as const).flatMap((tab) =>
    (['1 minute', '5 days'] as const).map((later) => ({ dropped, tab, later })),
  ),
)

const more = /^POST .*\/orders\/[^/]+\/more$/
const isMore = ({ method, path }: RequestTarget): boolean => more.test(`${method} ${path}`)

type Parent = {
  context: BrowserContext
  line: NetworkProxy
  page: Page
  /** URL of the order. */
  order: string
  /** The quantity of the order's only package on the server. */
  quantity: (page: Page) => Promise<number | undefined>
  /** Repeats the request that paid, unchanged. */
  sendLate: (page: Page) => Promise<{ status: number; problem?: string }>
  close: () => Promise<void>
}

const addAndLose = async (browser: Browser, port: number, fault: NetworkFault): Promise<Parent> => {
  const { line, context, close } = await openOnLine(browser, port)
  const sent: Request[] = []
  context.on('request', (request) => {
    if (isMore({ method: request.method(), path: new URL(request.url()).pathname })) sent.push(request)
  })
  const page = await context.newPage()
  await addAndSyncPackage(page, /Package F/)
  const { jobId } = idsInUrl(page)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await pay(page)
  const number = await readOrderNumber(page)
  const order = new URL(page.url()).pathname
  await page.goto(`${order}/more`)
  await page.getByRole('combobox', { name: /^Package F/ }).selectOption('2')
  await expect(page.getByText(/^\$\d+\.\d\d more$/)).toBeVisible()
  await fillCardForm(page, testCards.good)
  line.setFaultPlan(deadAfterPayment(fault, isMore))
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('Your payment is being confirmed')).toBeVisible()
  return {
    context,
    line,
    page,
    order,
    quantity: async (from) => (await fetchOrder(from, jobId, number)).lines[0]?.quantity,
    sendLate: async (from) => {
      const [first] = sent
      const headers = { 'content-type': 'application/json' }
      const late = await from.request.post(first?.url() ?? '', { data: first?.postData() ?? '', headers })
      const { problem } = (await late.json()) as { problem?: string }
      return { status: late.status(), ...(problem && { problem }) }
    },
    close,
  }
}

const started = /^You started to pay \$\d+\.\d\d on \w+day$/

/** Days later: opens every screen of the order. No request is sent before the customer decides. */
const decide = async (page: Page, parent: Parent, { dropped, tab }: Case): Promise<void> => {
  const { line, order, quantity } = parent
  const before = line.requests.length
  if (tab === 'closed') await page.goto(order)
  await expect(page.getByText(started)).toBeVisible()
  await page.goto(tab === 'closed' ? `${order}/more` : order)
  await expect(page.getByText(started)).toBeVisible()
  expect(line.requests.slice(before).filter(isMore)).toEqual([])
  expect(await quantity(page)).toBe(1)
  if (dropped === 'before') {
    await page.getByRole('button', { name: 'Don’t' }).click()
    await expect(page.getByText(started)).toBeHidden()
    expect(await parent.sendLate(page)).toEqual({ status: 422, problem: 'payment-declined' })
    expect(await quantity(page)).toBe(1)
    return
  }
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect.poll(() => quantity(page)).toBe(2)
  await expect(page.getByText(started)).toBeHidden()
}

const comeBack = async (parent: Parent, one: Case): Promise<void> => {
  const { page: first, context, line, order, quantity } = parent
  await advanceStoredClock(first, one.later)
  if (one.tab === 'closed') await first.close()
  const page = one.tab === 'closed' ? await context.newPage() : first
  line.setFaultPlan(() => 'none')
  if (one.dropped !== 'after' && one.later === '5 days') return await decide(page, parent, one)
  // Paid by now, or completed by itself.
  if (one.tab === 'closed') await page.goto(order)
  else await readOrderNumber(page)
  await expect.poll(() => quantity(page)).toBe(2)
  expect((await parent.sendLate(page)).status).toBe(200)
  expect(await quantity(page)).toBe(2)
}

test.describe('A payment for more of an order whose answer was lost', () => {
  for (const one of drawCases(every, { count: 2, of: 'lost additions' })) {
    const { dropped, tab, later } = one
    test(`dropped ${dropped} its arrival, the tab ${tab}, ${later} later: the order has more, or the customer decides`, async ({
      browser,
      product,
    }) => {
      const parent = await addAndLose(browser, Number(new URL(product.url).port), faultByMoment[dropped])
      await comeBack(parent, one)
      await parent.close()
    })
  }
})
