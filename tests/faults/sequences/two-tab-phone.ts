import type { Browser, BrowserContext, Page } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { idsInUrl, openAda } from '#support/journeys/customer-steps.ts'
import { collectPageErrors, expect } from '#support/journeys/journey-test.ts'
import { type NetworkProxy, startNetworkProxy } from '#support/network/network-proxy.ts'
import type { AddablePackage, DeviceLine } from './cart-driver-page.ts'
import { installCartDriver } from './install-cart-driver.ts'

/** The lines that must be in the cart, by line id. */
export type ExpectedLines = Map<string, { packageId: number; quantity: number; text: string | null }>

/** A phone with two tabs of one cart, behind its own proxy. */
export type TwoTabPhone = {
  context: BrowserContext
  proxy: NetworkProxy
  tabs: [Page, Page]
  crashed: WeakSet<Page>
  /** Ada's cart. */
  key: { jobId: number; orderMethod: 'gallery' }
  cartPath: string
  offers: AddablePackage[]
  expectedLines: ExpectedLines
  pageErrors: string[]
  close: () => Promise<void>
}

export const openTab = async (phone: Pick<TwoTabPhone, 'context' | 'crashed'>, path: string): Promise<Page> => {
  const page = await phone.context.newPage()
  page.on('crash', () => phone.crashed.add(page))
  await page.goto(path)
  return page
}

export const expectCart = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).toBeVisible()

/** Opens a phone with Ada's images cached and her cart in both tabs. */
export const openTwoTabPhone = async (browser: Browser, port: number): Promise<TwoTabPhone> => {
  const proxy = await startNetworkProxy(port)
  const context = await browser.newContext({ baseURL: proxy.url })
  const pageErrors: string[] = []
  collectPageErrors(context, pageErrors)
  await installCartDriver(context)
  const crashed = new WeakSet<Page>()
  const firstTab = await openTab({ context, crashed }, '/')
  await openAda(firstTab)
  await waitUntilPageCached(firstTab)
  const { jobId, subjectId } = idsInUrl(firstTab)
  const key = { jobId, orderMethod: 'gallery' } as const
  const offers = await firstTab.evaluate(([cartKey, id]) => cartDriver.listAddablePackages(cartKey, id), [
    key,
    subjectId,
  ] as const)
  const cartPath = `/riverside/${jobId}/cart`
  await firstTab.goto(cartPath)
  const secondTab = await openTab({ context, crashed }, cartPath)
  await expectCart(firstTab)
  await expectCart(secondTab)
  return {
    context,
    proxy,
    tabs: [firstTab, secondTab],
    crashed,
    key,
    cartPath,
    offers,
    expectedLines: new Map(),
    pageErrors,
    close: async () => {
      await context.close()
      await proxy.close()
    },
  }
}

/** The cart on the device, as this tab reads it. */
export const readDeviceCart = (page: Page, key: TwoTabPhone['key']) =>
  page.evaluate((cartKey) => cartDriver.readDeviceCart(cartKey), key)

/** The lines in a stable order, for comparison. */
export const sortedLines = (lines: readonly Pick<DeviceLine, 'lineId' | 'packageId' | 'quantity' | 'text'>[]) =>
  lines.map(({ lineId, packageId, quantity, text }) => [lineId, packageId, quantity, text] as const).sort()

export const sortedExpectedLines = (expectedLines: ExpectedLines) =>
  sortedLines([...expectedLines].map(([lineId, line]) => ({ lineId, ...line })))
