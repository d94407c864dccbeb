import { type NetworkProxy, startNetworkProxy } from '../network/network-proxy.ts'
import { copyDemoData } from '../product/demo-data.ts'
import { type RestartableProduct, startRestartableProduct } from '../product/restartable-product.ts'
import { expect, test as journeys } from './journey-test.ts'

/** A product for one test, behind a proxy that can inject faults. */
export type ProxiedProduct = RestartableProduct & { proxy: NetworkProxy; dataDir: string }

/** Journeys that stop the product. The browser connects to the proxy. No product may log an error. */
export const test = journeys.extend<{ site: ProxiedProduct }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
  site: async ({}, use) => {
    const { dataDir, remove } = await copyDemoData()
    const served = await startRestartableProduct({ dataDir })
    const line = await startNetworkProxy(served.port)
    await use({ ...served, proxy: line, dataDir })
    await served.stop()
    await line.close()
    await remove()
    expect(served.errors()).toEqual([])
  },
  baseURL: async ({ site }, use) => use(site.proxy.url),
})
