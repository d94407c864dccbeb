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
const seek = (page: Page) => page.getByRole('searchbox', { name: 'Find in subjects' })
const choose = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check()

test('Staff keep the people of a job: made, found, changed together and back, hidden, deleted', async ({
  page,
  browser,
  baseURL,
  pageErrors,
}) => {
  const base = baseURL ?? ''
  const parents = await browser.newContext({ baseURL: base })
  const parent = await parents.newPage()
  await openAda(parent)
  const jobId = new URL(parent.url()).pathname.split('/')[2]
  const list = `/admin/studios/1/jobs/${jobId}/subjects`

  await signIn(page)
  await page.goto(list)
  await expect(page.getByRole('heading', { name: 'Subjects', level: 1 })).toBeVisible()
  await expect(row(page, 'Ada Lovelace')).toBeVisible()

  await test.step('somebody new, and a list that was pasted', async () => {
    await page.getByRole('button', { name: 'New subject' }).tap()
    await page.getByRole('button', { name: 'Make', exact: true }).tap()
    await expect(page.getByText('Type a first or a last name')).toBeVisible()
    await page.getByRole('textbox', { name: 'First name' }).fill('Zelda')
    await page.getByRole('textbox', { name: 'Last name' }).fill('Quartz')
    await page.getByRole('button', { name: 'Make', exact: true }).tap()
    await expect(page.getByRole('heading', { name: 'Zelda Quartz', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Give a code' }).tap()
    await expect(
      page.getByRole('img', { name: /QR code that opens http.*\/riverside\/code\/[A-Z0-9]{8}$/ }),
    ).toBeVisible()

    await page.goto(list)
    await page.getByRole('button', { name: 'Paste a list' }).tap()
    await page.getByRole('textbox', { name: 'People' }).fill('Xena\tQuartz\tOwls\tQ-2\nXeno\tQuartz\tOwls\tQ-2')
    await page.getByRole('button', { name: 'Make 2 people' }).tap()
    await expect(page.getByText('Xeno Quartz: This is there twice')).toBeVisible()
    await page.getByRole('textbox', { name: 'People' }).fill('Xena\tQuartz\tOwls\tQ-2\nXéno\tQuartz\tOwls\tQ-3')
    await page.getByRole('button', { name: 'Make 2 people' }).tap()
    await expect(page.getByText('2 people made').first()).toBeVisible()
  })

  await test.step('found as it is typed, in any order and without accents; kept in the address', async () => {
    await seek(page).fill('quartz owls xeno')
    await expect(row(page, 'Xéno Quartz')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(page).toHaveURL(/filter=quartz\+owls\+xeno/)
    await page.reload()
    await expect(row(page, 'Xéno Quartz')).toBeVisible()
    await seek(page).fill('nobody at all')
    await expect(page.getByText('Nothing fits')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).tap()
    await seek(page).fill('quartz')
    await expect(page.getByRole('row')).toHaveCount(4)
  })

  await test.step('changed together, and back', async () => {
    await choose(page, 'Xena Quartz')
    await choose(page, 'Xéno Quartz')
    await expect(page.getByText('2 selected')).toBeVisible()
    await page.getByRole('button', { name: 'Set a field' }).tap()
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
    const bar = page.getByRole('region', { name: 'What is selected' })
    await bar.getByRole('button', { name: 'Groups' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'What to do' }).selectOption({ label: 'Add to this group' })
    await dialog.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'Owls' })
    await dialog.getByRole('button', { name: 'Add to this group' }).tap()
    await expect(page.getByText('1 person added to Owls')).toBeVisible()
    await page.getByRole('button', { name: 'Select none' }).tap()
  })

  await test.step('by the keyboard, beside the list where there is room', async () => {
    await page.setViewportSize(desk)
    await seek(page).fill('lovelace')
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByRole('link', { name: 'Ada Lovelace' }).focus()
    await page.keyboard.press('Enter')
    const beside = page.getByRole('complementary', { name: 'Open person' })
    await expect(beside.getByText('ADALVL')).toBeVisible()
    await expect(page).toHaveURL(/open=\d+/)
  })

  await test.step('hidden, and gone from the parent’s phone; undone by a key, and back', async () => {
    await expectImagesLoaded(parent)
    await page.getByRole('complementary').getByRole('button', { name: 'Hide' }).click()
    await expect(page.getByText('Ada Lovelace is hidden from parents')).toBeVisible()
    await parent.reload()
    await expect(parent.getByRole('heading', { name: 'Ada Lovelace', exact: true })).toBeHidden()
    await page.getByRole('heading', { name: 'Subjects', level: 1 }).click()
    await page.keyboard.press('u')
    await expect(page.getByText('Undone for 1 person').first()).toBeVisible()
    await openAda(parent)
  })

  await test.step('put right on their own page; a second tablet hears of it', async () => {
    await page.getByRole('link', { name: 'Open the whole page' }).click()
    await expect(page.getByRole('heading', { name: 'Ada Lovelace', level: 1 })).toBeVisible()
    const images = page.getByRole('region', { name: 'Images' }).getByRole('img')
    const width = () => images.first().evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(width).toBeGreaterThan(200)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('textbox', { name: 'Reference' }).fill('S-1815')
    await page.getByRole('textbox', { name: 'Reference' }).fill('S-1843')
    await other.getByRole('button', { name: 'Save' }).click()
    await expect(other.getByText('Saved', { exact: true })).toBeVisible()
    await other.close()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Somebody else saved this while you were typing')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Reference' })).toHaveValue('S-1843')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await checkStaffScreen(page, '71-subject')
  })

  await test.step('a family’s data is deleted, once the name is typed', async () => {
    await page.goto(`${list}?filter=zelda`)
    await page.getByRole('link', { name: 'Zelda Quartz' }).tap()
    await page.getByRole('button', { name: 'Delete data' }).tap()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog.getByRole('button', { name: 'Delete for good' })).toBeDisabled()
    await dialog.getByRole('textbox').fill('zelda quartz')
    await dialog.getByRole('button', { name: 'Delete for good' }).tap()
    await expect(page.getByText('The data of 1 person is deleted').first()).toBeVisible()
    await seek(page).fill('quartz')
    await expect(page.getByRole('row')).toHaveCount(3)
    await page.getByRole('button', { name: 'Columns' }).tap()
    await page.getByRole('checkbox', { name: 'Code' }).uncheck({ force: true })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('columnheader', { name: 'Code' })).toHaveCount(0)
    await page.goto(list)
    await expect(row(page, 'Ada Lovelace')).toBeVisible()
    await checkStaffScreen(page, '70-subjects')
  })

  await test.step('groups, with the pictures of all in them', async () => {
    await page.getByRole('link', { name: 'Groups' }).tap()
    await expect(page.getByRole('heading', { name: 'Groups', level: 1 })).toBeVisible()
    await expect(row(page, 'Owls')).toContainText('2')
    await page.getByRole('button', { name: 'New group' }).tap()
    await page.getByRole('textbox', { name: 'Name' }).fill('owls')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('There is a group of this name already').first()).toBeVisible()
    await page.getByRole('textbox', { name: 'Name' }).fill('Bees')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(row(page, 'Bees')).toBeVisible()
    await checkStaffScreen(page, '72-groups')
  })
  await parents.close()
  allowPageErrors(pageErrors, missingImageErrors)
})

