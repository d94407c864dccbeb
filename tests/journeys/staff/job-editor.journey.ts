import type { BrowserContext, Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

const tablet = { width: 1024, height: 768 }

test.use({ viewport: tablet, hasTouch: true, isMobile: false, deviceScaleFactor: 1 })

const signIn = async (page: Page, ret: string): Promise<void> => {
  await page.goto(`/login?ret=${ret}`)
  await page.getByRole('textbox', { name: 'Email' }).fill('staff@riverside.test')
  await page.getByRole('textbox', { name: 'Password' }).fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Checks the screen with axe in both themes and its widths, then returns to the tablet. */
const look = async (page: Page, name: string): Promise<void> => {
  await checkStaffScreen(page, name)
  await page.setViewportSize(tablet)
}

const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const goTo = (page: Page, section: string) =>
  page.getByRole('navigation', { name: 'Fall portraits' }).getByRole('link', { name: section, exact: true }).tap()
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).tap()
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save' }).tap()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
}

const secondTablet = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

test('Where the studio has no order services their tab says so, and has nothing to fill in', async ({ page }) => {
  await page.route('**/api/studioadmin/studios/1/features*', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const others = data.filter(({ identifier }: { identifier: string }) => identifier !== 'orderServices')
    await route.fulfill({ response, json: { data: others } })
  })
  await signIn(page, '/admin/studios/1/jobs/1/settings/standard')
  await expect(page.getByText('Your studio does not have order services')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await look(page, '66-no-order-services')
})

