import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

test('An administrator creates a studio, edits it, disables it with a reason and enables it again', async ({
  page,
}) => {
  const chooseAction = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for Lakeside' }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const row = page.getByRole('row').filter({ hasText: 'Lakeside' })

  await test.step('It is created, and an address in use is refused', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/studios' })
    await page.getByRole('button', { name: 'New studio' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Lakeside Portraits')
    await dialog.getByLabel('Address').fill('riverside')
    await dialog.getByLabel('Owner’s name').fill('Lou Lake')
    await dialog.getByLabel('Owner’s email').fill('lou@lakeside.test')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('This address is taken. Please choose another')).toBeVisible()
    await checkStaffScreen(page, '270-new-studio')
    await dialog.getByLabel('Address').fill('lakeside')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(
      toastWithText(page, 'The studio is created, and an invitation is on its way to its owner'),
    ).toBeVisible()
    await expect(row).toContainText('/lakeside')
  })

  await test.step('Its fee is edited, and its usage shown', async () => {
    await chooseAction('Edit')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Platform fee').fill('2.5')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(row).toContainText('2.5%')
    await chooseAction('Usage and users')
    await expect(page.getByRole('dialog').getByText('The invitation of the owner is not accepted')).toBeVisible()
    await checkStaffScreen(page, '271-studio-usage')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  })

  await test.step('It is disabled with a reason, listed as disabled, and enabled', async () => {
    await chooseAction('Disable')
    await page.getByLabel('Reason').fill('The invoice is unpaid')
    await checkStaffScreen(page, '272-disable-studio')
    await page.getByRole('button', { name: 'Disable the studio' }).click()
    await expect(row).toContainText('Disabled')
    await page.getByLabel('Show').selectOption({ label: 'Disabled' })
    await expect(row).toBeVisible()
    await chooseAction('Enable')
    await expect(toastWithText(page, '“Lakeside Portraits” is open again')).toBeVisible()
    await expect(row).toHaveCount(0)
  })

  await test.step('Its deletion is scheduled, said on its screens, and cancelled', async () => {
    await page.getByLabel('Show').selectOption({ label: 'All studios' })
    await chooseAction('Export all data')
    await expect(
      toastWithText(page, 'The owners of “Lakeside Portraits” get an email when the export is ready'),
    ).toBeVisible()
    await chooseAction('Delete')
    await page.getByLabel('Reason').fill('The studio has closed')
    await checkStaffScreen(page, '273-delete-studio')
    await page.getByRole('button', { name: 'Schedule the deletion' }).click()
    await expect(row).toContainText('Deleted on')
    await chooseAction('Open')
    await page.getByLabel('Reason').fill('The studio asked to close')
    await page.getByLabel('What to do').selectOption({ label: 'Read for 1 hour without their consent' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('This studio will be deleted on')).toBeVisible()
    await page.getByRole('link', { name: 'settings', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'For the owners only' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Your data' })).toBeHidden()
    await checkStaffScreen(page, '274-studio-data')
    await page.goto('/admin/studios')
    await chooseAction('Cancel the deletion')
    await expect(toastWithText(page, '“Lakeside Portraits” will not be deleted')).toBeVisible()
    await expect(row).toContainText('Yes')
  })
})
