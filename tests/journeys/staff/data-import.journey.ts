import { expect, type Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { test } from '#support/journeys/journey-test.ts'

const tablet = { width: 1024, height: 768 }
test.use({ viewport: tablet, hasTouch: true, isMobile: false, deviceScaleFactor: 1 })

const subjectCount = 300

/** A school's list with a title row, semicolons, full names in one column, a duplicate, a row without a name, and a total. */
const list = [
  'Lincoln Elementary;;;;',
  'Student;Student ID;Homeroom;Grade;Bus',
  ...Array.from(
    { length: subjectCount },
    (_, n) => `Family${n}, Child;${String(n).padStart(5, '0')};Room ${n % 12};${n % 6};${n % 4}`,
  ),
  'Family7, Child;00007;Room 7;1;3',
  ';00999;Room 1;1;',
  'Total students;300;;;',
].join('\r\n')

const csvFile = { name: 'lincoln.csv', mimeType: 'text/csv', buffer: Buffer.from(list) }
const xlsFile = {
  name: 'lincoln.xls',
  mimeType: 'application/vnd.ms-excel',
  buffer: Buffer.from('d0cf11e0a1b11ae1', 'hex'),
}

const signIn = async (page: Page, path: string): Promise<void> => {
  await page.goto(path)
  await page.getByRole('textbox', { name: 'Email' }).fill('staff@riverside.test')
  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
}

const checkTabletScreen = async (page: Page, name: string): Promise<void> => {
  await checkStaffScreen(page, name)
  await page.setViewportSize(tablet)
}

const listInput = (page: Page) => page.getByLabel(/Choose a list/)

test('A school’s list of 300 subjects is uploaded, checked, imported, and undone', async ({ page }) => {
  await signIn(page, '/admin/studios/1/jobs/1/data-import')
  await expect(page.getByRole('heading', { name: 'Data import', level: 1 })).toBeVisible()
  await expect(page.getByText('No lists yet')).toBeVisible()

  await test.step('A file that cannot be read is rejected with a reason and a remedy', async () => {
    await listInput(page).setInputFiles(xlsFile)
    await expect(page.getByText('lincoln.xls was not accepted')).toBeVisible()
    await expect(page.getByText('This is an Excel file from before 2007 (.xls). Save it as .xlsx or CSV')).toBeVisible()
    await checkTabletScreen(page, '70-import')
  })

  await test.step('Columns are recognized, and a changed column is still set after leaving the screen', async () => {
    await listInput(page).setInputFiles(csvFile)
    await expect(page.getByRole('heading', { name: 'lincoln.csv' })).toBeVisible()
    await expect(page.getByLabel('“Student” is')).toHaveValue('fullName')
    await expect(page.getByLabel('“Student ID” is')).toHaveValue('reference')
    await expect(page.getByLabel('“Homeroom” is')).toHaveValue('group')
    await expect(page.getByLabel('“Grade” is')).toHaveValue('field')
    await expect(page.getByLabel('Header row')).toHaveValue('2')
    await checkTabletScreen(page, '71-import-columns')
    await page.getByLabel('“Student” is').selectOption('ignore')
    await page.getByRole('button', { name: 'Preview' }).tap()
    await expect(page.getByText('Please choose the column with the names')).toBeVisible()
    await page.getByLabel('“Student” is').selectOption('fullName')
    await page.getByLabel('“Bus” is').selectOption('ignore')
    await page.getByRole('link', { name: 'Import', exact: true }).tap()
    await page.getByRole('link', { name: 'lincoln.csv' }).tap()
    await expect(page.getByLabel('“Bus” is')).toHaveValue('ignore')
  })

  await test.step('The preview shows the result of each row', async () => {
    await page.getByRole('button', { name: 'Preview' }).tap()
    await expect(page.getByText('300 people will be added; 1 row is refused and left out.')).toBeVisible()
    await expect(page.getByText('1–50 of 303')).toBeVisible()
    await page.getByRole('button', { name: 'Refused 1' }).tap()
    await expect(page.getByText('There is no name in this row')).toBeVisible()
    await page.getByRole('button', { name: 'Skipped 2' }).tap()
    await expect(page.getByText('The same as row 10')).toBeVisible()
    await expect(page.getByText('This looks like a total')).toBeVisible()
    await page.getByRole('button', { name: 'All 303' }).tap()
    await checkTabletScreen(page, '72-import-preview')
  })

  await test.step('The import runs in the background and is listed afterwards', async () => {
    await page.getByRole('button', { name: 'Import 300 people' }).tap()
    await expect(page.getByText('The list is imported')).toBeVisible()
    await page.reload()
    await expect(page.getByText('300 added, 2 skipped, 1 refused')).toBeVisible()
    await checkTabletScreen(page, '73-import-done')
    await page.getByRole('link', { name: 'Import', exact: true }).tap()
    await expect(page.getByRole('row', { name: /lincoln\.csv Done/ })).toBeVisible()
    await checkTabletScreen(page, '74-imports')
    await page.getByRole('link', { name: 'lincoln.csv' }).tap()
  })

  await test.step('The import is undone', async () => {
    await page.getByRole('button', { name: 'Undo this import' }).tap()
    await expect(page.getByText('300 people this import added will be removed')).toBeVisible()
    await page.getByRole('button', { name: 'Undo import' }).tap()
    await expect(page.getByText('The import was undone')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Undone 300' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Undo this import' })).toBeHidden()
  })
})
