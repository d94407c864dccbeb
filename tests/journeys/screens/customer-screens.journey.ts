import { sql } from 'kysely'
import type { Page } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartStatus,
  choosePackage,
  enterAccessCode,
  expectImagesLoaded,
  fillCardForm,
  fillCheckoutForm,
  fillJobFields,
  idsInUrl,
  openAda,
  openJob,
  openPrints,
  pay,
  readOrderNumber,
  savedAtServer,
  searchSubject,
  testCards,
} from '#support/journeys/customer-steps.ts'
import {
  allowPageErrors,
  expect,
  missingImageErrors,
  test,
  waitForServiceWorker,
} from '#support/journeys/journey-test.ts'
import { test as proxiedTest } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

const reducedMotion = { contextOptions: { reducedMotion: 'reduce' } } as const
test.use(reducedMotion)
proxiedTest.use(reducedMotion)

const expectHeading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name }).first()).toBeVisible()

test('The screens from the home page to the packages pass the screen checks', async ({ page }) => {
  await page.goto('/')
  await expectHeading(page, 'Welcome to Fieldproof')
  await checkScreen(page, '01-home')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByText('Please fix the fields marked below')).toBeVisible()
  await checkScreen(page, '02-home-errors')
  await page.getByRole('textbox', { name: 'Email' }).fill('anne@example.com')
  await page.getByRole('textbox', { name: 'Order #' }).fill('FP-00000000')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('group').getByText('Could not find this order')).toBeVisible()
  await checkScreen(page, '03-home-toast')
  await page.goto('/riverside')
  await expectHeading(page, 'Find your photos')
  await checkScreen(page, '04-studio')
  await enterAccessCode(page, 'NOTONE')
  await expect(page.getByRole('textbox', { name: 'Access code' })).toHaveAccessibleDescription(/./)
  await checkScreen(page, '05-code-error')
  await openJob(page, 'SPRING')
  await expectHeading(page, 'Who are you ordering for?')
  await checkScreen(page, '06-search')
  await searchSubject(page, '', '')
  await expect(page.getByText('This field is required')).toHaveCount(2)
  await checkScreen(page, '07-search-errors')
  await searchSubject(page, 'Zz', 'zzz')
  await expect(page.getByText('No one by that name at Lincoln Elementary.')).toBeVisible()
  await checkScreen(page, '08-search-nobody')
  await searchSubject(page, 'A', 'lovelace')
  await expect(page.getByRole('button', { name: /Ada Lovelace/ })).toBeVisible()
  await checkScreen(page, '09-search-results')
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await checkScreen(page, '10-confirm-person')
})

test('The screens of a public gallery pass the screen checks', async ({ page }) => {
  await openJob(page, 'RAPIDS')
  await expectHeading(page, /./)
  const { jobId } = idsInUrl(page)
  await page.goto(`/riverside/${jobId}/select-subject`)
  await expect(page.getByRole('listitem').getByRole('link').first()).toBeVisible()
  await expectImagesLoaded(page)
  await checkScreen(page, '11-gallery')
  await page.getByRole('listitem').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Packages' })).toBeVisible()
  await expectImagesLoaded(page)
  await checkScreen(page, '12-gallery-packages')
  await page.getByRole('button', { name: 'Choose: MVP Package' }).click()
  await expectHeading(page, 'Make it yours')
  await expectImagesLoaded(page)
  await checkScreen(page, '13-gallery-options')
})

