import type { Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expectImagesLoaded, openAda } from '#support/journeys/customer-steps.ts'
import { allowPageErrors, expect, missingImageErrors, test } from '#support/journeys/journey-test.ts'

const tablet = { width: 1024, height: 768 }
const desk = { width: 1280, height: 800 }

test.use({ viewport: tablet, hasTouch: true, isMobile: false })

const signIn = async (page: Page): Promise<void> => {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill('staff@riverside.test')
  await page.getByRole('textbox', { name: 'Password' }).fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).not.toHaveURL(/login/)
}

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Find in subjects' })
const selectSubject = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check()

test('Staff add, find, bulk-edit, undo, hide and delete the subjects of a job', async ({
  page,
  browser,
  baseURL,
  pageErrors,
}) => {
  const base = baseURL ?? ''
  const customerContext = await browser.newContext({ baseURL: base })
  const customerPage = await customerContext.newPage()
  await openAda(customerPage)
  const jobId = new URL(customerPage.url()).pathname.split('/')[2]
  const listPath = `/admin/studios/1/jobs/${jobId}/subjects`

  await signIn(page)
  await page.goto(listPath)
  await expect(page.getByRole('heading', { name: 'Subjects', level: 1 })).toBeVisible()
  await expect(row(page, 'Ada Lovelace')).toBeVisible()

  await test.step('A subject is created, and a pasted list is added', async () => {
    await page.getByRole('button', { name: 'New subject' }).tap()
    await page.getByRole('button', { name: 'Create subject' }).tap()
    await expect(page.getByText('Type a first or a last name')).toBeVisible()
    await page.getByRole('textbox', { name: 'First name' }).fill('Zelda')
    await page.getByRole('textbox', { name: 'Last name' }).fill('Quartz')
    await page.getByRole('button', { name: 'Create subject' }).tap()
    await expect(page.getByRole('heading', { name: 'Zelda Quartz', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Give a code' }).tap()
    await expect(
      page.getByRole('img', { name: /QR code that opens http.*\/riverside\/code\/[A-Z0-9]{8}$/ }),
    ).toBeVisible()

    await page.goto(listPath)
    await page.getByRole('button', { name: 'Paste names' }).tap()
    await page.getByRole('textbox', { name: 'People' }).fill('Xena\tQuartz\tOwls\tQ-2\nXeno\tQuartz\tOwls\tQ-2')
    await page.getByRole('button', { name: 'Add 2 people' }).tap()
    await expect(page.getByText('Xeno Quartz: This is listed twice')).toBeVisible()
    await page.getByRole('textbox', { name: 'People' }).fill('Xena\tQuartz\tOwls\tQ-2\nXéno\tQuartz\tOwls\tQ-3')
    await page.getByRole('button', { name: 'Add 2 people' }).tap()
    await expect(page.getByText('2 people added').first()).toBeVisible()
  })

  await test.step('Search works while typing, in any order and without accents, and is in the URL', async () => {
    await searchField(page).fill('quartz owls xeno')
    await expect(row(page, 'Xéno Quartz')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(page).toHaveURL(/filter=quartz\+owls\+xeno/)
    await page.reload()
    await expect(row(page, 'Xéno Quartz')).toBeVisible()
    await searchField(page).fill('nobody at all')
    await expect(page.getByText('No matches')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).tap()
    await searchField(page).fill('quartz')
    await expect(page.getByRole('row')).toHaveCount(4)
  })

  await test.step('Selected subjects are edited together, and the edit is undone', async () => {
    await selectSubject(page, 'Xena Quartz')
    await selectSubject(page, 'Xéno Quartz')
    await expect(page.getByText('2 selected')).toBeVisible()
    await page.getByRole('button', { name: 'Edit field' }).tap()
    await page.getByRole('combobox', { name: 'Field' }).fill('Bus')
    await page.getByRole('textbox', { name: 'Value' }).fill('B7')
    await page.getByRole('button', { name: 'Set it' }).tap()
    await expect(page.getByText('Bus set to “B7” for 2 people')).toBeVisible()
    await expect(row(page, 'Xena Quartz')).toContainText('Bus: B7')
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(page.getByText('Undone for 2 people').first()).toBeVisible()
    await expect(row(page, 'Xena Quartz')).not.toContainText('Bus: B7')
    await page.getByRole('button', { name: 'Select all 3' }).tap()
    await expect(page.getByText('3 selected')).toBeVisible()
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByRole('button', { name: 'Groups' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'What to do' }).selectOption({ label: 'Add to this group' })
    await dialog.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'Owls' })
    await dialog.getByRole('button', { name: 'Add to this group' }).tap()
    await expect(page.getByText('1 person added to Owls')).toBeVisible()
    await page.getByRole('button', { name: 'Clear selection' }).tap()
  })

  await test.step('On a wide screen Enter opens a subject next to the list', async () => {
    await page.setViewportSize(desk)
    await searchField(page).fill('lovelace')
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByRole('link', { name: 'Ada Lovelace' }).focus()
    await page.keyboard.press('Enter')
    const sidePanel = page.getByRole('complementary', { name: 'Open person' })
    await expect(sidePanel.getByText('ADALVL')).toBeVisible()
    await expect(page).toHaveURL(/open=\d+/)
  })

  await test.step('A hidden subject disappears from the parent’s phone, and the U key undoes it', async () => {
    await expectImagesLoaded(customerPage)
    await page.getByRole('complementary').getByRole('button', { name: 'Hide' }).click()
    await expect(page.getByText('Ada Lovelace is hidden from parents')).toBeVisible()
    await customerPage.reload()
    await expect(customerPage.getByRole('heading', { name: 'Ada Lovelace', exact: true })).toBeHidden()
    await page.getByRole('heading', { name: 'Subjects', level: 1 }).click()
    await page.keyboard.press('u')
    await expect(page.getByText('Undone for 1 person').first()).toBeVisible()
    await openAda(customerPage)
  })

  await test.step('On a conflict between two tabs, the second is notified and can save', async () => {
    await page.getByRole('link', { name: 'Open the whole page' }).click()
    await expect(page.getByRole('heading', { name: 'Ada Lovelace', level: 1 })).toBeVisible()
    const images = page.getByRole('region', { name: 'Images' }).getByRole('img')
    const width = () => images.first().evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(width).toBeGreaterThan(200)
    const secondTab = await page.context().newPage()
    await secondTab.goto(page.url())
    await secondTab.getByRole('textbox', { name: 'Reference' }).fill('S-1815')
    await page.getByRole('textbox', { name: 'Reference' }).fill('S-1843')
    await secondTab.getByRole('button', { name: 'Save' }).click()
    await expect(secondTab.getByText('Saved', { exact: true })).toBeVisible()
    await secondTab.close()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Someone else saved this while you were typing')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Reference' })).toHaveValue('S-1843')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await checkStaffScreen(page, '71-subject')
  })

  await test.step('A subject’s data is deleted after the name is typed', async () => {
    await page.goto(`${listPath}?filter=zelda`)
    await page.getByRole('link', { name: 'Zelda Quartz' }).tap()
    await page.getByRole('button', { name: 'Delete data' }).tap()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog.getByRole('button', { name: 'Delete for good' })).toBeDisabled()
    await dialog.getByRole('textbox').fill('zelda quartz')
    await dialog.getByRole('button', { name: 'Delete for good' }).tap()
    await expect(page.getByText('The data of 1 person is deleted').first()).toBeVisible()
    await searchField(page).fill('quartz')
    await expect(page.getByRole('row')).toHaveCount(3)
    await page.getByRole('button', { name: 'Columns' }).tap()
    await page.getByRole('checkbox', { name: 'Code' }).uncheck({ force: true })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('columnheader', { name: 'Code' })).toHaveCount(0)
    await page.goto(listPath)
    await expect(row(page, 'Ada Lovelace')).toBeVisible()
    await checkStaffScreen(page, '70-subjects')
  })

  await test.step('Groups are listed and created', async () => {
    await page.getByRole('link', { name: 'Groups' }).tap()
    await expect(page.getByRole('heading', { name: 'Groups', level: 1 })).toBeVisible()
    await expect(row(page, 'Owls')).toContainText('2')
    await page.getByRole('button', { name: 'New group' }).tap()
    await page.getByRole('textbox', { name: 'Name' }).fill('owls')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('There is already a group with this name').first()).toBeVisible()
    await page.getByRole('textbox', { name: 'Name' }).fill('Bees')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(row(page, 'Bees')).toBeVisible()
    await checkStaffScreen(page, '72-groups')
  })
  await customerContext.close()
  allowPageErrors(pageErrors, missingImageErrors)
})

