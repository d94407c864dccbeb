import type { Page } from 'playwright/test'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartLine,
  cartStatus,
  choosePackage,
  expectImagesLoaded,
  fetchCart,
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
  savedOnDevice,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, waitForServiceWorker } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { staffApi } from '#support/journeys/staff-api.ts'
import { changeProductData } from '#support/product/product-database.ts'

const expectHeading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name, exact: typeof name === 'string' })).toBeVisible()

const typeName = async (page: Page, firstName: string, lastName: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'First name' }).fill(firstName)
  await page.getByRole('textbox', { name: 'Last name' }).fill(lastName)
}

/** Chooses the first package and opens its first customization step. */
const chooseFirstPackage = async (page: Page): Promise<void> => {
  const chooseButton = page.getByRole('button', { name: /^Choose: / }).first()
  await chooseButton.click()
  await expectHeading(page, 'Make it yours')
  await openPrints(page)
}

/** Waits until the job's packages and custom fields are cached. */
const waitUntilOffersCached = async (page: Page): Promise<void> => {
  await waitForServiceWorker(page)
  const { jobId } = idsInUrl(page)
  const offerUrls = [`/api/customer/jobs/${jobId}/packages?orderMethod=prepay`, `/api/customer/jobs/${jobId}/fields`]
  const findUncached = () =>
    page.evaluate(async (urls) => {
      const responses = await Promise.all(urls.map((url) => caches.match(url, { ignoreVary: true })))
      return urls.filter((_, index) => !responses[index])
    }, offerUrls)
  await expect.poll(findUncached).toEqual([])
}

/** Assigns two of the demo's images to Juno, as after picture day. */
const assignImages = (dataDir: string): Promise<void> =>
  changeProductData(dataDir, async (db) => {
    const juno = db.selectFrom('subjects').select(['id', 'job_id']).where('first_name', '=', 'Juno')
    const { id, job_id } = await juno.executeTakeFirstOrThrow()
    const imageIds = db
      .selectFrom('image_lookups')
      .select('id')
      .where('kind', '=', 'hosted-individual')
      .orderBy('id')
      .limit(2)
    await db.updateTable('image_lookups').set({ subject_id: id, job_id }).where('id', 'in', imageIds).execute()
  })

