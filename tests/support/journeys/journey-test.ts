import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type Response,
} from 'playwright/test'
import { copyDemoData } from '../product/demo-data.ts'
import { type Product, startProduct } from '../product/start-product.ts'

/** Sentences a browser writes when a request fails for reasons a test made on purpose. */
const expectedNoise = [/Failed to load resource/, /net::ERR_/]

type Fixtures = {
  /** What the page complained of that nobody expected; a journey ends red when it is not empty. */
  pageErrors: string[]
}

/** Whichever product a file's journeys share: begun with the first of them, ended as another file's is wanted. */
type ProductOf = (file: string) => Promise<Product>

const startDemoProduct = async () => {
  const { dataDir, remove } = await copyDemoData()
  const product = await startProduct({ dataDir })
  const end = async () => {
    await product.stop()
    await remove()
    expect(product.errors()).toEqual([])
  }
  return { product, end }
}

/** A product with its own copy of the demo data, shared by the journeys of one file: what another file's changed is not in it. */
export const test = base.extend<Fixtures & { product: Product }, { productOf: ProductOf }>({
  productOf: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
    async ({}, use) => {
      let held: ({ file: string } & Awaited<ReturnType<typeof startDemoProduct>>) | undefined
      await use(async (file) => {
        if (held?.file === file) return held.product
        const before = held
        held = undefined
        await before?.end()
        held = { file, ...(await startDemoProduct()) }
        return held.product
      })
      await held?.end()
    },
    { scope: 'worker' },
  ],
  product: async ({ productOf }, use, { file }) => use(await productOf(file)),
  baseURL: async ({ product }, use) => use(product.url),
  pageErrors: [
    async ({ context }, use) => {
      const pageErrors: string[] = []
      collectPageErrors(context, pageErrors)
      await use(pageErrors)
      expect(pageErrors).toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Collects what nobody expected of every page and worker of a context: errors thrown and errors written (the browser writes one for
 * each violation of the content security policy), files that are not there, answers of a server in trouble.
 */
export const collectPageErrors = (context: BrowserContext, pageErrors: string[]): void => {
  const hear = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !expectedNoise.some((noise) => noise.test(message.text())))
      pageErrors.push(message.text())
  }
  const look = (response: Response) => {
    const status = response.status()
    const { pathname } = new URL(response.url())
    const missing = status === 404 && !pathname.startsWith('/api/')
    if (missing || (status >= 500 && status !== 503))
      pageErrors.push(`${status} ${response.request().method()} ${pathname}`)
  }
  context.on('console', hear)
  context.on('serviceworker', (worker) => void worker.on('console', hear))
  context.on('weberror', (error) => pageErrors.push(String(error.error())))
  context.on('response', look)
}

/** Takes away what a journey brought about on purpose. */
export const allowPageErrors = (pageErrors: string[], expected: RegExp): void => {
  const others = pageErrors.filter((complaint) => !expected.test(complaint))
  pageErrors.splice(0, pageErrors.length, ...others)
}

/** A picture asked for by a right that has gone. */
export const missingImageErrors = /^404 GET \/photos\//

/** The worker is there and this page is under its control: from here on the network may go. */
export const waitForServiceWorker = async (page: Page): Promise<void> => {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
  })
}

export { expect }
