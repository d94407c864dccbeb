import { readFile } from 'node:fs/promises'
import papaparse from 'papaparse'
import type { Page } from 'playwright/test'
import { readSheet } from 'read-excel-file/node'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { orderEntryApi } from '#support/journeys/order-entry-api.ts'
import { signIn } from '#support/journeys/sign-in.ts'

test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: false, deviceScaleFactor: 1 })

const reports = '/admin/studios/1/reports'

/** The rows of the report. The table above them, if there is one, has the amounts of the chart. */
const rows = (page: Page) => page.getByRole('table').last().getByRole('row')
const choose = (page: Page, label: string, option: string) =>
  page.getByLabel(label, { exact: true }).selectOption(option)

const chooseExport = async (page: Page, label: string): Promise<void> => {
  await page.getByRole('button', { name: 'Export', exact: true }).tap()
  await page.getByRole('menuitem', { name: label }).tap()
}

/** Saves the report as a file. Returns its name and its bytes. */
const download = async (page: Page, format: 'CSV' | 'Excel (XLSX)') => {
  const started = page.waitForEvent('download')
  await chooseExport(page, format)
  const file = await started
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

test('An owner reads, filters and saves reports, and an administrator reads those of the platform', async ({
  page,
  request,
}) => {
  const { order } = await orderEntryApi(request, 1)
  const [firstNumber, secondNumber] = [await order('standard'), await order('standard')]
  await signIn(page, { email: 'owner@riverside.test', at: reports })

  const total = await test.step('The payments of this month are shown with their total', async () => {
    await expect(rows(page).nth(1)).toContainText(secondNumber)
    await expect(rows(page).nth(2)).toContainText(firstNumber)
    await expect(page.getByRole('columnheader', { name: 'Cash' })).toBeVisible()
    await expect(rows(page).last()).toContainText('Total')
    await checkStaffScreen(page, '240-reports')
    return (await rows(page).last().getByRole('cell').nth(2).textContent()) ?? ''
  })

  await test.step('The files contain the rows, the oldest first, with their details and without columns that were hidden', async () => {
    await page.getByRole('button', { name: 'Columns' }).tap()
    await page.getByRole('checkbox', { name: 'Job' }).uncheck()
    await page.keyboard.press('Escape')
    const csv = await download(page, 'CSV')
    expect(csv.name).toMatch(/^Riverside Portraits – Payments – from \d{4}-\d\d-01 to \d{4}-\d\d-\d\d\.csv$/)
    const csvRows = papaparse.parse<string[]>(csv.bytes.toString().slice(1).trimEnd()).data
    expect(csvRows[0]?.slice(-3)).toEqual(['Platform fee', 'Organization', 'Reference'])
    // Before them are the orders of the demo.
    expect(csvRows.map((row) => row[1]).slice(-3)).toEqual([firstNumber, secondNumber, ''])
    expect(`$${csvRows.at(-1)?.[3]}`).toBe(total.replace(',', ''))
    const sheet = await readSheet((await download(page, 'Excel (XLSX)')).bytes)
    expect(sheet.map((row) => row[1] ?? '').slice(-3)).toEqual([firstNumber, secondNumber, ''])
    expect(sheet[1]?.[0]).toBeInstanceOf(Date)
  })

  await test.step('A search and other dates change the rows, and a reload shows the same', async () => {
    await page.getByRole('searchbox').fill(secondNumber)
    await expect(rows(page)).toHaveCount(2)
    await page.reload()
    await expect(rows(page)).toHaveCount(2)
    await page.getByRole('searchbox').fill('')
    await expect(rows(page).nth(2)).toContainText(firstNumber)
    await choose(page, 'Dates', 'Custom dates')
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await expect(page.getByRole('heading', { name: 'Nothing to show' })).toBeVisible()
    await page.getByRole('button', { name: 'Export', exact: true }).tap()
    await expect(page.getByRole('menuitem', { name: 'CSV' })).toBeDisabled()
    await page.keyboard.press('Escape')
  })

  await test.step('Other reports are shown, with a chart where there are several amounts', async () => {
    await page.goto(`${reports}?report=sales-by-package`)
    await expect(rows(page).filter({ hasText: /^Shipping/ })).toHaveCount(1)
    await expect(page.getByRole('table', { name: 'Chart: ' }).getByRole('row', { name: /Shipping/ })).toHaveCount(1)
    await checkStaffScreen(page, '242-report-chart')
    await page.getByRole('button', { name: 'Hide chart' }).tap()
    await expect(page.getByRole('table', { name: 'Chart: ' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Show chart' }).tap()
    await choose(page, 'Report', 'Yearbook')
    await expect(page.getByRole('heading', { name: 'Choose a job' })).toBeVisible()
    await page.getByRole('combobox', { name: 'Job' }).fill('spring port')
    await checkStaffScreen(page, '248-report-job')
    await page.getByRole('option', { name: 'Spring Portraits 2027' }).tap()
    await expect(rows(page).filter({ hasText: 'Lovelace' })).toHaveCount(1)
  })

  await test.step('The choices are saved under a name, sent each week, and opened again with one tap', async () => {
    await page.goto(`${reports}?report=taxes&period=quarter`)
    await page.getByRole('button', { name: 'Save report' }).tap()
    await page.getByLabel('Name', { exact: true }).fill('Taxes for Monday')
    await choose(page, 'Email', 'Every Sunday, for the week before')
    await checkStaffScreen(page, '243-save-report')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).tap()
    await expect(page.getByRole('button', { name: 'Edit saved report' })).toBeVisible()
    await page.goto(reports)
    await page.getByRole('link', { name: 'Taxes for Monday' }).tap()
    await expect(page.getByLabel('Report', { exact: true })).toHaveValue('taxes')
    await expect(page.getByLabel('Dates', { exact: true })).toHaveValue('quarter')
    await checkStaffScreen(page, '244-saved-reports')
    await choose(page, 'Dates', 'This month')
    await page.getByRole('button', { name: 'Edit saved report' }).tap()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('weekly')
    await expect(page.getByText('June Calloway gets a link by email')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Save the dates and filters that the screen shows now' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).tap()
    await page.goto(reports)
    await page.getByRole('link', { name: 'Taxes for Monday' }).tap()
    await expect(page.getByLabel('Dates', { exact: true })).toHaveValue('month')
  })

  await test.step('A file is made in the background, found again after leaving the screen, and downloaded', async () => {
    await page.goto(`${reports}?report=sales-by-package`)
    await chooseExport(page, 'Large exports')
    await page.getByRole('button', { name: 'Make a file' }).tap()
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
    await page.goto(`${reports}?report=refunds`)
    await chooseExport(page, 'Large exports')
    const file = page.getByRole('dialog').getByRole('listitem')
    await expect(file).toContainText('available until', { timeout: 30_000 })
    await checkStaffScreen(page, '247-report-files')
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      file.getByRole('button', { name: /^Download/ }).tap(),
    ])
    expect(saved.suggestedFilename()).toContain('Sales by package')
    expect(await readFile(await saved.path(), 'utf8')).toContain('Shipping')
    await file.getByRole('button', { name: /^Delete/ }).tap()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
    await expect(file).toHaveCount(0)
  })

  await test.step('Staff without the permission are sent to the home of their studio', async () => {
    await page.goto('/logout')
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await signIn(page, { at: '/admin/studios/1' })
    await page.goto(reports)
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Reports' })).toHaveCount(0)
  })

  await test.step('The platform’s reports add all studios', async () => {
    await page.goto('/logout')
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/reports' })
    await expect(rows(page).filter({ hasText: 'Riverside Portraits' })).toContainText(total)
    await checkStaffScreen(page, '241-platform-reports')
  })
})
