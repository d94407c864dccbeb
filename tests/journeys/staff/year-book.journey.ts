import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

const yearBook = '/admin/studios/1/jobs/1/images/yearbook'

test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: false })

test('staff choose the missing yearbook images by keyboard, one person after the other', async ({ page }) => {
  await signIn(page, { at: yearBook })
  await expect(page.getByText(/^\d+ missing$/)).toBeVisible()
  await expect(page.getByRole('table')).toBeVisible()
  await checkStaffScreen(page, '87-yearbook')
  await page.getByRole('button', { name: 'Choose missing photos' }).click()
  const name = page.locator('main h2')
  const firstName = await name.textContent()
  await page.keyboard.press('1')
  await expect(page.getByRole('button', { name: /^1 / })).toHaveAttribute('aria-pressed', 'true')
  await checkStaffScreen(page, '88-yearbook-choice')
  await page.keyboard.press('n')
  await expect(name).not.toHaveText(firstName ?? '')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Which choices' }).selectOption('chosen')
  await expect(page.getByRole('table')).toContainText('Chosen by staff')
})
