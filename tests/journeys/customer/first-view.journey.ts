import type { Page } from 'playwright/test'
import { recordLayoutShifts, totalLayoutShift } from '#support/browser/layout-shifts.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { openAda } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

/** Records the heading of the page's first view, before any script of the page runs. */
const recordFirstHeading = (): void =>
  document.addEventListener('DOMContentLoaded', () => {
    const heading = document.querySelector('#first-view h1')?.textContent
    sessionStorage.setItem('first-heading', heading ?? 'none')
  })

const reloadAda = async (page: Page): Promise<void> => {
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Ada Lovelace', exact: true })).toBeVisible()
  await expect(page.getByText('Package B').first()).toBeVisible()
  await expect(page.locator('#first-view')).toHaveCount(0)
  expect(await page.evaluate(() => sessionStorage.getItem('first-heading'))).toBe('Ada Lovelace')
  expect(await totalLayoutShift(page)).toBeLessThanOrEqual(0.02)
}

test('A subject’s packages open with their last name and image before any script runs, offline too', async ({
  page,
  context,
}) => {
  await openAda(page)
  await waitUntilPageCached(page)
  const isStored = (path: string) => caches.match(path).then((response) => response !== undefined)
  await expect.poll(() => page.evaluate(isStored, new URL(page.url()).pathname)).toBe(true)
  await page.addInitScript(recordFirstHeading)
  await page.addInitScript(recordLayoutShifts)
  await reloadAda(page)
  await context.setOffline(true)
  await reloadAda(page)
})
