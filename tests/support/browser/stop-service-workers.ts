import type { Page } from 'playwright/test'

/** Stops every service worker of a page's browser, as a browser does with idle ones. The next fetch or event starts it again. */
export const stopServiceWorkers = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  await session.detach()
}
