import sharp from 'sharp'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { openAda } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

/** An image with transparency: a red frame. */
const frameImage = (): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 200, channels: 4, background: { r: 200, g: 20, b: 20, alpha: 1 } } })
    .composite([
      {
        input: { create: { width: 200, height: 100, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 1 } } },
        blend: 'dest-out',
      },
    ])
    .png()
    .toBuffer()

test('An administrator makes a watermark the default, a parent’s previews show it, and it is removed', async ({
  page,
  browser,
}) => {
  // All previews of two studios are made again.
  test.setTimeout(300_000)
  const parentContext = await browser.newContext()
  const parent = await parentContext.newPage()
  await openAda(parent)
  const preview = parent.locator('main img[src*="/preview-"]').first()
  const namedUrl = await preview.getAttribute('src')

  await test.step('The sample shows a text, its pattern and an image as they are edited', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/watermarks' })
    await page.getByRole('button', { name: 'New watermark' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Proof')
    await dialog.getByLabel('Text', { exact: true }).fill('Proof only')
    const sample = dialog.getByAltText('The watermark on a light background')
    await expect(sample).toBeVisible()
    const seen = [await sample.getAttribute('src')]
    const expectChanged = async () => {
      await expect.poll(async () => seen.includes(await sample.getAttribute('src'))).toBe(false)
      seen.push(await sample.getAttribute('src'))
    }
    await dialog.getByLabel('Pattern').selectOption({ label: 'Once, in the middle' })
    await expectChanged()
    await dialog.getByLabel('Opacity').fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Enter a whole percentage from 5 to 100')).toBeVisible()
    await dialog.getByLabel('Opacity').fill('70')
    await expectChanged()
    await checkStaffScreen(page, '281-watermark')
    await dialog.getByLabel('Shows').selectOption({ label: 'Image' })
    const file = { name: 'frame.png', mimeType: 'image/png', buffer: await frameImage() }
    await dialog.getByLabel('Image', { exact: true }).setInputFiles(file)
    await expectChanged()
    await dialog.getByLabel('Previews have it unless their job has another one').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('Previews are made again, with their progress', async () => {
    await expect(page.getByRole('row').filter({ hasText: 'Proof' })).toContainText('Yes')
    await expect(page.getByText('Riverside Portraits')).toBeVisible({ timeout: 20_000 })
    await expect(page.getByText(/^Changing previews/)).toHaveCount(0, { timeout: 240_000 })
    await expect(page.getByText(/^Done/).first()).toBeVisible()
    await checkStaffScreen(page, '280-watermarks')
  })

  await test.step('An open page keeps its previews, and a reloaded one has new ones', async () => {
    expect((await parent.request.get(namedUrl ?? '')).status()).toBe(200)
    await openAda(parent)
    await expect(preview).not.toHaveAttribute('src', namedUrl ?? '')
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  })

  await test.step('Without it, previews show the name of the studio again', async () => {
    await page.getByRole('button', { name: 'Actions for Proof' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(toastWithText(page, 'The watermark was removed')).toBeVisible()
    await expect
      .poll(
        async () => {
          await openAda(parent)
          return await preview.getAttribute('src')
        },
        { timeout: 240_000 },
      )
      .toBe(namedUrl)
  })
  await parentContext.close()
})
