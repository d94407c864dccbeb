import sharp from 'sharp'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import {
  addAndSyncPackage,
  fillCardForm,
  fillCheckoutForm,
  pay,
  readOrderNumber,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { collectPageErrors, expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { letAdministratorIn } from '#support/journeys/support-access.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

const canvasPhoto = (): Promise<Buffer> =>
  sharp({ create: { width: 400, height: 500, channels: 3, background: { r: 30, g: 90, b: 160 } } })
    .jpeg()
    .toBuffer()

test('A product of an administrator is sold: with its image, in a studio’s package, to a parent, until it is archived', async ({
  page,
  browser,
  baseURL,
  request,
  pageErrors,
}) => {
  test.setTimeout(300_000)
  await letAdministratorIn(request)
  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) })
  collectPageErrors(context, pageErrors)
  const admin = await context.newPage()
  const dialog = admin.getByRole('dialog')
  const openProduct = async () => {
    await admin.goto('/admin/system/products?filter=metal')
    await admin.getByRole('button', { name: 'Actions for 20×24 metal print' }).click()
    await admin.getByRole('menuitem', { name: 'Edit' }).click()
  }

  await test.step('An administrator creates the product, and uploads its image', async () => {
    await signIn(admin, { email: 'admin@fieldproof.test', at: '/admin/system/products' })
    await admin.getByRole('button', { name: 'New product' }).first().click()
    await dialog.getByLabel('Name', { exact: true }).fill('20×24 metal print')
    await dialog.getByLabel('Code', { exact: true }).fill('20x24-metal')
    await dialog.getByLabel('Width').fill('20')
    await dialog.getByLabel('Height').fill('24')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await openProduct()
    const file = { name: 'metal.jpg', mimeType: 'image/jpeg', buffer: await canvasPhoto() }
    await dialog.getByRole('region', { name: 'Image' }).getByLabel('Image').setInputFiles(file)
    await expect(dialog.getByRole('img', { name: '20×24 metal print' })).toBeVisible()
    await checkStaffScreen(admin, '291-product-image')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(admin.getByRole('row').filter({ hasText: '20×24 metal print' }).locator('img')).toBeVisible()
  })

  await test.step('The studio adds it to a package by its image', async () => {
    await admin.goto('/admin/studios/1/pkg-set-mgmt/1/packages/new')
    await admin.getByRole('textbox', { name: 'Name', exact: true }).fill('Metal wall')
    await admin.getByRole('spinbutton', { name: 'Price, $' }).fill('120')
    await admin.getByRole('tab', { name: /Contents/ }).click()
    await admin.getByRole('button', { name: 'Add product' }).first().click()
    const choice = admin.getByRole('button', { name: /^20×24 metal print/ })
    await expect(choice.locator('img')).toBeVisible()
    await checkStaffScreen(admin, '292-add-product')
    await choice.click()
    await admin.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(admin.getByRole('heading', { level: 1, name: 'Metal wall' })).toBeVisible()
  })

  const orderNumber = await test.step('A parent buys the package, and the order shows it', async () => {
    await addAndSyncPackage(page, /Metal wall/)
    await fillCheckoutForm(page)
    await fillCardForm(page, testCards.good)
    await pay(page)
    const number = await readOrderNumber(page)
    await expect(page.getByText('Metal wall').first()).toBeVisible()
    return number
  })

  await test.step('The studio’s order shows it', async () => {
    await admin.goto(`/admin/studios/1/jobs/1/orders/order/${orderNumber}`)
    await expect(admin.getByRole('main').getByText('Metal wall').first()).toBeVisible()
  })

  await test.step('The administrator is told where it is used, archives it, and studios no longer see it', async () => {
    await openProduct()
    await expect(dialog.getByRole('link', { name: /Metal wall$/ })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await admin.getByRole('button', { name: 'Actions for 20×24 metal print' }).click()
    await admin.getByRole('menuitem', { name: 'Remove' }).click()
    await admin.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(toastWithText(admin, '“20×24 metal print” is archived')).toBeVisible()
    await admin.goto('/admin/studios/1/pkg-set-mgmt/1/packages/new')
    await admin.getByRole('tab', { name: /Contents/ }).click()
    await admin.getByRole('button', { name: 'Add product' }).first().click()
    await expect(admin.getByRole('button', { name: /^8×10 print/ })).toBeVisible()
    await expect(admin.getByRole('button', { name: /^20×24 metal print/ })).toBeHidden()
  })
  await context.close()
})
