import { expect, type Page } from 'playwright/test'

/** Signs in a staff member of the demo data, and opens the path `at`. */
export const signIn = async (page: Page, { email = 'staff@riverside.test', at }: { email?: string; at: string }) => {
  await page.goto(`/login?ret=${encodeURIComponent(at)}`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(new RegExp(`${at}$`))
}
