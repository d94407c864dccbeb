import type { Page } from 'playwright/test'
import { postPersonalization } from '#contract/customer/job-offers.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import {
  addToCart,
  cartStatus,
  choosePackage,
  fetchCart,
  fetchOrder,
  fillCardForm,
  fillCheckoutForm,
  fillJobFields,
  idsInUrl,
  openAda,
  openJob,
  readOrderNumber,
  savedAtServer,
  savedOnDevice,
  searchSubject,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

/** The first amount in a text, in cents. */
const centsIn = (text: string): number => Number(/\$([\d,]+\.\d\d)/.exec(text)?.[1]?.replace(/[,.]/g, ''))

const readCartTotal = async (page: Page): Promise<number> =>
  centsIn(await page.getByRole('region', { name: 'Next step' }).innerText())

/** Reads the amounts of the bill, in cents by their names. */
const readBill = async (page: Page): Promise<Record<string, number>> => {
  const rows = await page.locator('dl', { hasText: 'Packages' }).locator('div').allInnerTexts()
  return Object.fromEntries(rows.map((row) => [row.split('\n')[0], centsIn(row)]))
}

test('Retouching of one photo, name and year are priced to the cent from the cart to the paid order', async ({
  page,
  context,
}) => {
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  const packageCents = await readCartTotal(page)

  await test.step('Offline, the cart’s total follows each choice of a service', async () => {
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Retouching, name and year for Ada' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Retouching, name and year')
    const photo = page.getByRole('group', { name: 'Photo 1' })
    await photo.getByRole('radio', { name: /Basic retouching/ }).check()
    await expect.poll(() => readCartTotal(page)).toBe(packageCents + 800)
    await photo.getByRole('radio', { name: /Premium retouching/ }).check()
    await expect.poll(() => readCartTotal(page)).toBe(packageCents + 1500)
    await expect(cartStatus(page)).toContainText(savedOnDevice)
    await page.getByRole('checkbox', { name: /^Name and year/ }).check()
    await expect.poll(() => readCartTotal(page)).toBe(packageCents + 2500)
    await expect(page.getByRole('textbox', { name: 'Name to print' })).toHaveValue('Ada Lovelace')
    await expect(page.getByRole('textbox', { name: 'Year to print' })).toHaveValue('2027')
    await expect(page.getByRole('checkbox', { name: 'Name on all prints' })).toBeChecked()
    await expect(page.getByRole('checkbox', { name: 'Name on wallet prints' })).not.toBeChecked()
  })

  await page.getByRole('textbox', { name: 'Name to print' }).fill('')
  await expect(page.getByText('This field is required')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name to print' }).fill('Ada 😀')
  await expect(page.getByText('The print can’t show “😀”')).toBeVisible()
  await expect(page.getByText(/^Your cart still has “Ada Lovelace”/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Name to print' }).fill('Ada L.')
  await page.getByRole('checkbox', { name: 'Year on wallet prints' }).check()
  await context.setOffline(false)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Name to print' })).toHaveValue('Ada L.')
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await expect(page.getByRole('list', { name: 'Services for Ada' })).toContainText(
    /Premium retouching.*Photo 1.*“Ada L.” on all prints, “\d{4}” on all prints and wallet prints/s,
  )
  expect(await readCartTotal(page)).toBe(packageCents + 2500)

  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByRole('heading', { name: 'Review your order' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeEnabled()
  const bill = await readBill(page)
  expect(bill).toMatchObject({ Packages: packageCents, Services: 2500 })
  const { Total: total = 0, ...amounts } = bill
  expect(Object.values(amounts).reduce((sum, cents) => sum + cents, 0)).toBe(total)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  const number = await readOrderNumber(page)
  await expect(page.getByRole('heading', { name: 'What you ordered' })).toBeVisible()
  expect(await readBill(page)).toEqual(bill)
  const order = await fetchOrder(page, jobId, number)
  expect(
    order.lines.slice(-2).map(({ packageName, subjectName, totalCents }) => [packageName, subjectName, totalCents]),
  ).toEqual([
    ['Premium retouching', 'Ada Lovelace', 1500],
    ['Name and year', 'Ada Lovelace', 1000],
  ])
  expect(order.totals.totalCents).toBe(total)
})

test('Name and year can be printed only where the job offers it', async ({ page }) => {
  await openJob(page, 'PREPAY')
  await page.getByRole('button', { name: 'Find my child on the list' }).click()
  await searchSubject(page, 'A', 'mitchell')
  await page.getByRole('button', { name: /Ava Mitchell/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'About Ava' })).toBeVisible()
  await fillJobFields(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ava Mitchell' })).toBeVisible()
  const { jobId, subjectId } = idsInUrl(page)
  await page
    .getByRole('button', { name: /^Choose: / })
    .first()
    .click()
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await page.getByRole('link', { name: 'Name and year for Ava' }).click()
  await page.getByRole('checkbox', { name: /^Name and year/ }).check()
  await expect(page.getByRole('checkbox', { name: 'Year on all prints' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: /wallet prints/ })).toHaveCount(0)
  // The page may still show the saved status of the package, so this waits for the server's cart.
  const readPersonalizations = async () =>
    (await fetchCart(page, jobId, 'prepay')).cartOrderServicesDetails.personalizations
  await expect.poll(async () => (await readPersonalizations()).length).toBe(1)
  const [personalization] = await readPersonalizations()
  const { nameToPrint = '', yearToPrint = '', orderServiceId = 0 } = personalization ?? {}
  const printLocations = { nameOnWallets: true, nameOnAllPrints: false, yearOnWallets: false, yearOnAllPrints: false }
  const response = await page.request.post(postPersonalization.path.replace(':jobId', String(jobId)), {
    headers: { 'idempotency-key': crypto.randomUUID() },
    data: { subjectId, orderServiceId, nameToPrint, yearToPrint, ...printLocations },
  })
  expect(response.status()).toBe(422)
  expect((await response.json()).errors).toEqual(['Name and year can’t be printed there at this event'])
})
