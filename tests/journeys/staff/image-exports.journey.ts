import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

const imageExports = '/admin/studios/1/jobs/1/images/exports'

test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: false })

test('staff preview the first crops, export the yearbook, and download it when it is ready', async ({ page }) => {
  await signIn(page, { at: imageExports })
  await page.getByRole('button', { name: 'Preview' }).click()
  const images = page.getByRole('list', { name: 'The first images' }).getByRole('img')
  await expect(images.first()).toBeVisible()
  await expect.poll(() => images.first().evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await checkStaffScreen(page, '89-image-exports')
  await page.getByRole('button', { name: /^Export \d+ images$/ }).click()
  const download = page.getByRole('button', { name: /^Download / })
  await expect(download).toBeVisible({ timeout: 30_000 })
  await checkStaffScreen(page, '90-finished-export')
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
  expect(file.suggestedFilename()).toMatch(/\.zip$/)
})
