import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

test('An administrator creates a workflow, a studio chooses it for a job, and it is archived', async ({ page }) => {
  await test.step('The workflow is created with its steps in order', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/workflows' })
    await page.getByRole('link', { name: 'New workflow' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Sports teams')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('textbox', { name: 'Step' }).fill('Publish the gallery')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('textbox', { name: 'Step' }).nth(1).fill('Book the field')
    await page.getByLabel('Due, in days').nth(1).fill('-30')
    await page.getByRole('button', { name: /^Move Book the field/ }).press('ArrowUp')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sports teams' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Step' }).first()).toHaveValue('Book the field')
    await checkStaffScreen(page, '261-workflow')
  })

  await test.step('A studio chooses it for a job', async () => {
    await page.goto('/admin/studios/1/jobs/1/workflows')
    await page.getByRole('combobox').selectOption({ label: 'Sports teams' })
    await expect(page.getByText('Book the field')).toBeVisible()
  })

  await test.step('It is archived, because a job has it, and can be restored', async () => {
    await page.goto('/admin/workflows')
    const row = page.getByRole('row').filter({ hasText: 'Sports teams' })
    await expect(row.getByRole('cell').nth(1)).toHaveText('1')
    await checkStaffScreen(page, '260-workflows')
    await page.getByRole('button', { name: 'Actions for Sports teams' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(toastWithText(page, '“Sports teams” is archived')).toBeVisible()
    await page.getByLabel('Show').selectOption({ label: 'Archived' })
    await page.getByRole('button', { name: 'Actions for Sports teams' }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).click()
    await expect(toastWithText(page, '“Sports teams” can be chosen again')).toBeVisible()
  })
})

test('An administrator adds a tax rate and removes it', async ({ page }) => {
  await test.step('The rate is refused until its percentage is valid', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/system/taxes' })
    await page.getByRole('button', { name: 'New tax rate' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('State').selectOption({ label: 'Wyoming' })
    await dialog.getByLabel('Rate').fill('8.12345')
    await dialog.getByLabel('From').fill('2020-01-01')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Enter a percentage from 0 to 100, with at most four decimals')).toBeVisible()
    await dialog.getByLabel('Rate').fill('8.29')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    const row = page.getByRole('row').filter({ hasText: 'WY' })
    await expect(row).toContainText('8.29%')
    await checkStaffScreen(page, '262-taxes')
  })

  await test.step('It is removed after a confirmation', async () => {
    await page.getByRole('button', { name: 'Actions for WY, Prints and other goods' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(toastWithText(page, 'The rate was removed')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'WY' })).toHaveCount(0)
  })
})

test('An administrator adds, edits and removes a shipping option', async ({ page }) => {
  await test.step('The option is created, and a second one with its code is refused', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/system/shipping-options' })
    await expect(page.getByRole('row').filter({ hasText: 'Priority Shipping' })).toContainText('$12.95')
    for (const code of ['priority', 'overnight']) {
      await page.getByRole('button', { name: 'New shipping option' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name', { exact: true }).fill('Overnight')
      await dialog.getByLabel('Code').fill(code)
      await dialog.getByLabel('Price', { exact: true }).fill('24.95')
      await dialog.getByRole('button', { name: 'Save' }).click()
      if (code === 'overnight') await expect(dialog).toBeHidden()
      else {
        await expect(dialog.getByText('Another shipping option has this code')).toBeVisible()
        await checkStaffScreen(page, '264-shipping-option')
        await dialog.getByRole('button', { name: 'Undo changes' }).click()
        await dialog.getByRole('button', { name: 'Close' }).click()
      }
    }
    await expect(page.getByRole('row').filter({ hasText: 'Overnight' })).toContainText('$24.95')
    await checkStaffScreen(page, '263-shipping-options')
  })

  await test.step('It is edited and removed', async () => {
    await page.getByRole('button', { name: 'Actions for Overnight' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Price', { exact: true }).fill('19.95')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Overnight' })).toContainText('$19.95')
    await page.getByRole('button', { name: 'Actions for Overnight' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(toastWithText(page, 'The shipping option was removed')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Overnight' })).toHaveCount(0)
  })
})
