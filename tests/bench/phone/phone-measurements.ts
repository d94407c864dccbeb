import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { chromiumArguments, findChromium } from '#support/browser/chromium.ts'
import { startNetworkProxy } from '#support/network/network-proxy.ts'
import { startRestartableProduct } from '#support/product/restartable-product.ts'
import { measureAddToCart } from './add-to-cart-time.ts'
import { measureInterruptedInstall } from './interrupted-install.ts'
import { type LimitedFigure, measureSlowPhone } from './slow-phone-loading.ts'

/** All figures of a customer's phone behind a slow or interrupted network. */
export const measurePhones = async (): Promise<LimitedFigure[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldproof-phones-'))
  const served = await startRestartableProduct({ dataDir })
  const line = await startNetworkProxy(served.port)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
  const seen: LimitedFigure[] = []
  try {
    seen.push(await measureInterruptedInstall(browser, line))
    seen.push(...(await measureSlowPhone(browser, line)))
    seen.push(await measureAddToCart(browser, line))
  } finally {
    await browser.close()
    await line.close()
    await served.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return seen
}
