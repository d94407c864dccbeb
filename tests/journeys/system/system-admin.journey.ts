import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { letAdministratorIn } from '#support/journeys/support-access.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

test('An administrator creates a workflow, a studio chooses it for a job, and it is archived', async ({
  page,
  request,
}) => {
  await letAdministratorIn(request)
  await test.step('The workflow is created with its steps in order', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/workflows' })
    await page.getByRole('link', { name: 'New workflow' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Sports teams')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('textbox', { name: 'Step' }).fill('Publish the gallery')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('textbox', { name: 'Step' }).nth(1).fill('Book the field')
    await page.getByLabel('Days after picture day').nth(1).fill('-30')
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

  await test.step('An address is tested', async () => {
    await page.getByRole('button', { name: 'Test an address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('State').selectOption({ label: 'Wyoming' })
    await dialog.getByLabel('ZIP code').fill('820')
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(dialog.getByText('Enter the five digits of a ZIP code')).toBeVisible()
    await dialog.getByLabel('ZIP code').fill('82001')
    await dialog.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(dialog.getByText('$8.29 tax on goods for $100.00')).toBeVisible()
    await checkStaffScreen(page, '271-test-an-address')
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('Rates are imported from a file', async () => {
    const lines = ['State,ZIP codes that start with,For,Rate,From', 'WY,820,standard,9.5%,01/01/2021']
    const file = { name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
    await page.getByLabel('CSV file to import').setInputFiles({ ...file, buffer: Buffer.from('State\nWY') })
    await expect(toastWithText(page, 'The first line has no column “ZIP codes that start with”')).toBeVisible()
    await page.getByLabel('CSV file to import').setInputFiles(file)
    await expect(toastWithText(page, '1 added, 0 changed, 0 as before')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'WY 820' })).toContainText('9.5%')
    await page.getByRole('button', { name: 'Actions for WY 820' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByRole('row').filter({ hasText: 'WY 820' })).toHaveCount(0)
  })

  await test.step('It is removed after a confirmation', async () => {
    await page.getByRole('button', { name: 'Actions for WY, Prints and other goods' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(toastWithText(page, 'The tax rate was removed').last()).toBeVisible()
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
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        await expect(dialog).toBeHidden()
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

test('An administrator adds an order service, a job can offer it, and it is removed', async ({ page, request }) => {
  await letAdministratorIn(request)
  await test.step('It is created', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/system/order-services' })
    await page.getByRole('button', { name: 'New order service' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind').selectOption({ label: 'Other service' })
    await expect(dialog.getByLabel('Level')).toHaveCount(0)
    await dialog.getByLabel('Name', { exact: true }).fill('Oak frame')
    await dialog.getByLabel('Usual price').fill('25')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('row').filter({ hasText: 'Oak frame' })).toContainText('$25.00')
    await checkStaffScreen(page, '265-order-services')
  })

  await test.step('A job can offer it at the usual price', async () => {
    await page.goto('/admin/studios/1/jobs/1/settings/standard')
    await expect(page.getByLabel('Price of Oak frame')).toHaveValue('25.00')
  })

  await test.step('It is removed', async () => {
    await page.goto('/admin/system/order-services')
    await page.getByRole('button', { name: 'Actions for Oak frame' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(toastWithText(page, 'The order service was removed')).toBeVisible()
  })
})

test('An administrator adds a product with a tag, a studio can sell it, and both are removed', async ({
  page,
  request,
}) => {
  await letAdministratorIn(request)
  const save = async () => {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
  }
  const remove = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
  }

  await test.step('A tag and a product with it are created', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/system/products/tags' })
    await page.getByRole('button', { name: 'New tag' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Wall art')
    await save()
    await expect(page.getByRole('row').filter({ hasText: 'Wall art' })).toContainText('0')
    await page.getByRole('link', { name: 'Items' }).click()
    await page.getByRole('button', { name: 'New product' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('16×20 canvas')
    await dialog.getByLabel('Code', { exact: true }).fill('16x20')
    await dialog.getByLabel('Width').fill('16')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Enter both width and height, or neither').first()).toBeVisible()
    await dialog.getByLabel('Height').fill('20')
    await dialog.getByLabel('Suggested price').fill('89')
    await dialog.getByLabel('Wall art').check()
    await checkStaffScreen(page, '267-product')
    await save()
    await expect(page.getByRole('row').filter({ hasText: '16×20 canvas' })).toContainText('Wall art')
    await checkStaffScreen(page, '266-products')
  })

  await test.step('A studio sees it with its suggested price', async () => {
    await page.goto('/admin/studios/1/pkg-set-mgmt')
    await page.getByRole('main').getByRole('row').nth(1).getByRole('link').first().click()
    await page.getByRole('link', { name: 'New package' }).first().click()
    await page.getByRole('tab', { name: 'Contents' }).click()
    await page.getByRole('button', { name: 'Add product' }).first().click()
    await expect(page.getByRole('button', { name: /16×20 canvas/ })).toContainText('suggested price $89.00')
  })

  await test.step('A product of packages names them, and is archived', async () => {
    await page.goto('/admin/system/products?filter=8x10')
    await page.getByRole('button', { name: 'Actions for 8×10 print' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expect(page.getByRole('dialog').getByRole('heading', { name: 'Used in' })).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await remove('8×10 print')
    await expect(toastWithText(page, '“8×10 print” is archived')).toBeVisible()
    await page.getByLabel('Show').selectOption({ label: 'Archived' })
    await page.getByRole('button', { name: 'Actions for 8×10 print' }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).click()
    await expect(toastWithText(page, '“8×10 print” is available again')).toBeVisible()
  })

  await test.step('A tag in use stays, and both are removed afterwards', async () => {
    await page.goto('/admin/system/products/tags')
    await remove('Wall art')
    await expect(toastWithText(page, 'This tag is in use: 16×20 canvas')).toBeVisible()
    await checkStaffScreen(page, '268-product-tags')
    await page.goto('/admin/system/products?filter=canvas')
    await remove('16×20 canvas')
    await expect(toastWithText(page, 'The product was removed')).toBeVisible()
    await page.goto('/admin/system/products/tags')
    await remove('Wall art')
    await expect(toastWithText(page, 'The tag was removed')).toBeVisible()
  })
})

test('An administrator adds a field, a job can ask for it, and it is removed', async ({ page, request }) => {
  await letAdministratorIn(request)
  await test.step('It is created with its headings in lists', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/defined-fields' })
    await page.getByRole('button', { name: 'New field' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('House')
    await dialog.getByLabel('Dropdown').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Enter at least one option').first()).toBeVisible()
    await dialog.getByLabel('Choices').fill('Red\nBlue')
    await dialog.getByLabel('Headings in lists').fill('Boarding house')
    await checkStaffScreen(page, '270-defined-field')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('row').filter({ hasText: 'House' })).toContainText('Boarding house')
    await checkStaffScreen(page, '269-defined-fields')
  })

  await test.step('A job can ask for it', async () => {
    await page.goto('/admin/studios/1/jobs/1/settings/prefields')
    await page.getByRole('button', { name: 'Add a common field' }).click()
    await expect(page.getByRole('menuitem', { name: 'House' })).toBeVisible()
  })

  await test.step('A field in use says so, and an unused one is removed', async () => {
    await page.goto('/admin/defined-fields')
    await page.getByRole('button', { name: 'Actions for Grade' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expect(page.getByRole('dialog').getByText('have this field')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Actions for House' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(toastWithText(page, 'The field was removed')).toBeVisible()
  })
})