test('Staff create a job on a tablet, fill in what is missing, publish it, and a parent opens it by its code', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  await signIn(page, '/admin/studios/1')
  await expect(title(page, 'Home')).toBeVisible()
  await expect(page.getByRole('link', { name: '3 Open' })).toBeVisible()
  await look(page, '60-studio-home')

  await test.step('the list is in the address: by state, by text, sorted', async () => {
    await page.getByRole('link', { name: 'Jobs', exact: true }).tap()
    await expect(page.getByRole('row')).toHaveCount(4)
    await look(page, '61-jobs')
    await page.getByPlaceholder('Job, organization or code').fill('rapids')
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByRole('combobox', { name: 'State' }).selectOption('Archived')
    await expect(page.getByText('Nothing fits')).toBeVisible()
    await page.reload()
    await expect(page.getByText('Nothing fits')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).tap()
    await expect(page.getByRole('row')).toHaveCount(4)
    await page.getByRole('button', { name: 'Job', exact: true }).tap()
    await expect(page).toHaveURL(/sort=name/)
    await expect(page.getByRole('row').nth(1)).toContainText('Fall Picture Day 2027')
  })

  await test.step('a new one, with a code that is taken first', async () => {
    await page.getByRole('button', { name: 'New job' }).tap()
    const dialog = page.getByRole('dialog', { name: 'New job' })
    await dialog.getByRole('button', { name: 'Create job' }).tap()
    await expect(dialog.getByText('This field is required')).toHaveCount(2)
    await dialog.getByRole('combobox', { name: 'Organization' }).selectOption('Lincoln Elementary')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Fall portraits')
    await dialog.getByRole('textbox', { name: /^Code/ }).fill('spring')
    await dialog.getByRole('checkbox', { name: 'Before the picture day' }).check()
    await dialog.getByRole('checkbox', { name: 'From a gallery' }).uncheck()
    await dialog.getByRole('button', { name: 'Create job' }).tap()
    await expect(dialog.getByText('Another event or person of this studio has this code')).toBeVisible()
    await look(page, '62-new-job')
    await dialog.getByRole('textbox', { name: /^Code/ }).fill('fall-27')
    await dialog.getByRole('button', { name: 'Create job' }).tap()
    await expect(title(page, 'Overview')).toBeVisible()
    await expect(page.getByText('FALL27')).toBeVisible()
  })

  await test.step('what is missing is said, each with the way to it', async () => {
    await page.getByRole('button', { name: 'Publish' }).tap()
    const toast = page.locator('.Toastify__toast')
    await expect(toast).toContainText('Oops:')
    await toast.tap()
    await expect(toast).toHaveCount(0)
    await look(page, '63-overview-of-a-draft')
    await page.getByRole('link', { name: /at least one field that parents fill in/ }).tap()
    await expect(page.getByText('Nothing is asked beside the name')).toBeVisible()
  })

  await test.step('fields, from a usual one and a new one, put in order by a key', async () => {
    await page.getByRole('button', { name: 'Add a usual one' }).tap()
    await page.getByRole('menuitem', { name: 'Grade' }).tap()
    await page.getByRole('button', { name: 'Add a field' }).tap()
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('This field is required')).toBeVisible()
    await page.getByRole('textbox', { name: 'Name', exact: true }).nth(1).fill('Homeroom')
    await page.getByRole('button', { name: /^Move Homeroom/ }).press('ArrowUp')
    await expect(page.getByRole('textbox', { name: 'Name', exact: true }).first()).toHaveValue('Homeroom')
    await save(page)
    await look(page, '64-preorder-fields')
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true }).first()).toHaveValue('Homeroom')
    await expect(page.getByRole('textbox', { name: /^Choices/ })).toHaveValue(/^Kindergarten/)
  })

  await test.step('times are the studio’s, and their order is looked at', async () => {
    await tab(page, 'Preorder')
    await page.getByLabel(/^Closes/).fill('2035-05-01T08:00')
    await page.getByLabel(/^Opens/).fill('2035-05-02T08:00')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('This has to be later than the time it opens')).toBeVisible()
    await page.getByLabel(/^Opens/).fill('')
    await save(page)
    await look(page, '65-preorder')
    await page.reload()
    await expect(page.getByLabel(/^Closes/)).toHaveValue('2035-05-01T08:00')
  })

  await test.step('services, and the gallery’s own tab', async () => {
    await tab(page, 'Order services')
    await page.getByRole('checkbox', { name: 'Basic retouching' }).check()
    await page.getByRole('textbox', { name: 'Price of Basic retouching' }).fill('nine')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('A price is dollars and cents: 9.50')).toBeVisible()
    await page.getByRole('textbox', { name: 'Price of Basic retouching' }).fill('9.50')
    await save(page)
    await look(page, '66-order-services')
    await tab(page, 'Gallery')
    await expect(page.getByRole('checkbox', { name: /Public gallery/ })).toBeVisible()
    await look(page, '67-gallery')
  })

  await test.step('two tablets on one form: the second keeps what it typed, and hears of the first', async () => {
    await tab(page, 'General')
    const other = await secondTablet(context, page.url())
    await expect(other.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Fall portraits')
    await page.getByRole('textbox', { name: /^Description/ }).fill('Mine')
    await other.getByRole('textbox', { name: /^Description/ }).fill('Theirs')
    await other.getByLabel(/^Picture day/).fill('2035-05-10')
    await other.getByRole('button', { name: 'Save' }).click()
    await expect(other.getByText('Saved', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('Somebody else saved this while you were typing')).toBeVisible()
    await expect(page.getByText('Description: theirs is “Theirs”, yours “Mine”')).toBeVisible()
    await expect(page.getByRole('textbox', { name: /^Description/ })).toHaveValue('Mine')
    await expect(page.getByLabel(/^Picture day/)).toHaveValue('2035-05-10')
    await look(page, '68-two-tablets')
    await save(page)
    await other.close()
  })

  await test.step('a workflow is chosen, and a step ticked off', async () => {
    await goTo(page, 'Workflows')
    await page.getByRole('combobox', { name: 'Workflow' }).selectOption('School pictures')
    await page.getByRole('checkbox').first().check()
    await expect(page.getByText(/^Done .* by Marcus Webb$/)).toBeVisible()
    await look(page, '69-workflow')
  })

  await test.step('with a package set it is published', async () => {
    await goTo(page, 'Packages')
    await page.getByRole('combobox', { name: 'Package set' }).selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Offer this set' }).tap()
    await goTo(page, 'Overview')
    await expect(page.getByText('Everything is there.')).toBeVisible()
    await page.getByRole('button', { name: 'Publish' }).tap()
    await expect(page.getByRole('link', { name: 'View as a parent' })).toHaveAttribute('href', '/riverside/code/FALL27')
    await look(page, '70-overview-published')
  })

  await test.step('a parent comes in by the code', async () => {
    const phone = await browser.newContext({ ...(baseURL && { baseURL }), viewport: { width: 390, height: 844 } })
    const parent = await phone.newPage()
    await parent.goto('/riverside/code/FALL27')
    await expect(parent.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(parent.getByText('Fall portraits').first()).toBeVisible()
    await phone.close()
  })

  await test.step('another like it, put away and back, which may be deleted', async () => {
    await page.getByRole('button', { name: 'More' }).first().tap()
    await page.getByRole('menuitem', { name: 'Duplicate' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Duplicate this job' })
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Fall portraits (copy)')
    await dialog.getByRole('button', { name: 'Duplicate' }).tap()
    await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
    const more = page.getByRole('button', { name: 'More' }).first()
    await more.tap()
    await page.getByRole('menuitem', { name: 'Archive' }).tap()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).tap()
    await expect(page.getByText('Archived', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0)
    await expect(page.getByRole('menu')).toHaveCount(0)
    await more.tap()
    await page.getByRole('menuitem', { name: 'Restore' }).tap()
    await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
    await more.tap()
    await page.getByRole('menuitem', { name: 'Delete' }).tap()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
    await expect(title(page, 'Jobs')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(5)
  })
})
