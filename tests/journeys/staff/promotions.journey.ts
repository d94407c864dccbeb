import { readFile } from 'node:fs/promises'
import papaparse from 'papaparse'
import type { Browser, Page } from 'playwright/test'
import { validationMessages } from '#domain/shared/validators.ts'
import { rateMessages } from '#domain/studio/rates.ts'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import {
  addAndSyncPackage,
  fillCardForm,
  fillCheckoutForm,
  pay,
  readOrderNumber,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

const desk = { width: 1280, height: 900 }
test.use({ viewport: desk, hasTouch: false, isMobile: false, deviceScaleFactor: 1 })

/** Checks the screen at all widths, then restores the desktop viewport. */
const checkScreenAtDesk = async (page: Page, name: string): Promise<void> => {
  await checkStaffScreen(page, name)
  await page.setViewportSize(desk)
}

/** A parent orders Package C with a code. Returns the order's number. */
const orderWithCode = async (browser: Browser, baseURL: string, code: string): Promise<string> => {
  const phone = await browser.newContext({ baseURL, viewport: { width: 390, height: 844 } })
  const parent = await phone.newPage()
  await addAndSyncPackage(parent, /Package C/)
  await fillCheckoutForm(parent)
  await parent.getByRole('button', { name: 'Add a promotion code' }).click()
  await parent.getByRole('textbox', { name: 'Promotion code (optional)' }).fill(code.toLowerCase())
  await parent.keyboard.press('Enter')
  await expect(parent.getByText(`Discount (${code})`)).toBeVisible()
  await fillCardForm(parent, testCards.good)
  await pay(parent)
  const orderNumber = await readOrderNumber(parent)
  await phone.close()
  return orderNumber
}

const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })

test('Staff create a coupon code and see what a cart would pay with it', async ({ page }) => {
  await test.step('The demo codes are listed', async () => {
    await signIn(page, { at: '/admin/studios/1/coupon-codes' })
    await expect(page.getByRole('link', { name: 'TAKE5' })).toBeVisible()
    await checkScreenAtDesk(page, '240-coupon-codes')
    await page.getByRole('link', { name: 'New coupon code' }).click()
  })

  await test.step('A code that is taken and a wrong percentage are marked at their fields', async () => {
    await codeField(page).fill('save10')
    await page.getByRole('spinbutton', { name: 'Percent' }).fill('120')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText(rateMessages.percent)).toBeVisible()
    await page.getByRole('spinbutton', { name: 'Percent' }).fill('25')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(codeField(page)).toHaveAccessibleDescription(/The studio already has a coupon code with this code/)
  })

  await test.step('The code is created, and the preview shows its discount', async () => {
    await codeField(page).fill('quarter')
    await page.getByRole('spinbutton', { name: 'Uses in all' }).fill('1')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { name: 'QUARTER' })).toBeVisible()
    await page.getByRole('button', { name: 'Show the price' }).click()
    await expect(page.getByRole('status', { name: 'Price of the sample cart' })).toContainText('$37.50')
    await checkScreenAtDesk(page, '241-coupon-code')
  })
})

test('Staff create a promotion of a job with an amount and days, and duplicate it', async ({ page }) => {
  await signIn(page, { at: '/admin/studios/1/jobs/1/promotions' })
  await expect(page.getByRole('heading', { name: 'No promotions yet' })).toBeVisible()
  await page.getByRole('link', { name: 'New promotion' }).first().click()
  await codeField(page).fill('GRADE3')
  await page.getByRole('combobox', { name: 'Discount' }).selectOption('An amount in dollars')
  await page.getByRole('spinbutton', { name: 'Amount, $' }).fill('7.5')
  await page.getByLabel('Last day').fill('2099-12-31')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'GRADE3' })).toBeVisible()
  await checkScreenAtDesk(page, '243-job-promotion')
  await page.getByRole('link', { name: 'Promotions' }).last().click()
  await expect(page.getByRole('row', { name: /GRADE3/ })).toContainText('Until 12/31/2099')
  await checkScreenAtDesk(page, '242-job-promotions')
  await test.step('It is duplicated, and the copy is off', async () => {
    await page.getByRole('button', { name: 'Actions for GRADE3' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await expect(page.getByRole('heading', { name: 'GRADE3-2' })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Switched on' })).not.toBeChecked()
  })
})

test('Staff generate single-use codes for one package and download them, and a parent uses one', async ({
  page,
  browser,
  product,
}) => {
  await test.step('The promotion is created', async () => {
    await signIn(page, { at: '/admin/studios/1/coupon-codes/new' })
    await codeField(page).fill('spring')
    await page.getByRole('radio', { name: 'A code for each customer' }).check()
    await page.getByRole('spinbutton', { name: 'Percent' }).fill('50')
    await page.getByRole('combobox', { name: 'Applies to' }).selectOption('Chosen packages only')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText(validationMessages.requiredList)).toBeVisible()
    await page
      .getByRole('group', { name: 'Packages' })
      .getByRole('checkbox', { name: /^Package C / })
      .check()
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { name: 'SPRING' })).toBeVisible()
  })

  const code = await test.step('500 codes are generated and downloaded', async () => {
    await page.getByRole('spinbutton', { name: 'How many more' }).fill('500')
    await page.getByRole('button', { name: 'Generate codes' }).click()
    const downloadButton = page.getByRole('button', { name: 'Download 500 codes (CSV)' })
    await expect(downloadButton).toBeVisible()
    const downloaded = page.waitForEvent('download')
    await downloadButton.click()
    const download = await downloaded
    expect(download.suggestedFilename()).toBe('SPRING-codes.csv')
    const { data } = papaparse.parse<{ Code: string; Order: string }>(await readFile(await download.path(), 'utf8'), {
      header: true,
    })
    expect(new Set(data.map((row) => row.Code)).size).toBe(500)
    expect(data.every((row) => row.Order === '')).toBe(true)
    return data[0]?.Code ?? ''
  })

  const orderNumber = await orderWithCode(browser, product.url, code)
  await page.reload()
  const use = page.getByRole('region', { name: 'Uses' }).getByRole('row', { name: new RegExp(orderNumber) })
  await expect(use).toContainText(code)
})
