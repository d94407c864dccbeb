import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { chromiumArguments, findChromium } from '#support/browser/chromium.ts'
import { startNetworkProxy } from '#support/network/network-proxy.ts'
import { startRestartableProduct } from '#support/product/restartable-product.ts'
import { measureAddToCart } from './add-to-cart-time.ts'
import { measureInterruptedInstall } from './interrupted-install.ts'
import { measureSlowCard } from './slow-card.ts'
import { type LimitedFigure, measureSlowPhone } from './slow-phone-loading.ts'

/** All figures of a customer's phone behind a slow or interrupted network. */
export const measurePhones = async (): Promise<LimitedFigure[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-phones-'))
  const product = await startRestartableProduct({ dataDir })
  const proxy = await startNetworkProxy(product.port)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
  const figures: LimitedFigure[] = []
  try {
    figures.push(await measureInterruptedInstall(browser, proxy))
    figures.push(...(await measureSlowPhone(browser, proxy)))
    figures.push(...(await measureSlowCard(browser, proxy)))
    figures.push(await measureAddToCart(browser, proxy))
  } finally {
    await browser.close()
    await proxy.close()
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return figures
}
