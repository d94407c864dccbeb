import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import {
  addToCart,
  cartStatus,
  choosePackage,
  fetchCart,
  idsInUrl,
  openAda,
  savedAtServer,
  savedOnDevice,
} from '#support/journeys/customer-steps.ts'
import { allowPageErrors, expect, missingImageErrors } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { faultsInOrder, randomFaults, syncRequest } from '#support/network/fault-plans.ts'
import { copyDemoData } from '#support/product/demo-data.ts'
import { changeProductData } from '#support/product/product-database.ts'

/** Adds another package for Ada from the cart, which works offline. */
const addAnotherPackage = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole('link', { name: 'Add another package for Ada' }).click()
  await choosePackage(page, name)
  await addToCart(page)
}

const linesAtServer = async (page: Page, jobId: number): Promise<string[]> => {
  const { cartPackages } = await fetchCart(page, jobId)
  return cartPackages.map((line) => `${line.quantity} × ${line.snapshot.package.name.slice(0, 9)}`).sort()
}

/** Waits until the server has each of these lines once, and the page shows them all as saved. */
const expectSynced = async (page: Page, lines: readonly string[]): Promise<void> => {
  const { jobId } = idsInUrl(page)
  const expectAtServer = async () => expect(await linesAtServer(page, jobId)).toEqual(lines)
  await expect(expectAtServer).toPass({ timeout: 60_000 })
  await expect(cartStatus(page)).toHaveText(savedAtServer, { timeout: 60_000 })
  await expect(page.getByRole('article')).toHaveCount(lines.length)
  expect(await linesAtServer(page, jobId)).toEqual(lines)
}

test('If the server crashes between commit and response, each package is in the cart once', async ({ page, site }) => {
  await openAda(page)
  await waitUntilPageCached(page)
  const serverKilled = new Promise<void>((resolve) => {
    const meanwhile = () => site.kill().then(resolve)
    site.proxy.setFaultPlan(faultsInOrder([{ meanwhile }], syncRequest))
  })
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await serverKilled
  await addAnotherPackage(page, /Package F/)
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(cartStatus(page)).toContainText(savedOnDevice)

  await site.start()
  await expectSynced(page, ['1 × Package B', '1 × Package F'])
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('If several responses in a row are lost, each package is in the cart once', async ({ page, site }) => {
  await openAda(page)
  site.proxy.setFaultPlan(
    faultsInOrder(['cut-answer', 'cut-midway', 'cut-answer', 'cut-request', 'cut-answer'], syncRequest),
  )
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await page.getByRole('button', { name: 'One more Package B' }).click()
  await expect(page.getByRole('group', { name: 'Quantity of Package B' }).getByRole('status')).toHaveText('2')
  await addAnotherPackage(page, /Package F/)
  await expectSynced(page, ['1 × Package F', '2 × Package B'])
  expect(site.proxy.requests.filter(({ fault }) => fault !== 'none')).toHaveLength(5)
})

test('If about half of the sync requests fail, each package is in the cart once', async ({ page, site }) => {
  await openAda(page)
  const faultChances = (['refuse', 'cut-request', 'cut-answer', 'cut-midway'] as const).map((fault) => ({
    fault,
    chance: 0.12,
  }))
  const seed = 2027
  test.info().annotations.push({ type: 'seed', description: String(seed) })
  site.proxy.setFaultPlan(randomFaults(seed, faultChances, syncRequest))
  await choosePackage(page, /Package B/)
  await addToCart(page)
  for (const name of [/Package C/, /Package E/, /Package F/]) await addAnotherPackage(page, name)
  await page.getByRole('button', { name: 'Remove Package E' }).click()
  await expect(page.getByRole('article')).toHaveCount(3)
  await expectSynced(page, ['1 × Package B', '1 × Package C', '1 × Package F'])
})

test('A server that lost the session receives the complete cart again', async ({ page, site, pageErrors }) => {
  const freshDemoData = await copyDemoData()
  await openAda(page)
  await waitUntilPageCached(page)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await addAnotherPackage(page, /Package F/)
  await expectSynced(page, ['1 × Package B', '1 × Package F'])

  await site.stop()
  await site.start({ dataDir: freshDemoData.dataDir })
  // Delays the request that redeems the access code. Until it arrives, the server rejects the page's other requests,
  // because the new session has no access.
  site.proxy.setFaultPlan(({ path }) => (/jobs\?code=/.test(path) ? { until: wait(1500) } : 'none'))
  await addAnotherPackage(page, /Package C/)
  await expectSynced(page, ['1 × Package B', '1 × Package C', '1 × Package F'])
  allowPageErrors(pageErrors, missingImageErrors)
  await site.stop()
  await freshDemoData.remove()
})

test('Entering the code again after the server lost the session also restores the complete cart', async ({
  page,
  site,
  pageErrors,
}) => {
  await openAda(page)
  await waitUntilPageCached(page)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await expectSynced(page, ['1 × Package B'])

  await site.stop()
  await changeProductData(site.dataDir, (db) => db.deleteFrom('customer_sessions').execute())
  await site.start()
  await openAda(page)
  await choosePackage(page, /Package F/)
  await addToCart(page)
  await expectSynced(page, ['1 × Package B', '1 × Package F'])
  allowPageErrors(pageErrors, missingImageErrors)
})
