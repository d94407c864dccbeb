import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartLine,
  cartStatus,
  expectImagesLoaded,
  fetchCart,
  fillCardForm,
  fillCheckoutForm,
  idsInUrl,
  openAda,
  openJob,
  pay,
  readOrderNumber,
  savedAtServer,
  searchSubject,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { test as proxiedTest } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

/** The job's offers decide what the customer is asked for. Each test orders in another kind of job, from the code to the payment. */

proxiedTest(
  'With an imported roster, a prepay customer finds the child and is asked only for missing fields',
  async ({ page, site }) => {
    await site.stop()
    await changeProductData(site.dataDir, (db) =>
      db.updateTable('jobs').set({ prepay_imported_data: true }).where('prepay_enabled', '=', true).execute(),
    )
    await site.start()
    await openJob(page, 'PREPAY')
    const { jobId } = idsInUrl(page)
    await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'See the packages' })).toHaveCount(0)
    await page.goto(`/riverside/${jobId}/subject/-1/select-package`)
    await expect(page).toHaveURL(`/riverside/${jobId}/search`)

    await searchSubject(page, 'A', 'mitchell')
    await page.getByRole('button', { name: /Ava Mitchell/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'About Ava' })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Grade' })).toHaveValue('1')
    await page.getByRole('textbox', { name: 'Teacher' }).fill('Ms. Alvarez')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Ava Mitchell' })).toBeVisible()
    await page.getByRole('button', { name: /^Choose: Package E/ }).click()
    await checkScreen(page, '70-imported')
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    const [line] = (await fetchCart(page, jobId, 'prepay')).cartPackages
    const texts = line?.cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value))
    expect(texts).toContain('Ava Mitchell')
    await expect(cartLine(page, /Package E/).getByText('Ava Mitchell')).toBeVisible()
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.good)
    await pay(page)
    await readOrderNumber(page)
  },
)

test('An order of downloads needs no crop and no shipping, and is paid', async ({ page }) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  await page.getByRole('radio', { name: 'Photo 2', exact: true }).check()
  await page.getByRole('button', { name: /^Choose: Single Digital Download/ }).click()
  await expectImagesLoaded(page)
  await checkScreen(page, '71-one-file')
  await addToCart(page)
  await page.getByRole('link', { name: 'Add another package for Ada' }).click()
  await page.getByRole('button', { name: /^Choose: Download All Images For Subject/ }).click()
  await expect(page.getByText(/^Nothing to choose:/)).toBeVisible()
  await checkScreen(page, '72-all-files')
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  const { cartPackages } = await fetchCart(page, jobId)
  expect(cartPackages).toHaveLength(2)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await page.getByRole('button', { name: 'Review order' }).click()
  await checkScreen(page, '73-files-review')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await readOrderNumber(page)
  await checkScreen(page, '74-files-ordered')
})
