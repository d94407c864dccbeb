import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

test('An administrator invites, finds, signs out and disables users', async ({ page }) => {
  await test.step('An administrator is invited, and the invitation is withdrawn', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/users' })
    await page.getByRole('button', { name: 'Invite someone' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Ira Levin')
    await dialog.getByLabel('Email').fill('ira@fieldproof.test')
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    await expect(dialog.getByText('This field is required')).toBeVisible()
    await dialog.getByLabel('Studio').selectOption({ label: 'Riverside Portraits' })
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    await expect(dialog.getByText('This studio has an owner, and only its owners invite its users')).toBeVisible()
    await dialog.getByLabel('Role').selectOption({ label: 'Administrator' })
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    await expect(toastWithText(page, 'An invitation is on its way to ira@fieldproof.test')).toBeVisible()
    await expect(page.getByText('Ira Levin')).toBeVisible()
    await checkStaffScreen(page, '270-users')
    await page.getByRole('button', { name: 'Withdraw the invitation for Ira Levin' }).click()
    await page.getByRole('button', { name: 'Withdraw it' }).click()
    await expect(page.getByText('No pending invitations.')).toBeVisible()
  })

  await test.step('A member of a studio’s staff is found, signed out and disabled', async () => {
    await page.getByLabel('Role').selectOption({ label: 'Staff' })
    const row = page.getByRole('row').filter({ hasText: 'staff@riverside.test' })
    const actions = row.getByRole('button', { name: /^Actions for/ })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect(toastWithText(page, 'Marcus Webb is signed out everywhere')).toBeVisible()
    const dialog = page.getByRole('dialog')
    const toggleSignIn = async () => {
      await actions.click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await expect(dialog.getByText('Only the owners of this studio give its users more rights')).toBeVisible()
      await dialog.getByLabel('May sign in').click()
      await dialog.getByRole('button', { name: 'Save' }).click()
    }
    await toggleSignIn()
    await expect(row.getByRole('cell', { name: 'No', exact: true })).toBeVisible()
    await toggleSignIn()
    await expect(dialog.getByText('or let them sign in again').last()).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(row.getByRole('cell', { name: 'No', exact: true })).toBeVisible()
  })

  await test.step('The administrator’s own profile has name, preferences and password', async () => {
    await page.goto('/admin/profile')
    await expect(page.getByRole('heading', { level: 2, name: 'Password' })).toBeVisible()
    await checkStaffScreen(page, '272-administrator-profile')
  })
})
