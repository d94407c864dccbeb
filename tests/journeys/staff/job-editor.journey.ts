import type { BrowserContext, Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { dismissToasts } from '#support/journeys/toasts.ts'

const tablet = { width: 1024, height: 768 }

test.use({ viewport: tablet, hasTouch: true, isMobile: false, deviceScaleFactor: 1 })

const signIn = async (page: Page, ret: string): Promise<void> => {
  await page.goto(`/login?ret=${ret}`)
  await page.getByRole('textbox', { name: 'Email' }).fill('staff@riverside.test')
  await page.getByRole('textbox', { name: 'Password' }).fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Checks the screen in both themes and at all widths, then restores the tablet's viewport. */
const checkStaffScreenOnTablet = async (page: Page, name: string): Promise<void> => {
  await checkStaffScreen(page, name)
  await page.setViewportSize(tablet)
}

const pageTitle = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const openSection = (page: Page, section: string) =>
  page.getByRole('navigation', { name: 'Fall portraits' }).getByRole('link', { name: section, exact: true }).tap()
const openTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).tap()
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save' }).tap()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
}

const openSecondTablet = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

test('Without the order services feature, its tab shows a notice and no fields', async ({ page }) => {
  await page.route('**/api/studioadmin/studios/1/features*', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const otherFeatures = data.filter(({ identifier }: { identifier: string }) => identifier !== 'orderServices')
    await route.fulfill({ response, json: { data: otherFeatures } })
  })
  await signIn(page, '/admin/studios/1/jobs/1/settings/standard')
  await expect(page.getByText('Your studio doesn’t have order services')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await checkStaffScreenOnTablet(page, '66-no-order-services')
})

