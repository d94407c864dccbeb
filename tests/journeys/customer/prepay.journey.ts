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

const heading = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name, exact: typeof name === 'string' })).toBeVisible()

const typeName = async (page: Page, firstName: string, lastName: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'First name' }).fill(firstName)
  await page.getByRole('textbox', { name: 'Last name' }).fill(lastName)
}

/** Chooses the first package and opens its first customization step. */
const chooseFirst = async (page: Page): Promise<void> => {
  const first = page.getByRole('button', { name: /^Choose: / }).first()
  await first.click()
  await page.getByRole('button', { name: 'Next' }).click()
  await heading(page, 'Make it yours')
}

/** Waits until the job's packages and custom fields are cached. */
const untilEventIsWarm = async (page: Page): Promise<void> => {
  await waitForServiceWorker(page)
  const { jobId } = idsInUrl(page)
  const wanted = [`/api/customer/jobs/${jobId}/packages?orderMethod=prepay`, `/api/customer/jobs/${jobId}/fields`]
  const missing = () =>
    page.evaluate(async (addresses) => {
      const kept = await Promise.all(addresses.map((address) => caches.match(address, { ignoreVary: true })))
      return addresses.filter((_, index) => !kept[index])
    }, wanted)
  await expect.poll(missing).toEqual([])
}

/** Publishes two of the demo's images as Juno's, as after the picture day. */
const photograph = (dataDir: string): Promise<void> =>
  changeProductData(dataDir, async (db) => {
    const juno = db.selectFrom('subjects').select(['id', 'job_id']).where('first_name', '=', 'Juno')
    const { id, job_id } = await juno.executeTakeFirstOrThrow()
    const own = db
      .selectFrom('image_lookups')
      .select('id')
      .where('kind', '=', 'hosted-individual')
      .orderBy('id')
      .limit(2)
    await db.updateTable('image_lookups').set({ subject_id: id, job_id }).where('id', 'in', own).execute()
  })