test('The package screens pass the screen checks', async ({ page }) => {
  await openAda(page)
  await expectImagesLoaded(page)
  await checkScreen(page, '14-packages')
  const { jobId } = idsInUrl(page)
  await page.getByRole('radio', { name: 'Photo 3' }).check()
  await page.getByRole('button', { name: 'Choose: Package D' }).click()
  await expectHeading(page, 'Make it yours')
  await expectImagesLoaded(page)
  await checkScreen(page, '15-options-filled-in')
  await page.getByRole('checkbox').and(page.locator(':enabled')).first().check()
  await openPrints(page)
  await expectImagesLoaded(page)
  await checkScreen(page, '16-options')
  await page.getByRole('button', { name: 'Crop and rotate' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Crop and rotate' })
  await sheet.getByRole('slider', { name: 'Straighten' }).fill('9')
  await expectImagesLoaded(page)
  await checkScreen(page, '17-crop')
  await sheet.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('textbox', { name: /^Name/ }).first().fill('')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await checkScreen(page, '18-options-missing')
  await page.getByRole('button', { name: 'Help' }).click()
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible()
  await checkScreen(page, '19-help')
  await page.goto(`/riverside/${jobId}/cart`)
  await expect(page.getByText('Your cart is empty')).toBeVisible()
  await checkScreen(page, '20-cart-empty')
  await page.goto(`/riverside/${jobId}/checkout`)
  await expectHeading(page, /./)
  await checkScreen(page, '21-checkout-empty')
})

test('Cart, checkout and order pass the screen checks', async ({ page, context }) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package A/)
  await addToCart(page)
  await page.getByRole('link', { name: 'Add another package for Ada' }).click()
  await choosePackage(page, /Package E/)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await expectImagesLoaded(page)
  await checkScreen(page, '22-cart')
  await page.getByRole('button', { name: 'Remove Package E' }).click()
  await expect(page.getByText(/removed$/)).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cartStatus(page)).toContainText('You’re offline')
  await checkScreen(page, '23-cart-offline')
  await page.goto(`/riverside/${jobId}/confirmCart`)
  await expectHeading(page, 'Waiting for a connection')
  await checkScreen(page, '24-confirm-cart-offline')
  await context.setOffline(false)
  await expectHeading(page, 'Ready to pay')
  await checkScreen(page, '25-confirm-cart')
  await page
    .getByRole('link', { name: 'Edit Package A' })
    .or(page.getByRole('link', { name: 'Back to the cart' }))
    .click()
  await page.getByRole('link', { name: 'Edit Package A' }).click()
  await expectHeading(page, 'Make it yours')
  await expectImagesLoaded(page)
  await checkScreen(page, '26-edit')
  await page.goBack()

  await page.getByRole('button', { name: 'Checkout' }).click()
  await expectHeading(page, 'Checkout')
  await expect(page.getByText('Estimate')).toHaveCount(0)
  await checkScreen(page, '27-checkout')
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByText('Please fix the fields marked below')).toBeVisible()
  await checkScreen(page, '28-checkout-errors')
  await page.goBack()
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.declined)
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeEnabled()
  await expectImagesLoaded(page)
  await checkScreen(page, '29-review')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('button', { name: 'Pay with another card' })).toBeVisible()
  await checkScreen(page, '30-review-declined')
  await page.getByRole('button', { name: 'Pay with another card' }).click()
  await fillCardForm(page, testCards.requiresAuthentication)
  await pay(page)
  await expect(page.getByRole('dialog', { name: 'Test bank' })).toBeVisible()
  await checkScreen(page, '31-test-bank')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await readOrderNumber(page)
  await expectImagesLoaded(page)
  await checkScreen(page, '32-confirmation')
  await page.goto(`/riverside/${jobId}/order/FP-00000000`)
  await expectHeading(page, 'Find your order')
  await checkScreen(page, '33-order-unknown')
})

test('The screens of sign-in, unknown URLs and maintenance pass the screen checks', async ({
  page,
  context,
  pageErrors,
}) => {
  await page.goto('/login')
  await expectHeading(page, 'Studio Login')
  await checkScreen(page, '34-login')
  await page.getByRole('textbox', { name: 'Email' }).fill('owner@riverside.test')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Failed to authenticate')).toBeVisible()
  await checkScreen(page, '35-login-failed')
  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/admin\/studios\/\d+$/)
  await page.goto('/account')
  await expectHeading(page, /./)
  await checkScreen(page, '36-account')
  await page.goto('/logout')
  await expectHeading(page, 'You are signed out')
  await checkScreen(page, '37-logout')
  await page.goto('/no/such/place/at/all')
  await expectHeading(page, 'Page not found')
  await checkScreen(page, '38-not-found')
  await page.goto('/nosuchstudio')
  await expectHeading(page, 'There was an error loading the studio')
  await checkScreen(page, '39-no-studio')
  await page.goto('/riverside/spring/cart')
  await expectHeading(page, 'We could not find this page')
  await checkScreen(page, '40-not-found-event')
  await page.goto('/riverside/999/search')
  await expectHeading(page, 'We could not find this event')
  await checkScreen(page, '41-unavailable')
  await waitForServiceWorker(page)
  await context.setOffline(true)
  await page.goto('/maintenance')
  await expectHeading(page, 'We’ll be back in a moment')
  await checkScreen(page, '42-maintenance')
  // The worker requests the page again, in case it exists by now.
  allowPageErrors(pageErrors, /^404 GET \/nosuchstudio$/)
})

