import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { letAdministratorIn } from '#support/journeys/support-access.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

test('An administrator turns a feature off for new studios and for one studio, whose screen is then closed', async ({
  page,
  request,
}) => {
  await letAdministratorIn(request)
  await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/features' })
  const row = page.getByRole('row').filter({ hasText: 'Coupon codes and discounts' })
  await expect(row.getByRole('cell').first()).toHaveText('Yes')
  await page.getByRole('button', { name: 'Actions for Promotions' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('New studios have it').uncheck()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(row.getByRole('cell').first()).toHaveText('No')
  await checkStaffScreen(page, '271-features')
  await page.goto('/admin/studios')
  await page.getByRole('button', { name: 'Actions for Riverside' }).first().click()
  await page.getByRole('menuitem', { name: 'Features' }).click()
  await page.getByRole('dialog').getByLabel('Promotions').uncheck()
  await expect(toastWithText(page, 'Promotions is off')).toBeVisible()
  await checkStaffScreen(page, '272-studio-features')
  await page.goto('/admin/studios/1/coupon-codes')
  await expect(page).not.toHaveURL(/coupon-codes/)
})