test('Staff create a job on a tablet, complete and publish it, and a parent opens it by its code', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  await signIn(page, '/admin/studios/1')
  await expect(pageTitle(page, 'Home')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open jobs 3' })).toBeVisible()
  await checkStaffScreenOnTablet(page, '60-studio-home')

  await test.step('Filters and order of the job list are in the URL', async () => {
    await page.getByRole('link', { name: 'Jobs', exact: true }).tap()
    await expect(page.getByRole('row')).toHaveCount(5)
    await checkStaffScreenOnTablet(page, '61-jobs')
    await page.getByPlaceholder('Job, organization or code').fill('rapids')
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByRole('combobox', { name: 'State' }).selectOption('Archived')
    await expect(page.getByText('No matches')).toBeVisible()
    await page.reload()
    await expect(page.getByText('No matches')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).tap()
    await expect(page.getByRole('row')).toHaveCount(5)
    await page.getByRole('button', { name: 'Job', exact: true }).tap()
    await expect(page).toHaveURL(/sort=name/)
    await expect(page.getByRole('row').nth(1)).toContainText('Class Portraits')
  })

  await test.step('A job is created, after its code was rejected as taken', async () => {
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
    await checkStaffScreenOnTablet(page, '62-new-job')
    await dialog.getByRole('textbox', { name: /^Code/ }).fill('fall-27')
    await dialog.getByRole('button', { name: 'Create job' }).tap()
    await expect(pageTitle(page, 'Overview')).toBeVisible()
    await expect(page.getByText('FALL27')).toBeVisible()
  })

  await test.step('The overview lists what is missing, with links', async () => {
    await page.getByRole('button', { name: 'Publish' }).tap()
    const toast = page.locator('.Toastify__toast')
    await expect(toast).toContainText('Oops:')
    await toast.tap()
    await expect(toast).toHaveCount(0)
    await checkStaffScreenOnTablet(page, '63-overview-of-a-draft')
    await page.getByRole('link', { name: /at least one field that parents fill in/ }).tap()
    await expect(page.getByText('Only the name is asked')).toBeVisible()
  })

  await test.step('Fields are added, and reordered by keyboard', async () => {
    await page.getByRole('button', { name: 'Add a common field' }).tap()
    await page.getByRole('menuitem', { name: 'Grade' }).tap()
    await page.getByRole('button', { name: 'Add a field' }).tap()
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('This field is required')).toBeVisible()
    await page.getByRole('textbox', { name: 'Name', exact: true }).nth(1).fill('Homeroom')
    await page.getByRole('button', { name: /^Move Homeroom/ }).press('ArrowUp')
    await expect(page.getByRole('textbox', { name: 'Name', exact: true }).first()).toHaveValue('Homeroom')
    await save(page)
    await checkStaffScreenOnTablet(page, '64-preorder-fields')
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true }).first()).toHaveValue('Homeroom')
    await expect(page.getByRole('textbox', { name: /^Choices/ })).toHaveValue(/^Kindergarten/)
  })

  await test.step('Times are entered in the studio’s time zone, and their order is checked', async () => {
    await openTab(page, 'Preorder')
    await page.getByLabel(/^Closes/).fill('2035-05-01T08:00')
    await page.getByLabel(/^Opens/).fill('2035-05-02T08:00')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('This must be after the opening time')).toBeVisible()
    await page.getByLabel(/^Opens/).fill('')
    await save(page)
    await checkStaffScreenOnTablet(page, '65-preorder')
    await page.reload()
    await expect(page.getByLabel(/^Closes/)).toHaveValue('2035-05-01T08:00')
  })

  await test.step('Order services are saved, and the gallery’s settings open', async () => {
    await openTab(page, 'Order services')
    await page.getByRole('checkbox', { name: 'Basic retouching' }).check()
    await page.getByRole('textbox', { name: 'Price of Basic retouching' }).fill('nine')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('A price is dollars and cents: 9.50')).toBeVisible()
    await page.getByRole('textbox', { name: 'Price of Basic retouching' }).fill('9.50')
    await save(page)
    await checkStaffScreenOnTablet(page, '66-order-services')
    await openTab(page, 'Gallery')
    await expect(page.getByRole('checkbox', { name: /Public gallery/ })).toBeVisible()
    await checkStaffScreenOnTablet(page, '67-gallery')
  })

  await test.step('On a conflict between two tablets, the second to save sees both values and keeps its own', async () => {
    await openTab(page, 'General')
    const secondTablet = await openSecondTablet(context, page.url())
    await expect(secondTablet.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Fall portraits')
    await page.getByRole('textbox', { name: /^Description/ }).fill('Mine')
    await secondTablet.getByRole('textbox', { name: /^Description/ }).fill('Theirs')
    await secondTablet.getByLabel(/^Picture day/).fill('2035-05-10')
    await secondTablet.getByRole('button', { name: 'Save' }).click()
    await expect(secondTablet.getByText('Saved', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('Someone else saved this while you were typing')).toBeVisible()
    await expect(page.getByText('Description: theirs is “Theirs”, yours “Mine”')).toBeVisible()
    await expect(page.getByRole('textbox', { name: /^Description/ })).toHaveValue('Mine')
    await expect(page.getByLabel(/^Picture day/)).toHaveValue('2035-05-10')
    await checkStaffScreenOnTablet(page, '68-two-tablets')
    await save(page)
    await secondTablet.close()
  })

  await test.step('A workflow is chosen, and a step is checked off', async () => {
    await openSection(page, 'Workflows')
    await page.getByRole('combobox', { name: 'Workflow' }).selectOption('School pictures')
    await page.getByRole('checkbox').first().check()
    await expect(page.getByText(/^Done .* by Marcus Webb$/)).toBeVisible()
    await checkStaffScreenOnTablet(page, '69-workflow')
  })

  await test.step('With a package set the job is published', async () => {
    await openSection(page, 'Packages')
    await page.getByRole('combobox', { name: 'Package set' }).selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Offer this set' }).tap()
    await openSection(page, 'Overview')
    await expect(page.getByText('Everything is ready.')).toBeVisible()
    await page.getByRole('button', { name: 'Publish' }).tap()
    await expect(page.getByRole('link', { name: 'View as a parent' })).toHaveAttribute('href', '/riverside/code/FALL27')
    await checkStaffScreenOnTablet(page, '70-overview-published')
  })

  await test.step('A parent opens the job by its code', async () => {
    const phone = await browser.newContext({ ...(baseURL && { baseURL }), viewport: { width: 390, height: 844 } })
    const customerPage = await phone.newPage()
    await customerPage.goto('/riverside/code/FALL27')
    await expect(customerPage.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(customerPage.getByText('Fall portraits').first()).toBeVisible()
    await phone.close()
  })

  await test.step('The job is duplicated, and the copy is archived, restored and deleted', async () => {
    await page.getByRole('button', { name: 'More' }).first().tap()
    await page.getByRole('menuitem', { name: 'Duplicate' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Duplicate this job' })
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Fall portraits (copy)')
    await dialog.getByRole('button', { name: 'Duplicate' }).tap()
    await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
    const moreButton = page.getByRole('button', { name: 'More' }).first()
    await moreButton.tap()
    await page.getByRole('menuitem', { name: 'Archive' }).tap()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).tap()
    await expect(page.getByText('Archived', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0)
    await expect(page.getByRole('menu')).toHaveCount(0)
    await moreButton.tap()
    await page.getByRole('menuitem', { name: 'Restore' }).tap()
    await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
    await dismissToasts(page)
    await moreButton.tap()
    await page.getByRole('menuitem', { name: 'Delete' }).tap()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
    await expect(pageTitle(page, 'Jobs')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(6)
  })
})
