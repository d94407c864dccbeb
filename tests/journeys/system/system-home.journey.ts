import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { letAdministratorIn } from '#support/journeys/support-access.ts'

test('An administrator sees the health of the platform at a glance', async ({ page }) => {
  await signIn(page, { email: 'admin@fieldproof.test', at: '/admin' })
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: /^Revenue/ })).toContainText('by this time last week')
  await expect(main.getByText('This server, since')).toBeVisible()
  await expect(main.getByText('Could not be read')).toHaveCount(0)
  await checkStaffScreen(page, '291-platform-home')
  await main.getByRole('link', { name: /^Verification/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Studios' })).toBeVisible()
})

test('An administrator chooses the job of a studio and enters an order by the screen of its staff', async ({
  page,
  request,
}) => {
  await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/entry' })
  await test.step('A studio is found by its name', async () => {
    await page.getByRole('combobox', { name: 'Studio' }).fill('nowhere')
    await expect(page.getByText('Nothing matches “nowhere”')).toBeVisible()
    await page.getByRole('combobox', { name: 'Studio' }).fill('river')
    await page.getByRole('option', { name: /Riverside Portraits/ }).click()
    await expect(page.getByText('You need the consent of this studio’s owner')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Ask for access' })).toHaveAttribute('href', '/admin/studios/1')
    await letAdministratorIn(request)
    await page.reload()
    await page.getByRole('combobox', { name: 'Studio' }).fill('river')
    await page.getByRole('option', { name: /Riverside Portraits/ }).click()
    await expect(page.getByRole('combobox', { name: 'Job' })).toBeVisible()
    await checkStaffScreen(page, '292-entry-start')
  })
  await test.step('The job’s entry opens', async () => {
    await page.getByRole('combobox', { name: 'Job' }).fill('spring')
    await page.getByRole('option').first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Entry' })).toBeVisible()
    await expect(page).toHaveURL(/\/admin\/studios\/1\/jobs\/\d+\/entry$/)
    await expect(page.getByRole('region', { name: 'Payment' })).toBeVisible()
  })
})
