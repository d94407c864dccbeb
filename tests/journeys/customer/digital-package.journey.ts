import { lookAt } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cards,
  cartAtServer,
  expectPictures,
  giveCard,
  giveDetails,
  lineOf,
  openAda,
  openEvent,
  orderNumber,
  pay,
  placeOf,
  savedAtServer,
  search,
  status,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { test as ofItsOwn } from '#support/journeys/proxied-journey-test.ts'
import { changeData } from '#support/product/product-database.ts'

/** What an event offers decides what a parent is asked: each of these is a shoot of another kind, from the code to the paid order. */

ofItsOwn(
  'Before the picture day, with an imported roster: found, not typed in, and asked only what the roster does not know',
  async ({ page, site }) => {
    await site.stop()
    await changeData(site.dataDir, (db) =>
      db.updateTable('jobs').set({ prepay_imported_data: true }).where('prepay_enabled', '=', true).execute(),
    )
    await site.start()
    await openEvent(page, 'PREPAY')
    const { jobId } = placeOf(page)
    await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'See the packages' })).toHaveCount(0)
    await page.goto(`/riverside/${jobId}/subject/-1/select-package`)
    await expect(page).toHaveURL(`/riverside/${jobId}/search`)

    await search(page, 'A', 'mitchell')
    await page.getByRole('button', { name: /Ava Mitchell/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'About Ava' })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Grade' })).toHaveValue('1')
    await page.getByRole('textbox', { name: 'Teacher' }).fill('Ms. Alvarez')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Ava Mitchell' })).toBeVisible()
    await page.getByRole('button', { name: /^Choose: Package E/ }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await lookAt(page, '70-imported')
    await addToCart(page)
    await expect(status(page)).toHaveText(savedAtServer)
    const [line] = (await cartAtServer(page, jobId, 'prepay')).cartPackages
    const texts = line?.cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value))
    expect(texts).toContain('Ava Mitchell')
    await expect(lineOf(page, /Package E/).getByText('Ava Mitchell')).toBeVisible()
    await giveDetails(page)
    await giveCard(page, cards.good)
    await pay(page)
    await orderNumber(page)
  },
)

test('Files alone: nothing to crop, nothing to ship, paid and promised', async ({ page }) => {
  await openAda(page)
  const { jobId } = placeOf(page)
  await page.getByRole('radio', { name: 'Pose 2', exact: true }).check()
  await page.getByRole('button', { name: /^Choose: Single Digital Download/ }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expectPictures(page)
  await lookAt(page, '71-one-file')
  await addToCart(page)
  await page.getByRole('link', { name: 'Add another package for Ada' }).click()
  await page.getByRole('button', { name: /^Choose: Download All Images For Subject/ }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^Nothing to choose here/)).toBeVisible()
  await lookAt(page, '72-all-files')
  await addToCart(page)
  await expect(status(page)).toHaveText(savedAtServer)
  const { cartPackages } = await cartAtServer(page, jobId)
  expect(cartPackages).toHaveLength(2)
  await giveDetails(page)
  await giveCard(page, cards.good)
  await page.getByRole('button', { name: 'Review order' }).click()
  await lookAt(page, '73-files-review')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await orderNumber(page)
  await lookAt(page, '74-files-ordered')
})
