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

const finish = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('button', { name: 'Finish on this device' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await checkScreen(page, '86-finish')
  await question.getByRole('button', { name: /^Finish/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Fieldproof' })).toBeVisible()
}

/** Checks that the device holds only public data: the home page, the shell, hashed files, and its visit counter. */
const expectNothingLeft = async (page: Page): Promise<void> => {
  const kept = async () => {
    const { rows, stored, cookies } = await readBrowserStorage(page.context(), page)
    return { rows, stored, cookies }
  }
  // With a slow network the next page ends the session.
  await expect.poll(kept).toEqual({
    rows: { 'cart/device': [{ key: 'session', value: expect.any(Number) }] },
    stored: {},
    cookies: [],
  })
  const { cached } = await readBrowserStorage(page.context(), page)
  const paths = Object.values(cached).flat()
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => !/^\/(assets\/[\w.-]+|app\.html\?__WB_REVISION__=\w+)?$/.test(path))).toEqual([])
}

/** A session that leaves data in every storage: cart, draft, codes, cached responses, images. */
const makeVisit = async (page: Page): Promise<void> => {
  await openAda(page)
  await waitUntilPageCached(page)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await page.getByRole('link', { name: 'Add another package for Ada' }).click()
  await choosePackage(page, /Package E/)
  await page.getByRole('textbox', { name: /^Name/ }).fill('Half a na')
}

const findAnother = async (page: Page): Promise<void> => {
  await openJob(page, 'SPRING')
  await searchSubject(page, 'O', 'bennett')
  await page.getByRole('button', { name: /Oliver Bennett/ }).click()
  await page.getByRole('button', { name: 'Yes, show the pictures' }).click()
  await expect(page.getByRole('heading', { name: 'Oliver Bennett', exact: true })).toBeVisible()
  await waitUntilPageCached(page)
}

test('After “Finish on this device” nothing is left of a visit, and the next one finds nothing of it', async ({
  page,
  context,
  pageErrors,
}) => {
  await makeVisit(page)
  const before = await readBrowserStorage(context, page)
  const [photos = []] = imagePathsByGrant(before).values()
  expect(photos.length).toBeGreaterThan(2)
  expect(Object.keys(before.rows)).toEqual(expect.arrayContaining(['cart/carts', 'cart/drafts', 'cart/codes']))
  expect(before.cookies).toHaveLength(1)

  const other = await context.newPage()
  await openAda(other)
  await finish(page)
  await expect(other.getByRole('heading', { level: 1, name: 'Welcome to Fieldproof' })).toBeVisible()
  await other.close()
  await expectNothingLeft(page)

  await findAnother(page)
  const after = await readBrowserStorage(context, page)
  expect([...imagePathsByGrant(after).keys()]).toHaveLength(1)
  expect([...imagePathsByGrant(after).values()].flat().filter((path) => photos.includes(path))).toEqual([])
  const asked = await page.evaluate(
    (paths) => Promise.all(paths.map((path) => fetch(path).then((answer) => answer.status))),
    photos,
  )
  expect(new Set(asked)).toEqual(new Set([404]))
  allowPageErrors(pageErrors, missingImageErrors)
})

const withdraw = async (site: ProxiedProduct, jobId: number, subjectId: number): Promise<void> => {
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

test('Photos of a grant that was withdrawn go at the next contact, and the next person’s are the only ones there', async ({
  page,
  context,
  site,
  pageErrors,
}) => {
  await openJob(page, 'SPRING')
  await findAda(page)
  await waitUntilPageCached(page)
  const { jobId, subjectId } = idsInUrl(page)
  const [grant = ''] = imagePathsByGrant(await readBrowserStorage(context, page)).keys()

  await withdraw(site, jobId, subjectId)
  await page.goto(`/riverside/${jobId}/search`)
  const left = async () => [...imagePathsByGrant(await readBrowserStorage(context, page)).keys()]
  await expect.poll(left).toEqual([])

  await findAnother(page)
  expect(await left()).toHaveLength(1)
  expect(await left()).not.toContain(grant)
  const { rows } = await readBrowserStorage(context, page)
  expect(rows['cart/grants']).not.toContainEqual(expect.objectContaining({ grantId: grant }))
  allowPageErrors(pageErrors, missingImageErrors)
})