test('A parent orders offline for a typed child, pays online, and chooses the photos later', async ({
  page,
  context,
  site,
}) => {
  await openJob(page, 'PREPAY')
  await expectHeading(page, 'Who are you ordering for?')
  await expect(page.getByRole('combobox', { name: 'Grade' })).toBeVisible()
  const { jobId } = idsInUrl(page)
  await waitUntilOffersCached(page)

  await test.step('Typed fields survive an offline reload, and missing fields are marked', async () => {
    await typeName(page, 'Juno', 'Marlow')
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Juno')
    await page.getByRole('button', { name: 'See the packages' }).click()
    await expect(page.getByText('This field is required')).toHaveCount(2)
    await expect(page.getByRole('combobox', { name: 'Grade' })).toBeFocused()
    await fillJobFields(page)
    await page.getByRole('button', { name: 'See the packages' }).click()
    await expectHeading(page, 'Juno Marlow')
    await expect(page).toHaveURL(`/riverside/${jobId}/subject/-1/select-package`)
  })

  await test.step('A package added offline has the child’s name on it', async () => {
    await page.reload()
    await chooseFirstPackage(page)
    await expect(page.getByRole('textbox', { name: /^Name/ }).first()).toHaveValue('Juno Marlow')
    await addToCart(page)
    await expect(page.getByRole('heading', { level: 2, name: 'Juno Marlow' })).toBeVisible()
    await expect(cartLine(page, /Package/)).toBeVisible()
    await expect(cartStatus(page)).toContainText(savedOnDevice)
  })

  await test.step('A corrected name is corrected on the print too', async () => {
    await page.getByRole('link', { name: 'Edit Juno', exact: true }).click()
    await expectHeading(page, 'About Juno')
    await checkScreen(page, '57-typed-person')
    await page.getByRole('textbox', { name: 'Last name' }).fill('Marlowe')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectHeading(page, 'Cart')
    await expect(page.getByRole('heading', { level: 2, name: 'Juno Marlowe' })).toBeVisible()
    await expect(
      cartLine(page, /Package/)
        .getByRole('definition')
        .first(),
    ).toHaveText('Juno Marlowe')
  })

  await test.step('Another package can be added for a typed child, and an unknown child leads to the search', async () => {
    await page.getByRole('link', { name: 'Add another package for Juno' }).click()
    await expectHeading(page, 'Juno Marlowe')
    await page.goto(`/riverside/${jobId}/search`)
    await expect(page.getByRole('link', { name: /^Juno Marlowe/ })).toBeVisible()
    await checkScreen(page, '58-typed-people')
    await page.goto(`/riverside/${jobId}/subject/-9/select-package`)
    await expect(page).toHaveURL(`/riverside/${jobId}/search`)
    await expect(page.getByText('That child isn’t on this phone').first()).toBeVisible()
  })

  await test.step('The package is copied for a typed brother, with his name on it', async () => {
    await page.goto(`/riverside/${jobId}/search`)
    await page.getByRole('button', { name: 'Add another child' }).click()
    await typeName(page, 'Pip', 'Marlowe')
    await fillJobFields(page)
    await page.getByRole('button', { name: 'See the packages' }).click()
    await expectHeading(page, 'Pip Marlowe')
    await page.goto(`/riverside/${jobId}/cart`)
    await page.getByRole('button', { name: /^Copy for …/ }).click()
    await page.getByRole('link', { name: 'Pip Marlowe' }).click()
    await expectHeading(page, 'Make it yours')
    await expect(page.getByText('Copied from Juno. Check it, then add it.')).toBeVisible()
    await openPrints(page)
    await expect(page.getByRole('textbox', { name: /^Name/ }).first()).toHaveValue('Pip Marlowe')
    await addToCart(page)
    const brotherSection = page.getByRole('region', { name: 'Pip Marlowe' })
    await expect(cartStatus(page)).toContainText(savedOnDevice)
    await brotherSection.getByRole('button', { name: /^Remove/ }).click()
    await expect(page.getByText(/ removed$/)).toBeVisible()
  })

  await test.step('Once the network is back, the cart is sent and the order is paid', async () => {
    await page.goto(`/riverside/${jobId}/cart`)
    await expect(cartLine(page, /Package/)).toBeVisible()
    await expect(cartStatus(page)).toContainText(savedOnDevice)
    await context.setOffline(false)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    const [line] = (await fetchCart(page, jobId, 'prepay')).cartPackages
    expect(line?.dataFields.map(({ name, value }) => [name, value])).toContainEqual(['Teacher', 'Ms. Alvarez'])
    await checkScreen(page, '59-typed-cart')
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.good)
    await pay(page)
    await readOrderNumber(page)
    await expect(page.getByText('We’ll email you when they’re ready.')).toBeVisible()
    await checkScreen(page, '60-typed-ordered')
  })

  await test.step('Once the images are published, they are chosen on the same phone', async () => {
    const order = new URL(page.url()).pathname
    await site.stop()
    await assignImages(site.dataDir)
    await site.start()
    await page.goto(`${order}/images`)
    await expectHeading(page, 'Choose your photos')
    await expect(page.getByRole('radio').first()).toBeVisible()
    await expectImagesLoaded(page)
    await checkScreen(page, '61-choose-images')
    await page.getByRole('radio').nth(1).check()
    await expect(page.getByText('Saved on this phone')).toBeVisible()
    await context.setOffline(true)
    await page.reload()
    await expectHeading(page, 'Choose your photos')
    await expect(page.getByRole('radio').nth(1)).toBeChecked()
    await expectImagesLoaded(page)
    await page.getByRole('button', { name: 'Save photos' }).click()
    await expect(page.getByText('What you chose is saved on this phone.').first()).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Save photos' }).click()
    await expect(page).toHaveURL(order)
    await expect(page.getByRole('link', { name: 'Change your photos' })).toBeVisible()
    await expectImagesLoaded(page)
    await checkScreen(page, '62-images-chosen')
  })
})

test('A closed prepay cart can be read next to the gallery cart of the same job', async ({ page, request, site }) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  const call = await staffApi(request, jobId)
  const openOnly = async (orderMethod: 'prepay' | 'gallery') => {
    const changeSettings = async (part: 'preorder' | 'gallery', values: object) => {
      const { version } = await call('GET', 'settings')
      await call('PATCH', `settings/${part}`, { version, ...values })
    }
    await changeSettings('preorder', { enabled: orderMethod === 'prepay', importedData: true })
    await changeSettings('gallery', { enabled: orderMethod === 'gallery' })
  }
  const prepayCart = page.getByRole('region', { name: 'Chosen before picture day' })

  await test.step('A package is added while only prepay orders are open', async () => {
    await openOnly('prepay')
    await page.goto('/riverside/code/ADALVL')
    await page.reload()
    await chooseFirstPackage(page)
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    expect((await fetchCart(page, jobId, 'prepay')).cartPackages).toHaveLength(1)
  })

  await test.step('After the studio switches to gallery orders, the prepay cart is shown with the reason', async () => {
    await openOnly('gallery')
    await page.reload()
    await expect(prepayCart).toContainText('Ordering has ended')
    await expect(prepayCart).toContainText('for Ada')
    await expect(page.getByRole('heading', { name: 'Your new cart is empty' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cart, 0 packages' })).toBeVisible()
    await checkScreen(page, '63-closed-cart')
    await page.goto('/riverside')
    await page.getByRole('link', { name: 'Go to your cart (1 package)' }).click()
    await expect(prepayCart).toBeVisible()
  })

  await test.step('A gallery package goes into a separate cart, and only that cart is paid', async () => {
    await openAda(page)
    await choosePackage(page, /Package B/)
    await addToCart(page)
    await expect(cartLine(page, /Package B/)).toBeVisible()
    await expect(prepayCart).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cart, 1 package' })).toBeVisible()
    await checkScreen(page, '64-closed-cart-beside-open')
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.good)
    await pay(page)
    await readOrderNumber(page)
    await page.goto(`/riverside/${jobId}/cart`)
    await expect(prepayCart).toContainText('for Ada')
  })
  expect(site.errors()).toEqual([])
})
