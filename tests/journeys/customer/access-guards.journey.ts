import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import {
  addToCart,
  cartStatus,
  choosePackage,
  enterAccessCode,
  expectImagesLoaded,
  fillCheckoutForm,
  idsInUrl,
  openAda,
  savedAtServer,
  savedOnDevice,
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

proxiedTest(
  'During maintenance a parent continues with the stored cart, and returns to the filled form when it ends',
  async ({ page, site }) => {
    await openAda(page)
    await waitUntilPageCached(page)
    await choosePackage(page, /Package B/)
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    await fillCheckoutForm(page)
    const checkout = page.url()

    await site.stop()
    await site.start({ env: { MAINTENANCE: 'on' } })
    await page.getByRole('textbox', { name: 'City' }).fill('Springfield')
    await expect(page).toHaveURL(/\/maintenance\?from=/)
    await expect(page.getByRole('heading', { name: 'We’ll be back in a moment' })).toBeVisible()

    await proxiedTest.step('The cart on the phone can be changed during maintenance', async () => {
      await page.getByRole('link', { name: 'Go on with my cart' }).click()
      await expect(page.getByRole('heading', { name: 'Cart', exact: true })).toBeVisible()
      await page.getByRole('link', { name: 'Add another package for Ada' }).click()
      await choosePackage(page, /Package F/)
      await addToCart(page)
      await expect(page.getByRole('article', { name: /Package F/ })).toBeVisible()
      await expect(cartStatus(page)).toContainText(savedOnDevice)
    })

    await proxiedTest.step('The page returns to the checkout when maintenance ends', async () => {
      await page.goto(checkout)
      await expect(page).toHaveURL(/\/maintenance\?from=/)
      await page.getByRole('button', { name: 'Try now' }).click()
      await expect(page.getByRole('heading', { name: 'We’ll be back in a moment' })).toBeVisible()
      await site.stop()
      await site.start()
      await expect(page).toHaveURL(checkout)
      await expect(page.getByRole('textbox', { name: 'City' })).toHaveValue('Springfield')
      await expect(cartStatus(page)).toHaveText(savedAtServer, { timeout: 60_000 })
    })
  },
)

test('A job’s URL opened without access asks for the access code, and then opens', async ({ page }) => {
  await page.goto('/riverside/1/cart')
  await expect(page.getByRole('heading', { name: 'Find your photos' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/riverside')
  await enterAccessCode(page, 'SPRING')
  await expect(page.getByRole('heading', { name: 'Cart', exact: true })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/riverside/1/cart')
})

test('A URL with a job’s name instead of its id shows that the page was not found', async ({ page }) => {
  await page.goto('/riverside/spring/search')
  await expect(page.getByRole('heading', { name: 'We could not find this page' })).toBeVisible()
  await page.getByRole('link', { name: 'Enter your code' }).click()
  await expect(page.getByRole('heading', { name: 'Find your photos' })).toBeVisible()
})

proxiedTest(
  'A job that is not open shows the reason and the cart, and opens once it is published',
  async ({ page, site, pageErrors }) => {
    await openAda(page)
    const { jobId } = idsInUrl(page)
    const packages = page.url()
    await choosePackage(page, /Package B/)
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    // The browser reports an error if the server stops while the worker is being installed.
    await waitForServiceWorker(page)

    const setPublishedAt = async (publishedAt: Date | null): Promise<void> => {
      await site.stop()
      const change = { published_at: publishedAt }
      await changeProductData(site.dataDir, (db) =>
        db.updateTable('jobs').set(change).where('id', '=', jobId).execute(),
      )
      await site.start()
    }
    await setPublishedAt(null)
    await page.goto(packages)
    await expect(page.getByRole('heading', { name: 'This event is not open yet' })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/riverside/${jobId}/unavailable\\?from=`))
    await expect(page.getByRole('heading', { name: 'Ask Riverside Portraits' })).toBeVisible()

    await page.goto(`/riverside/${jobId}/cart`)
    await expect(page.getByText('This event is not open yet').first()).toBeVisible()
    await expect(page.getByRole('article', { name: /Package B/ })).toBeVisible()
    await page.goto(packages)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()

    await setPublishedAt(new Date(0))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page).toHaveURL(packages)
    await expect(page.getByRole('heading', { name: 'Ada Lovelace', exact: true })).toBeVisible()
    await expectImagesLoaded(page)
    allowPageErrors(pageErrors, missingImageErrors)
  },
)