test('Prepay screens and a payment without a result pass the screen checks', async ({ page }) => {
  await openJob(page, 'PREPAY')
  await expectHeading(page, 'Who are you ordering for?')
  await expect(page.getByRole('combobox', { name: 'Grade' })).toBeVisible()
  await checkScreen(page, '43-prepay-search')
  await page.getByRole('button', { name: 'See the packages' }).click()
  await expect(page.getByText('This field is required')).toHaveCount(4)
  await checkScreen(page, '43-prepay-form-errors')
  await page.getByRole('button', { name: 'Find my child on the list' }).click()
  await searchSubject(page, 'A', 'mitchell')
  await page.getByRole('button', { name: /Ava Mitchell/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
  await expectHeading(page, 'About Ava')
  await page.getByRole('button', { name: 'Save' }).click()
  await checkScreen(page, '44-prepay-details')
  await fillJobFields(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expectHeading(page, 'Ava Mitchell')
  await checkScreen(page, '44-prepay-packages')
  await page
    .getByRole('button', { name: /^Choose: / })
    .first()
    .click()
  await expectHeading(page, 'Make it yours')
  await checkScreen(page, '45-prepay-options')
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await checkScreen(page, '46-prepay-cart')
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await page.getByRole('button', { name: 'Review order' }).click()

  const submit = /\/checkout\/submit/
  await page.route(submit, (route) => route.abort())
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByText('The connection was lost.')).toBeVisible()
  await checkScreen(page, '47-payment-unknown')
  const errors = ['There is nothing here']
  await page.unroute(submit)
  await page.route(submit, (route) => route.fulfill({ status: 404, json: { errors, problem: 'not-found' } }))
  await expect(page.getByText('We couldn’t confirm your payment')).toBeVisible()
  // The pay button is no longer busy.
  await expect(page.getByRole('button', { name: /^Pay \$/ })).not.toHaveAttribute('aria-busy')
  await checkScreen(page, '48-payment-lost')
  await page.unroute(submit)
  await page.getByRole('button', { name: 'It didn’t go through, pay again' }).click()
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await readOrderNumber(page)
  await checkScreen(page, '49-prepay-confirmation')

  await page.evaluate(() => navigator.serviceWorker.register('/sw.js?newer'))
  await expect(page.getByText('New version')).toBeVisible()
  await checkScreen(page, '50-new-version')
})

test('The screens of order services pass the screen checks', async ({ page }) => {
  await openAda(page)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await page.getByRole('link', { name: 'Retouching, name and year for Ada' }).click()
  await expectHeading(page, 'Retouching, name and year')
  await page.getByRole('radio', { name: /Premium retouching/ }).check()
  await page.getByRole('checkbox', { name: /^Name and year/ }).check()
  await expect(page.getByText(/^Prints “Ada Lovelace”/)).toBeVisible()
  await expectImagesLoaded(page)
  await checkScreen(page, '60-services')
  await page.getByRole('textbox', { name: 'Name to print' }).fill('')
  await expect(page.getByText('This field is required')).toBeVisible()
  await checkScreen(page, '61-services-errors')
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await expect(page.getByRole('list', { name: 'Services for Ada' })).toBeVisible()
  await checkScreen(page, '62-services-cart')
  await page.getByRole('button', { name: 'Remove Premium retouching of Photo 1' }).click()
  await expect(page.getByText('Premium retouching removed')).toBeVisible()
  await checkScreen(page, '63-services-removed')
})

test.describe('without a service worker', () => {
  // Playwright's routes cannot intercept what the service worker has cached.
  test.use({ serviceWorkers: 'block' })

  test('A screen whose code fails to load shows an error that passes the screen checks', async ({
    page,
    pageErrors,
  }) => {
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await page.route(/\/assets\/staff-.*\.js/, (route) => route.abort())
    await page.goto('/login')
    // The page reloads itself once, in case a new release replaced the chunk.
    await expect.poll(() => loads).toBe(2)
    await expectHeading(page, 'This screen did not load')
    await checkScreen(page, '51-not-loaded')
    allowPageErrors(pageErrors, /dynamically imported module/)
  })
})

/** Changes packages, dates and codes of the demo's jobs, as a studio may do while a customer is offline. */
const changeOffers = (dataDir: string): Promise<void> =>
  changeProductData(dataDir, async (db) => {
    const packageNamed = (name: string) =>
      db.selectFrom('package_versions').select('package_id').where('name', 'like', `${name}%`)
    const yesterday = new Date(Date.now() - 86_400_000)
    const nextWeek = new Date(Date.now() + 7 * 86_400_000)
    const jobWithCode = (code: string) => db.selectFrom('access_codes').select('job_id').where('code', '=', code)
    await db
      .updateTable('packages')
      .set({ archived_at: yesterday })
      .where('id', 'in', packageNamed('Package F'))
      .execute()
    const raisedPrice = sql`jsonb_set(jsonb_set(content, '{version}', '2'), '{retailCost}', '99')`
    await sql`insert into package_versions (studio_id, package_id, version, name, retail_cost_cents, addon_type, content)
      select studio_id, package_id, 2, name, 9900, addon_type, ${raisedPrice} from package_versions
       where name like 'Package B%'`.execute(db)
    await db.updateTable('packages').set({ current_version: 2 }).where('id', 'in', packageNamed('Package B')).execute()
    const prepayChanges = { prepay_enabled: true, prepay_opens_at: yesterday, prepay_closes_at: nextWeek }
    await db.updateTable('jobs').set(prepayChanges).where('id', 'in', jobWithCode('SPRING')).execute()
    await db.updateTable('jobs').set({ prepay_opens_at: nextWeek }).where('id', 'in', jobWithCode('PREPAY')).execute()
    await db.updateTable('jobs').set({ archived_at: yesterday }).where('id', 'in', jobWithCode('RAPIDS')).execute()
    await db.deleteFrom('access_codes').where('code', '=', 'ADALVL').execute()
  })

proxiedTest(
  'The screens after a studio’s changes pass the screen checks',
  async ({ page, context, site, pageErrors }) => {
    await openJob(page, 'RAPIDS')
    const galleryJobId = idsInUrl(page).jobId
    await openJob(page, 'PREPAY')
    const prepayJobId = idsInUrl(page).jobId
    await openAda(page)
    const { jobId } = idsInUrl(page)
    await waitUntilPageCached(page)
    await choosePackage(page, /Package B/)
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Add another package for Ada' }).click()
    await choosePackage(page, /Package F/)
    await addToCart(page)
    await site.stop()
    await changeOffers(site.dataDir)
    await site.start()
    await context.setOffline(false)
    await page.reload()

    await expect(page.getByText('This package is no longer offered').first()).toBeVisible()
    await expect(page.getByText('The studio changed this price')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Order without choosing photos' })).toBeVisible()
    await expectImagesLoaded(page)
    await checkScreen(page, '52-cart-decisions')
    await page.goto(`/riverside/${jobId}/confirmCart`)
    await expectHeading(page, 'Check your cart first')
    await checkScreen(page, '53-confirm-cart-decisions')

    await page.goto(`/riverside/${prepayJobId}/search`)
    await expectHeading(page, 'Ordering hasn’t started yet')
    await checkScreen(page, '54-unavailable-later')
    await page.goto(`/riverside/${galleryJobId}/search`)
    await expectHeading(page, 'This event is closed')
    await checkScreen(page, '55-unavailable-closed')

    await page.goto(`/riverside/${jobId}/cart`)
    const increaseButton = page.getByRole('button', { name: 'One more Package B' })
    await expect(increaseButton).toBeVisible()
    await context.clearCookies()
    await increaseButton.click()
    await expect(page.getByText('Your cart is waiting for you')).toBeVisible()
    await checkScreen(page, '56-cart-paused')
    await page.reload()
    await expect(page.getByText('Your cart is waiting for you')).toBeVisible()
    await expect(page.getByRole('button', { name: 'One more Package B' })).toBeVisible()
    allowPageErrors(pageErrors, missingImageErrors)
  },
)
