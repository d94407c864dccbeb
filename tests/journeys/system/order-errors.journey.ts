import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { orderEntryApi } from '#support/journeys/order-entry-api.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { staffApi } from '#support/journeys/staff-api.ts'
import { letAdministratorIn } from '#support/journeys/support-access.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

const desk = { width: 1280, height: 800 }
test.use({ viewport: desk, isMobile: false, hasTouch: false, contextOptions: { reducedMotion: 'reduce' } })

const admin = 'admin@fieldproof.test'

/** Renames each file with this name in a folder and the folders below it. */
const renameAll = async (folder: string, from: string, to: string): Promise<void> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const named = files.filter(({ name }) => name === from)
  expect(named.length).toBeGreaterThan(0)
  for (const { parentPath } of named) await rename(join(parentPath, from), join(parentPath, to))
}
const background = { timeout: 30_000 }

test('An administrator finds orders that failed, ignores one and retries the other until it succeeds', async ({
  page,
  request,
  product,
}) => {
  const originals = join(product.dataDir, 'files/demo/riverside/spring')
  const staff = await staffApi(request, 1)
  const orderEntry = await orderEntryApi(request, 1)
  await letAdministratorIn(request)
  await orderEntry.shipInBatches()
  const orders = [await orderEntry.order('standard'), await orderEntry.order('standard')]
  const [ignoredOrder = '', retriedOrder = ''] = orders

  await test.step('Without the files of the images, two packets fail', async () => {
    await renameAll(originals, 'original', 'away')
    for (const orderNumber of orders) {
      const { id } = await staff('POST', 'orders/submit', { orderNumbers: [orderNumber] })
      await expect.poll(async () => (await staff('GET', `packets/${id}`)).state, background).toBe('failed')
    }
  })

  await test.step('Home leads to the errors, grouped by their cause', async () => {
    await signIn(page, { email: admin, at: '/admin' })
    await page.getByRole('link', { name: /Order errors.*not resolved/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Order errors' })).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: 'Order not sent to the lab' })
    await expect(row).toContainText('is not here any more')
    await checkStaffScreen(page, '275-order-errors')
    await page.setViewportSize(desk)
    await row.getByRole('button', { name: 'Order not sent to the lab', exact: true }).click()
    await expect(page.getByRole('link', { name: ignoredOrder })).toBeVisible()
    await checkStaffScreen(page, '276-errors-of-a-cause')
    await page.setViewportSize(desk)
  })

  await test.step('One is ignored with a reason, and can be shown again', async () => {
    await page.getByRole('row').filter({ hasText: ignoredOrder }).getByRole('button', { name: 'Ignore' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ignore errors' })
    await dialog.getByRole('button', { name: 'Ignore' }).click()
    await expect(dialog.getByText('This field is required')).toBeVisible()
    await dialog.getByLabel('Reason').fill('The customer cancels it')
    await dialog.getByRole('button', { name: 'Ignore' }).click()
    await expect(page.getByText('1 error ignored until it fails again.')).toBeVisible()
    await expect(page.getByRole('link', { name: ignoredOrder })).toBeHidden()
    await page.getByLabel('State').selectOption({ label: 'Ignored' })
    await expect(page.getByText(/The customer cancels it/)).toBeVisible()
    await page.getByLabel('State').selectOption({ label: 'Open' })
  })

  await test.step('The other is retried in bulk: it stays while the files are missing, and leaves once they are back', async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('1 error retried. Each leaves the list as soon as it succeeds.')).toBeVisible()
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('link', { name: retriedOrder })).toBeVisible({ timeout: 2000 })
    }).toPass(background)
    await page.getByRole('link', { name: retriedOrder }).click()
    await expect(page.getByText('Something failed for this order')).toBeVisible()
    await checkStaffScreen(page, '278-order-with-error')
    await page.setViewportSize(desk)
    await renameAll(originals, 'away', 'original')
    await page.getByRole('link', { name: 'Open its errors' }).click()
    await page.getByRole('row').filter({ hasText: retriedOrder }).getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('1 error retried. Each leaves the list as soon as it succeeds.')).toBeVisible()
    await expect(async () => {
      await page.reload()
      await expect(page.getByText('No matches')).toBeVisible({ timeout: 2000 })
    }).toPass(background)
  })
})

test('An administrator pauses a studio, its staff upload an image, and it is processed after the studio is resumed', async ({
  page,
  browser,
}) => {
  await signIn(page, { email: admin, at: '/admin/system/galleries-processing' })

  await test.step('The studio is paused with a reason', async () => {
    await page.getByRole('combobox', { name: 'Studio', exact: true }).selectOption('1')
    await page.getByRole('button', { name: /^Pause “/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Too many files')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText(/Too many files/)).toBeVisible()
  })

  const context = await browser.newContext({ viewport: desk })
  const staffPage = await context.newPage()
  await test.step('Staff see the pause and upload an image, which waits', async () => {
    await signIn(staffPage, { email: 'owner@riverside.test', at: '/admin/studios/1/jobs/3/images' })
    await expect(staffPage.getByText('Processing is paused')).toBeVisible()
    const noise = { type: 'gaussian' as const, mean: 120, sigma: 30 }
    const create = { width: 320, height: 400, channels: 3 as const, background: '#888', noise }
    const buffer = await sharp({ create }).jpeg().toBuffer()
    await staffPage.getByLabel('Images to upload').setInputFiles({ name: 'late.jpg', mimeType: 'image/jpeg', buffer })
    await expect(staffPage.getByText('Being checked')).toBeVisible(background)
  })

  await test.step('The list shows the waiting upload without a reload, until the studio is resumed', async () => {
    const row = page.getByRole('row').filter({ hasText: 'Uploads' })
    await expect(row).toContainText('Paused', background)
    await expect(row).toContainText('0 of 1')
    await checkStaffScreen(page, '277-galleries-processing')
    await page.setViewportSize(desk)
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Resume the studio' }).click()
    await expect(toastWithText(page, 'continues')).toBeVisible()
    await expect(row).toBeHidden(background)
    await expect(staffPage.getByText('1 of 1 file done')).toBeVisible(background)
  })
  await context.close()
})
