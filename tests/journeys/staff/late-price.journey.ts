import { formatDate } from '#domain/shared/dates.ts'
import { addDaysTo } from '#domain/shared/wall-clock.ts'
import { checkScreen, checkStaffScreen } from '#support/browser/screen-checks.ts'
import {
  addAndSyncPackage,
  fillCardForm,
  fillCheckoutForm,
  openAda,
  pay,
  readOrderNumber,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

const today = new Date().toISOString().slice(0, 10)
const desk = { width: 1280, height: 900 }
test.use({ viewport: desk, hasTouch: false, isMobile: false, deviceScaleFactor: 1 })

test('Staff let a job go on selling at a late price with an automatic promotion, and parents see both before they pay', async ({
  page,
  browser,
  baseURL,
}) => {
  const phone = await browser.newContext({ ...(baseURL && { baseURL }), viewport: { width: 390, height: 844 } })
  const parent = await phone.newPage()
  const lastDayField = page.getByLabel('Last day to order')
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  }

  await test.step('Staff create an automatic promotion of the job', async () => {
    await signIn(page, { at: '/admin/studios/1/jobs/1/promotions/new' })
    await page.getByRole('radio', { name: 'Automatic, without a code' }).check()
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('early-bird')
    await page.getByRole('spinbutton', { name: 'Percent' }).fill('10')
    await page.getByRole('checkbox', { name: 'Combine with other promotions' }).check()
    await checkStaffScreen(page, '244-automatic-promotion')
    await page.setViewportSize(desk)
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { name: 'EARLY-BIRD' })).toBeVisible()
  })

  await test.step('Staff choose a late price, which needs a percentage', async () => {
    await page.goto('/admin/studios/1/jobs/1/settings/general')
    await lastDayField.fill(addDaysTo(today, 3))
    await page.getByRole('combobox', { name: 'After that day' }).selectOption('Orders cost a percentage more')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Enter a percentage from 0.01 to 100, with at most two decimals')).toBeVisible()
    await page.getByRole('spinbutton', { name: 'Late fee, %' }).fill('10')
    await checkStaffScreen(page, '245-late-price-settings')
    await page.setViewportSize(desk)
    await save()
  })

  await test.step('Parents read before that day that prices go up', async () => {
    await openAda(parent)
    await expect(parent.getByText(`Prices go up 10% after ${formatDate(addDaysTo(today, 3))}`)).toBeVisible()
    await checkScreen(parent, '246-prices-go-up')
  })

  await test.step('After that day they read that the late price is added, and see it in the totals', async () => {
    await lastDayField.fill(addDaysTo(today, -2))
    await save()
    await parent.reload()
    await expect(parent.getByText('Late price: 10% is added to your order at checkout')).toBeVisible()
    await checkScreen(parent, '247-late-price-note')
    await addAndSyncPackage(parent, /Package C/)
    await fillCheckoutForm(parent)
    const bill = parent.getByRole('region', { name: 'Order total' })
    await expect(bill.getByText('Discount (EARLY-BIRD)')).toBeVisible()
    await expect(bill.getByText('Late price')).toBeVisible()
    await checkScreen(parent, '248-late-price-total')
    await fillCardForm(parent, testCards.good)
    await pay(parent)
    await readOrderNumber(parent)
    await expect(parent.getByText('Discount (EARLY-BIRD)')).toBeVisible()
    await expect(parent.getByText('Late price')).toBeVisible()
  })
  await phone.close()
})
