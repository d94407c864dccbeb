import type { Browser, BrowserContext, Page } from 'playwright/test'
import { untilWarm } from '#support/browser/offline-readiness.ts'
import { openAda, placeOf } from '#support/journeys/customer-steps.ts'
import { expect, listen } from '#support/journeys/journey-test.ts'
import { type Line, startLine } from '#support/network/network-proxy.ts'
import type { Offer, Shown } from './cart-driver-page.ts'
import { giveHand } from './install-cart-driver.ts'

/** What the phone's owner was told is in the cart, by line. */
export type Told = Map<string, { packageId: number; quantity: number; text: string | null }>

/** A phone with two tabs of one cart, behind a line of its own. */
export type Phone = {
  context: BrowserContext
  line: Line
  tabs: [Page, Page]
  crashed: WeakSet<Page>
  /** Ada's cart. */
  key: { jobId: number; orderMethod: 'gallery' }
  cartPath: string
  offers: Offer[]
  told: Told
  complaints: string[]
  close: () => Promise<void>
}

export const openTab = async (phone: Pick<Phone, 'context' | 'crashed'>, path: string): Promise<Page> => {
  const page = await phone.context.newPage()
  page.on('crash', () => phone.crashed.add(page))
  await page.goto(path)
  return page
}

export const expectCart = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).toBeVisible()

/** A phone that opened Ada's pictures, everything kept, with her cart in both tabs. */
export const takePhone = async (browser: Browser, port: number): Promise<Phone> => {
  const line = await startLine(port)
  const context = await browser.newContext({ baseURL: line.url })
  const complaints: string[] = []
  listen(context, complaints)
  await giveHand(context)
  const crashed = new WeakSet<Page>()
  const first = await openTab({ context, crashed }, '/')
  await openAda(first)
  await untilWarm(first)
  const { jobId, subjectId } = placeOf(first)
  const key = { jobId, orderMethod: 'gallery' } as const
  const offers = await first.evaluate(([of, whose]) => hand.offers(of, whose), [key, subjectId] as const)
  const cartPath = `/riverside/${jobId}/cart`
  await first.goto(cartPath)
  const second = await openTab({ context, crashed }, cartPath)
  await expectCart(first)
  await expectCart(second)
  return {
    context,
    line,
    tabs: [first, second],
    crashed,
    key,
    cartPath,
    offers,
    told: new Map(),
    complaints,
    close: async () => {
      await context.close()
      await line.close()
    },
  }
}

/** What lies on the device, as this tab reads it. */
export const lookAt = (page: Page, key: Phone['key']) => page.evaluate((of) => hand.view(of), key)

/** Lines in an order of their own, to hold two carts together. */
export const inOrder = (lines: readonly Pick<Shown, 'lineId' | 'packageId' | 'quantity' | 'text'>[]) =>
  lines.map(({ lineId, packageId, quantity, text }) => [lineId, packageId, quantity, text] as const).sort()

export const toldLines = (told: Told) => inOrder([...told].map(([lineId, line]) => ({ lineId, ...line })))
