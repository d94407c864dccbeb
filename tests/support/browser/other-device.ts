import type { Browser, BrowserContext, Page } from 'playwright/test'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { collectPageErrors } from '../journeys/journey-test.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

/** A second phone with its own browser. Its errors are added to `pageErrors`. */
export const openOtherDevice = async (
  browser: Browser,
  { url, pageErrors }: { url: string; pageErrors: string[] },
): Promise<{ page: Page; context: BrowserContext }> => {
  const context = await browser.newContext({ ...phone, baseURL: url, reducedMotion: 'reduce' })
  collectPageErrors(context, pageErrors)
  return { page: await context.newPage(), context }
}

/** Decodes the QR code on the screen; throws when there is none. */
export const scanQrCode = async (page: Page): Promise<string> => {
  const { data, info } = await sharp(await page.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data })
}

/** The carts in this device's database, as the server confirmed them. */
export const readStoredCarts = (page: Page): Promise<unknown[]> =>
  page.evaluate(
    () =>
      new Promise<unknown[]>((resolve, reject) => {
        const openRequest = indexedDB.open('cart')
        openRequest.onerror = () => reject(openRequest.error)
        openRequest.onsuccess = () => {
          const readRequest = openRequest.result.transaction('carts').objectStore('carts').getAll()
          readRequest.onerror = () => reject(readRequest.error)
          readRequest.onsuccess = () => {
            openRequest.result.close()
            resolve(readRequest.result.map(({ cart }) => cart))
          }
        }
      }),
  )
