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

/** Messages that a browser logs for requests whose failure a test intends. */
const expectedNoise = [/Failed to load resource/, /net::ERR_/]

type Fixtures = {
  /** Unexpected errors of the page. A journey fails when this is not empty. */
  pageErrors: string[]
}

/** Returns the product that a file's journeys share. It starts with the first of them, and stops when another file needs its own. */
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

/** A test with a product that has its own copy of the demo data, shared by the journeys of one file. */
export const test = base.extend<Fixtures & { product: Product }, { productOf: ProductOf }>({
  productOf: [
    async ({}, use) => {
      let current: ({ file: string } & Awaited<ReturnType<typeof startDemoProduct>>) | undefined
      await use(async (file) => {
        if (current?.file === file) return current.product
        const previous = current
        current = undefined
        await previous?.end()
        current = { file, ...(await startDemoProduct()) }
        return current.product
      })
      await current?.end()
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
 * Collects the unexpected errors of every page and worker of a context: exceptions, console errors (a browser logs one for each violation
 * of the content security policy), missing files, and server errors except 503.
 */
export const collectPageErrors = (context: BrowserContext, pageErrors: string[]): void => {
  const collectConsoleError = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !expectedNoise.some((noise) => noise.test(message.text())))
      pageErrors.push(message.text())
  }
  const collectFailedResponse = (response: Response) => {
    const status = response.status()
    const { pathname } = new URL(response.url())
    const isMissingFile = status === 404 && !pathname.startsWith('/api/')
    if (isMissingFile || (status >= 500 && status !== 503))
      pageErrors.push(`${status} ${response.request().method()} ${pathname}`)
  }
  context.on('console', collectConsoleError)
  context.on('serviceworker', (worker) => void worker.on('console', collectConsoleError))
  context.on('weberror', (error) => pageErrors.push(String(error.error())))
  context.on('response', collectFailedResponse)
}

/** Removes the errors that a journey causes on purpose. */
export const allowPageErrors = (pageErrors: string[], expected: RegExp): void => {
  const unexpectedErrors = pageErrors.filter((pageError) => !expected.test(pageError))
  pageErrors.splice(0, pageErrors.length, ...unexpectedErrors)
}

/** The error of an image that is requested with a revoked grant. */
export const missingImageErrors = /^404 GET \/photos\//

/** Waits until the service worker controls this page. The network may fail after this. */
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
