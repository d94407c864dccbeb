import type { Page } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartLine,
  cartStatus,
  choosePackage,
  expectImagesLoaded,
  fetchCart,
  idsInUrl,
  openAda,
  openJob,
  savedAtServer,
} from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const checkoutButton = (page: Page) => page.getByRole('button', { name: 'Checkout' })

/** The studio renames and raises order services, closes the yearbook, and removes a background. */
const changeOffers = (dataDir: string): Promise<void> =>
  changeProductData(dataDir, async (db) => {
    const jobWithCode = (code: string) => db.selectFrom('access_codes').select('job_id').where('code', '=', code)
    const personalizationServices = db.selectFrom('order_services').select('id').where('kind', '=', 'personalization')
    await db
      .updateTable('job_order_services')
      .set({ price_cents: 1200 })
      .where('job_id', 'in', jobWithCode('SPRING'))
      .where('order_service_id', 'in', personalizationServices)
      .execute()
    const yesterday = new Date(Date.now() - 86_400_000)
    await db
      .updateTable('jobs')
      .set({ allow_name_on_wallets: false, year_book_pose_expires_at: yesterday })
      .where('id', 'in', jobWithCode('SPRING'))
      .execute()
    await db
      .updateTable('green_screens')
      .set({ is_enabled: false })
      .where('job_id', 'in', jobWithCode('RAPIDS'))
      .where('name', '=', 'Park')
      .execute()
  })

test('A customer resolves changed services and yearbook photos with one tap each, and a removed background stays', async ({
  page,
  context,
  site,
}) => {
  await openJob(page, 'RAPIDS')
  const rapids = idsInUrl(page).jobId
  await page.goto(`/riverside/${rapids}/select-subject`)
  await page.getByRole('link', { name: 'Andre Baptiste' }).click()
  await page.getByRole('button', { name: 'Choose: MVP Package' }).click()
  const background = page.getByRole('group', { name: 'Background' }).first()
  await background.getByRole('radio', { name: 'Park' }).check()
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)

  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package E/)
  await addToCart(page)
  await page.getByRole('link', { name: 'Retouching, name and year for Ada' }).click()
  await page.getByRole('radio', { name: /Premium retouching/ }).check()
  await page.getByRole('checkbox', { name: /^Name and year/ }).check()
  await page.getByRole('checkbox', { name: 'Name on wallet prints' }).check()
  await expect(cartStatus(page)).toHaveText(savedAtServer)

  await test.step('Retouching of a photo that left the package moves to the new photo with one tap', async () => {
    await page.getByRole('link', { name: 'Back to the cart' }).click()
    await cartLine(page, /^Package E/)
      .getByRole('link', { name: /^Edit/ })
      .click()
    await page.getByRole('group', { name: 'Photo' }).first().getByRole('radio', { name: 'Photo 3' }).check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    const unassignedNotice = page.getByText('Premium retouching is for a photo no longer in a package')
    await expect(unassignedNotice).toBeVisible()
    await expectImagesLoaded(page)
    await checkScreen(page, '75-stray-retouch')
    await page.getByRole('button', { name: /^Move to/ }).click()
    await expect(unassignedNotice).toBeHidden()
    await expect(page.getByRole('list', { name: 'Services for Ada' })).toContainText('Premium retouching')
  })

  await test.step('The studio changes its offers while the phone is offline', async () => {
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Add another package for Ada' }).click()
    await page.getByRole('button', { name: 'Use this photo in the yearbook' }).click()
    await expect(page.getByRole('button', { name: 'This photo is in the yearbook' })).toBeVisible()
    await site.stop()
    await changeOffers(site.dataDir)
    await site.start()
    await context.setOffline(false)
    await page.goto(`/riverside/${jobId}/cart`)
    await expect(page.getByText('The yearbook photo for Ada was not accepted')).toBeVisible()
    await expect(page.getByText('Name and year can’t be printed as you chose')).toBeVisible()
    await expect(checkoutButton(page)).toHaveAttribute('aria-disabled', 'true')
    await expectImagesLoaded(page)
    await checkScreen(page, '76-services-changed')
  })

  await test.step('The customer accepts each change', async () => {
    await page.getByRole('button', { name: 'Keep it as it was' }).click()
    await page.getByRole('button', { name: /^Print as offered/ }).click()
    await expect(page.getByText('Name and year can’t be printed as you chose')).toBeHidden()
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    await expect(checkoutButton(page)).not.toHaveAttribute('aria-disabled')
    const { personalizations } = (await fetchCart(page, jobId)).cartOrderServicesDetails
    expect(personalizations).toMatchObject([{ nameOnWallets: false, nameOnAllPrints: true, price: 12 }])
  })

  await test.step('A background that is no longer offered stays on its print until another is chosen', async () => {
    await page.goto(`/riverside/${rapids}/cart`)
    await cartLine(page, /^MVP Package/)
      .getByRole('link', { name: /^Edit/ })
      .click()
    await expect(background.getByText('The background you chose is no longer offered.')).toBeVisible()
    await expectImagesLoaded(page)
    await checkScreen(page, '77-background-gone')
    await page.getByRole('textbox', { name: /^Team/ }).first().fill('Go on')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(
      cartLine(page, /^MVP Package/)
        .getByText('Go on')
        .first(),
    ).toBeVisible()
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    const [line] = (await fetchCart(page, rapids)).cartPackages
    expect(line?.greenScreen).not.toBeNull()
    expect(line?.cartPackageItems.flatMap((item) => item.textNodes.map(({ value }) => value))).toContain('Go on')
  })
})