test('The next page of a long list starts at its top, even if the previous page was scrolled', async ({
  page,
  browser,
  baseURL,
}) => {
  const customerContext = await browser.newContext({ baseURL: baseURL ?? '' })
  const customerPage = await customerContext.newPage()
  await openAda(customerPage)
  const jobId = new URL(customerPage.url()).pathname.split('/')[2]
  await customerContext.close()
  await signIn(page)
  await page.goto(`/admin/studios/1/jobs/${jobId}/subjects`)
  await page.getByRole('button', { name: 'Paste names' }).tap()
  const people = Array.from({ length: 110 }, (_, index) => `Pupil${index}\tLonglist\tOwls\tL-${index}`)
  await page.getByRole('textbox', { name: 'People' }).fill(people.join('\n'))
  await page.getByRole('button', { name: 'Add 110 people' }).tap()
  await expect(page.getByText('110 people added').first()).toBeVisible()
  await searchField(page).fill('longlist')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  const frame = page.locator('[data-scroll-frame]')
  /** The index of the first row that the sticky header does not cover. */
  const firstVisibleRow = () =>
    frame.evaluate((table) => {
      const headerBottom = table.querySelector('th')?.getBoundingClientRect().bottom ?? 0
      const rows = [...table.querySelectorAll('tbody tr')]
      return rows.findIndex((tableRow) => tableRow.getBoundingClientRect().bottom > headerBottom + 1)
    })
  const expectPageStart = async (range: string) => {
    await expect(pages.getByRole('status')).toHaveText(range)
    await expect.poll(firstVisibleRow).toBe(0)
    await expect(frame.locator('tbody tr').first()).toBeInViewport()
  }
  const scrollToEnd = async () => {
    await frame.locator('tbody tr').last().scrollIntoViewIfNeeded()
    await expect.poll(firstVisibleRow).toBeGreaterThan(10)
  }
  await expectPageStart('1–50 of 110')
  await scrollToEnd()
  await pages.getByRole('button', { name: 'Next page' }).tap()
  await expectPageStart('51–100 of 110')
  await scrollToEnd()
  await pages.getByRole('button', { name: 'Previous page' }).tap()
  await expectPageStart('1–50 of 110')
})
