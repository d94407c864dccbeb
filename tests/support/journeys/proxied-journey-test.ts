import { type NetworkProxy, startNetworkProxy } from '../network/network-proxy.ts'
import { copyDemoData } from '../product/demo-data.ts'
import { type RestartableProduct, startRestartableProduct } from '../product/restartable-product.ts'
import { expect, test as journeyTest } from './journey-test.ts'

/** A product for one test, behind a proxy that can inject faults. */
export type ProxiedProduct = RestartableProduct & { proxy: NetworkProxy; dataDir: string }

/** A test for journeys that stop the product. The browser connects to the proxy. The product may not log errors. */
export const test = journeyTest.extend<{ site: ProxiedProduct }>({
  site: async ({}, use) => {
    const { dataDir, remove } = await copyDemoData()
    const product = await startRestartableProduct({ dataDir })
    const proxy = await startNetworkProxy(product.port)
    await use({ ...product, proxy, dataDir })
    await product.stop()
    await proxy.close()
    await remove()
    expect(product.errors()).toEqual([])
  },
  baseURL: async ({ site }, use) => use(site.proxy.url),
})
