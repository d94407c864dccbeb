import { type Line, startLine } from '../network/network-proxy.ts'
import { copyOfDemo } from '../product/demo-data.ts'
import { type Served, serve } from '../product/restartable-product.ts'
import { expect, test as journeys } from './journey-test.ts'

/** A product of a test's own, behind a line that may fail. */
export type Site = Served & { line: Line; dataDir: string }

/** Journeys that take the product itself down; the browser's address is the line's. None of the products may log an error. */
export const test = journeys.extend<{ site: Site }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
  site: async ({}, use) => {
    const { dataDir, remove } = await copyOfDemo()
    const served = await serve({ dataDir })
    const line = await startLine(served.port)
    await use({ ...served, line, dataDir })
    await served.stop()
    await line.close()
    await remove()
    expect(served.errors()).toEqual([])
  },
  baseURL: async ({ site }, use) => use(site.line.url),
})
