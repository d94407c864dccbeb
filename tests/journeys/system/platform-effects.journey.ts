import { addAndSyncPackage, fillCheckoutForm } from '#support/journeys/customer-steps.ts'
import { collectPageErrors, expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

test('A tax rate and a shipping price that an administrator changes are in a parent’s next total', async ({
  page,
  browser,
  baseURL,
  pageErrors,
}) => {
  const bill = page.getByRole('region', { name: 'Order total' })
  const amountOf = async (name: string): Promise<number> => {
    const row = await bill.getByText(name, { exact: true }).locator('..').innerText()
    return Number(/\$([\d.]+)/.exec(row)?.[1])
  }
  await addAndSyncPackage(page, /Package C/)
  await fillCheckoutForm(page)
  await expect(bill.getByText('Standard Shipping', { exact: true })).toBeVisible()
  await expect.poll(() => amountOf('Tax')).toBeGreaterThan(0)
  const [tax, shipping] = [await amountOf('Tax'), await amountOf('Standard Shipping')]

  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) })
  collectPageErrors(context, pageErrors)
  const admin = await context.newPage()
  await test.step('A higher rate for Dayton, and a higher price of the shipping', async () => {
    await signIn(admin, { email: 'admin@fieldproof.test', at: '/admin/system/taxes' })
    await admin.getByRole('button', { name: 'New tax rate' }).first().click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel('State').selectOption({ label: 'Ohio' })
    await dialog.getByLabel('ZIP codes that start with').fill('454')
    await dialog.getByLabel('Rate').fill('40')
    await dialog.getByLabel('From').fill('2021-01-01')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await admin.goto('/admin/system/shipping-options')
    await admin.getByRole('button', { name: 'Actions for Standard Shipping' }).click()
    await admin.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByLabel('Price', { exact: true }).fill('9.45')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
  })
  await test.step('The parent’s total has both', async () => {
    await page.reload()
    await expect.poll(() => amountOf('Standard Shipping')).toBe(9.45)
    await expect.poll(() => amountOf('Tax')).toBeGreaterThan(2 * tax)
    expect(shipping).toBe(6.95)
  })
  await context.close()
})
