import type { Page } from 'playwright/test'
import { imagePathsByGrant, readBrowserStorage } from '#support/browser/browser-storage.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartStatus,
  choosePackage,
  findAda,
  idsInUrl,
  openAda,
  openJob,
  savedAtServer,
  searchSubject,
} from '#support/journeys/customer-steps.ts'
import { allowPageErrors, expect, missingImageErrors } from '#support/journeys/journey-test.ts'
import { type ProxiedProduct, test } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

const finishOnDevice = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('button', { name: 'Finish on this device' }).click()
  const confirmation = page.getByRole('alertdialog')
  await expect(confirmation).toBeVisible()
  await checkScreen(page, '86-finish')
  await confirmation.getByRole('button', { name: /^Finish/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Fieldproof' })).toBeVisible()
}

/** Checks that the device holds only public data: the home page, the shell, hashed files, and its session counter. */
const expectDeviceCleared = async (page: Page): Promise<void> => {
  const readPrivateData = async () => {
    const { rows, stored, cookies } = await readBrowserStorage(page.context(), page)
    return { rows, stored, cookies }
  }
  // This polls, because on a slow network only the next page ends the session.
  await expect.poll(readPrivateData).toEqual({
    rows: { 'cart/device': [{ key: 'session', value: expect.any(Number) }] },
    stored: {},
    cookies: [],
  })
  const { cached } = await readBrowserStorage(page.context(), page)
  const paths = Object.values(cached).flat()
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => !/^\/(assets\/[\w.-]+|app\.html\?__WB_REVISION__=\w+)?$/.test(path))).toEqual([])
}

/** Fills every storage with a session's data: cart, draft, codes, cached responses, images. */
const fillStorages = async (page: Page): Promise<void> => {
  await openAda(page)
  await waitUntilPageCached(page)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await page.getByRole('link', { name: 'Add another package for Ada' }).click()
  await choosePackage(page, /Package E/)
  await page.getByRole('textbox', { name: /^Name/ }).fill('Half a na')
}

const findOliver = async (page: Page): Promise<void> => {
  await openJob(page, 'SPRING')
  await searchSubject(page, 'O', 'bennett')
  await page.getByRole('button', { name: /Oliver Bennett/ }).click()
  await page.getByRole('button', { name: 'Yes, show the photos' }).click()
  await expect(page.getByRole('heading', { name: 'Oliver Bennett', exact: true })).toBeVisible()
  await waitUntilPageCached(page)
}

test('After “Finish on this device” no data of the session remains on the device or is served to the next session', async ({
  page,
  context,
  pageErrors,
}) => {
  await fillStorages(page)
  const storageBefore = await readBrowserStorage(context, page)
  const [imagePaths = []] = imagePathsByGrant(storageBefore).values()
  expect(imagePaths.length).toBeGreaterThan(2)
  expect(Object.keys(storageBefore.rows)).toEqual(expect.arrayContaining(['cart/carts', 'cart/drafts', 'cart/codes']))
  expect(storageBefore.cookies).toHaveLength(1)

  const otherTab = await context.newPage()
  await openAda(otherTab)
  await finishOnDevice(page)
  await expect(otherTab.getByRole('heading', { level: 1, name: 'Welcome to Fieldproof' })).toBeVisible()
  await otherTab.close()
  await expectDeviceCleared(page)

  await findOliver(page)
  const storageAfter = await readBrowserStorage(context, page)
  expect([...imagePathsByGrant(storageAfter).keys()]).toHaveLength(1)
  expect([...imagePathsByGrant(storageAfter).values()].flat().filter((path) => imagePaths.includes(path))).toEqual([])
  const statuses = await page.evaluate(
    (paths) => Promise.all(paths.map((path) => fetch(path).then((response) => response.status))),
    imagePaths,
  )
  expect(new Set(statuses)).toEqual(new Set([404]))
  allowPageErrors(pageErrors, missingImageErrors)
})

const revokeGrant = async (site: ProxiedProduct, jobId: number, subjectId: number): Promise<void> => {
  await site.stop()
  await changeProductData(site.dataDir, (db) =>
    db
      .updateTable('session_grants')
      .set({ revoked_at: new Date() })
      .where('job_id', '=', jobId)
      .where('subject_id', '=', subjectId)
      .execute(),
  )
  await site.start()
}

test('Images of a revoked grant are deleted at the next request, and only the next subject’s images are stored', async ({
  page,
  context,
  site,
  pageErrors,
}) => {
  await openJob(page, 'SPRING')
  await findAda(page)
  await waitUntilPageCached(page)
  const { jobId, subjectId } = idsInUrl(page)
  const [revokedGrantId = ''] = imagePathsByGrant(await readBrowserStorage(context, page)).keys()

  await revokeGrant(site, jobId, subjectId)
  await page.goto(`/riverside/${jobId}/search`)
  const storedGrantIds = async () => [...imagePathsByGrant(await readBrowserStorage(context, page)).keys()]
  await expect.poll(storedGrantIds).toEqual([])

  await findOliver(page)
  expect(await storedGrantIds()).toHaveLength(1)
  expect(await storedGrantIds()).not.toContain(revokedGrantId)
  const { rows } = await readBrowserStorage(context, page)
  expect(rows['cart/grants']).not.toContainEqual(expect.objectContaining({ grantId: revokedGrantId }))
  allowPageErrors(pageErrors, missingImageErrors)
})
