import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

test('An administrator finds a change in the audit trail and exports it', async ({ page }) => {
  await test.step('A tax rate is created', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/system/taxes' })
    await page.getByRole('button', { name: 'New tax rate' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('State').selectOption({ label: 'Vermont' })
    await dialog.getByLabel('Rate').fill('6')
    await dialog.getByLabel('From').fill('2020-01-01')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('The trail shows who created it with which values', async () => {
    await page.goto('/admin/audit-trail')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Action').selectOption({ label: 'Tax rate created' })
    await page.getByRole('button', { name: 'Show results' }).click()
    await page.getByRole('button', { name: 'Tax rate created' }).first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('VT')
    await expect(dialog).toContainText('60000')
    await checkStaffScreen(page, '271-audit-entry')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await checkStaffScreen(page, '270-audit-trail')
  })

  await test.step('It is exported', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect((await download).suggestedFilename()).toBe('Audit trail.csv')
  })
})

test('An administrator opens the logs of emails and of tax requests', async ({ page }) => {
  await test.step('Emails are filtered by their state', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/system/sendgrid-logs' })
    await expect(page.getByRole('heading', { level: 1, name: 'Emails' })).toBeVisible()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('State').selectOption({ label: 'Failed' })
    await page.getByRole('button', { name: 'Show results' }).click()
    await expect(page.getByText('No matches')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).click()
    await checkStaffScreen(page, '273-emails')
  })

  await test.step('Without a tax service there are no tax requests', async () => {
    await page.goto('/admin/system/vertex-logs')
    await expect(page.getByText('No tax requests yet')).toBeVisible()
    await checkStaffScreen(page, '272-tax-requests')
  })

  await test.step('The configuration names each setting and where its value comes from', async () => {
    await page.goto('/admin/system/configuration')
    await expect(page.getByRole('heading', { level: 1, name: 'Configuration' })).toBeVisible()
    await expect(page.getByText('Name of the sender')).toBeVisible()
    await checkStaffScreen(page, '275-configuration')
  })
})