test('A child typed in before the picture day, without a network up to paying; then ordered', async ({
  page,
  context,
  site,
}) => {
  await openJob(page, 'PREPAY')
  await heading(page, 'Who are you ordering for?')
  await expect(page.getByRole('combobox', { name: 'Grade' })).toBeVisible()
  const { jobId } = idsInUrl(page)
  await untilEventIsWarm(page)

  await test.step('what is typed is kept, and what is required is asked for', async () => {
    await typeName(page, 'Juno', 'Marlow')
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Juno')
    await page.getByRole('button', { name: 'See the packages' }).click()
    await expect(page.getByText('This field is required')).toHaveCount(2)
    await expect(page.getByRole('combobox', { name: 'Grade' })).toBeFocused()
    await fillJobFields(page)
    await page.getByRole('button', { name: 'See the packages' }).click()
    await heading(page, 'Juno Marlow')
    await expect(page).toHaveURL(`/riverside/${jobId}/subject/-1/select-package`)
  })

  await test.step('a package, offline, with the name on it already', async () => {
    await page.reload()
    await chooseFirst(page)
    await expect(page.getByRole('textbox', { name: /^Name/ }).first()).toHaveValue('Juno Marlow')
    await addToCart(page)
    await expect(page.getByRole('heading', { level: 2, name: 'Juno Marlow' })).toBeVisible()
    await expect(cartLine(page, /Package/)).toBeVisible()
    await expect(cartStatus(page)).toContainText(savedOnDevice)
  })

  await test.step('a name put right is right on the print too', async () => {
    await page.getByRole('link', { name: 'Edit Juno', exact: true }).click()
    await heading(page, 'About Juno')
    await checkScreen(page, '57-typed-person')
    await page.getByRole('textbox', { name: 'Last name' }).fill('Marlowe')
    await page.getByRole('button', { name: 'Save' }).click()
    await heading(page, 'Cart')
    await expect(page.getByRole('heading', { level: 2, name: 'Juno Marlowe' })).toBeVisible()
    await expect(
      cartLine(page, /Package/)
        .getByRole('definition')
        .first(),
    ).toHaveText('Juno Marlowe')
  })

  await test.step('another package for the same child, and who is known here', async () => {
    await page.getByRole('link', { name: 'Add another package for Juno' }).click()
    await heading(page, 'Juno Marlowe')
    await page.goto(`/riverside/${jobId}/search`)
    await expect(page.getByRole('link', { name: /^Juno Marlowe/ })).toBeVisible()
    await checkScreen(page, '58-typed-people')
    await page.goto(`/riverside/${jobId}/subject/-9/select-package`)
    await expect(page).toHaveURL(`/riverside/${jobId}/search`)
    await expect(page.getByText('This phone does not know that person').first()).toBeVisible()
  })

  await test.step('the same package for a brother typed in, with his own name on it', async () => {
    await page.goto(`/riverside/${jobId}/search`)
    await page.getByRole('button', { name: 'Type in another person' }).click()
    await typeName(page, 'Pip', 'Marlowe')
    await fillJobFields(page)
    await page.getByRole('button', { name: 'See the packages' }).click()
    await heading(page, 'Pip Marlowe')
    await page.goto(`/riverside/${jobId}/cart`)
    await page.getByRole('button', { name: /^Same for …/ }).click()
    await page.getByRole('link', { name: 'Pip Marlowe' }).click()
    await heading(page, 'Make it yours')
    await expect(page.getByText('As for Juno. Look it over, then add it.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: /^Name/ }).first()).toHaveValue('Pip Marlowe')
    await addToCart(page)
    const his = page.getByRole('region', { name: 'Pip Marlowe' })
    await expect(cartStatus(page)).toContainText(savedOnDevice)
    await his.getByRole('button', { name: /^Remove/ }).click()
    await expect(page.getByText(/ removed$/)).toBeVisible()
  })

  await test.step('the network is back: sent, asked no more, and paid', async () => {
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
    await expect(page.getByText('We will write to you when the pictures are there.')).toBeVisible()
    await checkScreen(page, '60-typed-ordered')
  })

  await test.step('once the pictures are out, they are chosen on the same phone', async () => {
    const order = new URL(page.url()).pathname
    await site.stop()
    await photograph(site.dataDir)
    await site.start()
    await page.goto(`${order}/pictures`)
    await heading(page, 'Choose the pictures')
    await expect(page.getByRole('radio').first()).toBeVisible()
    await expectImagesLoaded(page)
    await checkScreen(page, '61-choose-pictures')
    await page.getByRole('radio').nth(1).check()
    await expect(page.getByText('Saved on this phone')).toBeVisible()
    await context.setOffline(true)
    await page.reload()
    await heading(page, 'Choose the pictures')
    await expect(page.getByRole('radio').nth(1)).toBeChecked()
    await expectImagesLoaded(page)
    await page.getByRole('button', { name: 'Save the pictures' }).click()
    await expect(page.getByText('What you chose is kept on this phone.').first()).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Save the pictures' }).click()
    await expect(page).toHaveURL(order)
    await expect(page.getByRole('link', { name: 'Change the pictures' })).toBeVisible()
    await expectImagesLoaded(page)
    await checkScreen(page, '62-pictures-chosen')
  })
})

test('A prepay cart stays readable next to the gallery cart of the same job', async ({ page, request, site }) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  const call = await staffApi(request, jobId)
  const orderOnly = async (orderMethod: 'prepay' | 'gallery') => {
    const change = async (part: 'preorder' | 'gallery', own: object) => {
      const { version } = await call('GET', 'settings')
      await call('PATCH', `settings/${part}`, { version, ...own })
    }
    await change('preorder', { enabled: orderMethod === 'prepay', importedData: true })
    await change('gallery', { enabled: orderMethod === 'gallery' })
  }
  const before = page.getByRole('region', { name: 'Chosen before the pictures' })

  await test.step('a package is chosen while only ordering before the pictures is open', async () => {
    await orderOnly('prepay')
    await page.goto('/riverside/code/ADALVL')
    await page.reload()
    await chooseFirst(page)
    await addToCart(page)
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    expect((await fetchCart(page, jobId, 'prepay')).cartPackages).toHaveLength(1)
  })

  await test.step('the studio ends that and opens the gallery: the cart is still there, with the reason', async () => {
    await orderOnly('gallery')
    await page.reload()
    await expect(before).toContainText('Ordering has ended')
    await expect(before).toContainText('for Ada')
    await expect(page.getByRole('heading', { name: 'Your new cart is empty' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cart, 0 packages' })).toBeVisible()
    await checkScreen(page, '63-closed-cart')
    await page.goto('/riverside')
    await page.getByRole('link', { name: 'Go to your cart (1 package)' }).click()
    await expect(before).toBeVisible()
  })

  await test.step('a package from the pictures goes into a cart of its own, which alone is paid', async () => {
    await openAda(page)
    await choosePackage(page, /Package B/)
    await addToCart(page)
    await expect(cartLine(page, /Package B/)).toBeVisible()
    await expect(before).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cart, 1 package' })).toBeVisible()
    await checkScreen(page, '64-closed-cart-beside-open')
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.good)
    await pay(page)
    await readOrderNumber(page)
    await page.goto(`/riverside/${jobId}/cart`)
    await expect(before).toContainText('for Ada')
  })
  expect(site.errors()).toEqual([])
})
