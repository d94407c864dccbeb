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
import { allowPageErrors, expect, missingImageErrors, test } from '#support/journeys/journey-test.ts'
import { test as ofItsOwn } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

ofItsOwn(
  'Maintenance keeps what was typed, lets a parent go on from the phone, and brings them back by itself',
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
    await page.getByRole('textbox', { name: 'City, or APO, FPO, DPO' }).fill('Springfield')
    await expect(page).toHaveURL(/\/maintenance\?from=/)
    await expect(page.getByRole('heading', { name: 'We’ll be back in a moment' })).toBeVisible()

    await ofItsOwn.step('go on with the cart of the phone', async () => {
      await page.getByRole('link', { name: 'Go on with my cart' }).click()
      await expect(page.getByRole('heading', { name: 'Cart', exact: true })).toBeVisible()
      await page.getByRole('link', { name: 'Add another package for Ada' }).click()
      await choosePackage(page, /Package F/)
      await addToCart(page)
      await expect(page.getByRole('article', { name: /Package F/ })).toBeVisible()
      await expect(cartStatus(page)).toContainText(savedOnDevice)
    })

    await ofItsOwn.step('the server is back, and so is the parent', async () => {
      await page.goto(checkout)
      await expect(page).toHaveURL(/\/maintenance\?from=/)
      await page.getByRole('button', { name: 'Try now' }).click()
      await expect(page.getByRole('heading', { name: 'We’ll be back in a moment' })).toBeVisible()
      await site.stop()
      await site.start()
      await expect(page).toHaveURL(checkout)
      await expect(page.getByRole('textbox', { name: 'City, or APO, FPO, DPO' })).toHaveValue('Springfield')
      await expect(cartStatus(page)).toHaveText(savedAtServer, { timeout: 60_000 })
    })
  },
)

test('A place whose code was never given asks for it, and leads there once it is', async ({ page }) => {
  await page.goto('/riverside/1/cart')
  await expect(page.getByRole('heading', { name: 'See your pictures' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/riverside')
  await enterAccessCode(page, 'SPRING')
  await expect(page.getByRole('heading', { name: 'Cart', exact: true })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/riverside/1/cart')
})

test('An event by a name instead of a number is not found', async ({ page }) => {
  await page.goto('/riverside/spring/search')
  await expect(page.getByRole('heading', { name: 'We could not find this page' })).toBeVisible()
  await page.getByRole('link', { name: 'Enter your code' }).click()
  await expect(page.getByRole('heading', { name: 'See your pictures' })).toBeVisible()
})

ofItsOwn(
  'An event that is not open says why, keeps the cart readable, and lets in once it opens',
  async ({ page, site, pageErrors }) => {
    await openAda(page)
    const { jobId } = idsInUrl(page)
    const packages = page.url()
    await choosePackage(page, /Package B/)
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)

    const publish = async (at: Date | null): Promise<void> => {
      await site.stop()
      const change = { published_at: at }
      await changeProductData(site.dataDir, (db) =>
        db.updateTable('jobs').set(change).where('id', '=', jobId).execute(),
      )
      await site.start()
    }
    await publish(null)
    await page.goto(packages)
    await expect(page.getByRole('heading', { name: 'This event is not open yet' })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/riverside/${jobId}/unavailable\\?from=`))
    await expect(page.getByRole('heading', { name: 'Ask Riverside Portraits' })).toBeVisible()

    await page.goto(`/riverside/${jobId}/cart`)
    await expect(page.getByText('This event is not open yet').first()).toBeVisible()
    await expect(page.getByRole('article', { name: /Package B/ })).toBeVisible()
    await page.goto(packages)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()

    await publish(new Date(0))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page).toHaveURL(packages)
    await expect(page.getByRole('heading', { name: 'Ada Lovelace', exact: true })).toBeVisible()
    await expectImagesLoaded(page)
    allowPageErrors(pageErrors, missingImageErrors)
  },
)

test('Another tab shows a change at once', async ({ page, context }) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  const other = await context.newPage()
  await other.goto(`/riverside/${jobId}/cart`)
  await expect(other.getByText('Your cart is empty')).toBeVisible()

  await choosePackage(page, /Package B/)
  await addToCart(page)
  await expect(other.getByRole('article', { name: /Package B/ })).toBeVisible()
  await other.getByRole('button', { name: 'One more Package B' }).click()
  await expect(page.getByRole('group', { name: 'Quantity of Package B' }).getByRole('status')).toHaveText('2')
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await expect(cartStatus(other)).toHaveText(savedAtServer)
})

test('Violations of the content security policy fail a journey', async ({ page, pageErrors }) => {
  await page.goto('/')
  await page.evaluate(() => {
    const style = document.createElement('style')
    style.textContent = 'body { color: red }'
    document.head.append(style)
  })
  await expect.poll(() => pageErrors.join()).toMatch(/Content Security Policy/)
  allowPageErrors(pageErrors, /Content Security Policy/)
})

test('A studio’s owner signs in, is who they are, and signs out', async ({ page }) => {
  await page.goto('/account')
  await expect(page).toHaveURL('/login?ret=%2Faccount')
  await page.getByRole('textbox', { name: 'Email' }).fill('owner@riverside.test')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Failed to authenticate')).toBeVisible()

  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/account')
  await expect(page.getByText('owner@riverside.test')).toBeVisible()
  await page.reload()
  await expect(page.getByText('owner@riverside.test')).toBeVisible()

  await page.getByRole('link', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Studio Login' })).toBeVisible()
})
