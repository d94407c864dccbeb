import type { Page } from 'playwright/test'
import { readBrowserStorage } from '#support/browser/browser-storage.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { openOtherDevice } from '#support/browser/other-device.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { expectImagesLoaded, openAda } from '#support/journeys/customer-steps.ts'
import {
  allowPageErrors,
  expect,
  missingImageErrors,
  test,
  waitForServiceWorker,
} from '#support/journeys/journey-test.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const imagePaths = (page: Page): Promise<string[]> =>
  page.locator('main img').evaluateAll((images) => images.map((image) => image.getAttribute('src') ?? ''))

test('A parent who looks at one photo on the whole screen creates a link to exactly that photo', async ({ page }) => {
  await openAda(page)
  await page.getByRole('button', { name: 'Enlarge Photo 1' }).click()
  const viewer = page.getByRole('dialog', { name: 'Ada’s photos' })
  await expect(viewer).toHaveAttribute('aria-busy', 'false')
  await page.keyboard.press('ArrowRight')
  await expectImagesLoaded(page)
  await checkScreen(page, '110-photo-on-whole-screen')
  await viewer.getByRole('button', { name: 'Show to someone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Show to someone' })
  await expect(dialog.getByText('1 photo chosen')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: 'Photo 2' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Enlarge Photo 2' })).toBeFocused()
})

test('A parent shares photos with someone, who can no longer see them once the parent stops sharing', async ({
  page,
  browser,
  baseURL,
  pageErrors,
}) => {
  await openAda(page)
  await waitUntilPageCached(page)
  const dialog = page.getByRole('dialog', { name: 'Show to someone' })
  const address = await test.step('The parent chooses photos and creates a link', async () => {
    await page.getByRole('button', { name: 'Show to someone' }).click()
    await expect(dialog.getByText('Links you make appear here')).toBeVisible()
    await dialog.getByRole('checkbox', { name: 'Photo 1' }).uncheck()
    await page.context().setOffline(true)
    await expect(dialog.getByText('You’re offline: this needs a connection.')).toBeVisible()
    await page.context().setOffline(false)
    await expect(dialog.getByText('You’re offline')).toBeHidden()
    await checkScreen(page, '110-show-to-someone')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await expect(dialog.getByText(/^Anyone with this link can look at these photos until/)).toBeVisible()
    await checkScreen(page, '110-link-created')
    return await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  })
  expect(new URL(address).pathname).toMatch(/^\/riverside\/shared\/[\w-]{22}$/)

  const { page: viewer, context } = await openOtherDevice(browser, { url: baseURL ?? '', pageErrors })
  const paths = await test.step('Someone else sees previews with a watermark, and nothing more', async () => {
    await viewer.goto(address)
    await expect(viewer.getByRole('heading', { level: 1, name: 'Ada’s photos' })).toBeVisible()
    await waitForServiceWorker(viewer)
    await viewer.reload()
    await expect(viewer.getByRole('heading', { level: 1, name: 'Ada’s photos' })).toBeVisible()
    await expectImagesLoaded(viewer)
    await checkScreen(viewer, '111-shared-photos')
    await expect(viewer.getByText('Lovelace')).toBeHidden()
    await expect(viewer.getByRole('link', { name: /cart/i })).toHaveCount(0)
    const cookies = await context.cookies()
    expect(cookies.map(({ name, path, expires }) => [name, path, expires])).toEqual([
      ['fieldproof_viewed', `/api/customer/studios${new URL(address).pathname}`, -1],
    ])
    const shown = await imagePaths(viewer)
    expect(shown).toHaveLength(3)
    for (const path of shown) expect(path).toMatch(/^\/photos\/shared\/riverside\/[\w-]{22}\/\d+\/preview-[0-9a-f]+$/)
    return shown
  })
  const statusOf = async (path: string) => (await context.request.get(path)).status()
  expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map(() => 200))
  // Neither the photos nor their list are stored on the device.
  const { cached } = await readBrowserStorage(context, viewer)
  expect(
    Object.values(cached)
      .flat()
      .filter((path) => /^\/photos\/|\/shared\//.test(path)),
  ).toEqual([])

  await test.step('Without a connection nothing of it is shown', async () => {
    await context.setOffline(true)
    await viewer.reload()
    await expect(viewer.getByRole('heading', { level: 1, name: 'The photos did not load' })).toBeVisible()
    expect(await imagePaths(viewer)).toEqual([])
    await context.setOffline(false)
  })
  await test.step('The parent stops it, and it is gone at once', async () => {
    await dialog.getByRole('button', { name: /^Stop sharing/ }).click()
    await expect(dialog.getByText('Links you make appear here')).toBeVisible()
    expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map(() => 404))
    await viewer.goto(address)
    await expect(viewer.getByRole('heading', { level: 1, name: 'This link has ended' })).toBeVisible()
    await checkScreen(viewer, '111-link-ended')
    await context.setOffline(true)
    await viewer.reload()
    await expect(viewer.getByRole('heading', { level: 1, name: 'The photos did not load' })).toBeVisible()
    expect(await imagePaths(viewer)).toEqual([])
  })
  await context.close()
  allowPageErrors(pageErrors, missingImageErrors)
})
