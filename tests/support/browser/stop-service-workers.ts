import type { Page } from 'playwright/test'

/** Stops every worker of a page's browser, as the platform does with one that is idle; the next that needs it starts it again. */
export const stopServiceWorkers = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  await session.detach()
}