test('The next page of a long list begins at its top, wherever the page before it was scrolled to', async ({
  page,
  browser,
  baseURL,
}) => {
  const parents = await browser.newContext({ baseURL: baseURL ?? '' })
  const parent = await parents.newPage()
  await openAda(parent)
  const jobId = new URL(parent.url()).pathname.split('/')[2]
  await parents.close()
  await signIn(page)
  await page.goto(`/admin/studios/1/jobs/${jobId}/subjects`)
  await page.getByRole('button', { name: 'Paste a list' }).tap()
  const people = Array.from({ length: 110 }, (_, index) => `Pupil${index}\tLonglist\tOwls\tL-${index}`)
  await page.getByRole('textbox', { name: 'People' }).fill(people.join('\n'))
  await page.getByRole('button', { name: 'Make 110 people' }).tap()
  await expect(page.getByText('110 people made').first()).toBeVisible()
  await seek(page).fill('longlist')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  const frame = page.locator('[data-scroll-frame]')
  /** The first row of the list that its sticky head does not cover. */
  const firstInSight = () =>
    frame.evaluate((table) => {
      const heads = table.querySelector('th')?.getBoundingClientRect().bottom ?? 0
      const rows = [...table.querySelectorAll('tbody tr')]
      return rows.findIndex((one) => one.getBoundingClientRect().bottom > heads + 1)
    })
  const begins = async (shown: string) => {
    await expect(pages.getByRole('status')).toHaveText(shown)
    await expect.poll(firstInSight).toBe(0)
    await expect(frame.locator('tbody tr').first()).toBeInViewport()
  }
  const scrollToEnd = async () => {
    await frame.locator('tbody tr').last().scrollIntoViewIfNeeded()
    await expect.poll(firstInSight).toBeGreaterThan(10)
  }
  await begins('1–50 of 110')
  await scrollToEnd()
  await pages.getByRole('button', { name: 'Next page' }).tap()
  await begins('51–100 of 110')
  await scrollToEnd()
  await pages.getByRole('button', { name: 'Previous page' }).tap()
  await begins('1–50 of 110')
})
