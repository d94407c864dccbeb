import type { Page } from 'playwright/test'
import { createBrowserProfile } from '#support/browser/killable-browser.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { addToCart, cartStatus, choosePackage, openAda, savedAtServer } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

/** The notices about installation and storage that a cart with packages shows. */

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const fillCart = async (page: Page): Promise<void> => {
  await openAda(page)
  await waitUntilPageCached(page)
  await choosePackage(page, /Package F/)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
}

/** Fires the event that offers installation. Its prompt resolves with the outcome. */
const fireInstallPrompt = (page: Page, outcome: 'accepted' | 'dismissed') =>
  page.evaluate((outcome) => {
    const promptEvent = new Event('beforeinstallprompt', { cancelable: true })
    window.dispatchEvent(Object.assign(promptEvent, { prompt: async () => ({ outcome }) }))
  }, outcome)

const notice = (page: Page, title: string) => page.getByRole('main').getByText(title, { exact: true })

test('The cart offers installation with the browser’s own prompt, and not again after it is declined', async ({
  page,
}) => {
  await openAda(page)
  await fireInstallPrompt(page, 'dismissed')
  await expect(notice(page, 'Add to your home screen')).toHaveCount(0)
  await choosePackage(page, /Package F/)
  await addToCart(page)
  await expect(notice(page, 'Add to your home screen')).toBeVisible()
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await checkScreen(page, '86-install-offer')
  await page.getByRole('button', { name: 'Add to home screen' }).click()
  await expect(notice(page, 'Add to your home screen')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).toBeVisible()
  await fireInstallPrompt(page, 'accepted')
  await expect(page.getByRole('article', { name: /Package F/ })).toBeVisible()
  await expect(notice(page, 'Add to your home screen')).toHaveCount(0)
})

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

test.describe('on an iPhone', () => {
  test.use({ userAgent: iPhone })

  test('The steps to the home screen are shown on an iPhone, and can be dismissed for good', async ({ page }) => {
    await fillCart(page)
    await page.getByRole('button', { name: 'Show me how' }).click()
    await expect(page.getByRole('dialog', { name: 'Add to your home screen' })).toBeVisible()
    await checkScreen(page, '87-install-steps')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Show me how' })).toBeFocused()
    await page
      .getByRole('status')
      .filter({ hasText: 'Add to your home screen' })
      .getByRole('button', { name: 'Dismiss' })
      .click()
    await page.reload()
    await expect(page.getByRole('article', { name: /Package F/ })).toBeVisible()
    await expect(notice(page, 'Add to your home screen')).toHaveCount(0)
  })
})

test('In a private window the cart shows that it will be lost when the window closes', async ({ page }) => {
  await fillCart(page)
  await expect(notice(page, 'You’re in a private window')).toBeVisible()
  await checkScreen(page, '88-private-window')
  await page.getByRole('status').filter({ hasText: 'private window' }).getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice(page, 'You’re in a private window')).toHaveCount(0)
})

test('The cart warns about low storage, and offline it shows when its prices were checked', async ({ baseURL }) => {
  // A browser with its own profile, because the contexts of all other tests are private windows.
  const profile = await createBrowserProfile(String(baseURL))
  const { context } = await profile.launch()
  await context.addInitScript(() => {
    navigator.storage.estimate = async () => ({ quota: 10_060_000_000, usage: 10_055_000_000 })
  })
  const page = await context.newPage()
  await fillCart(page)
  await expect(notice(page, 'This phone is almost out of room')).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText(/^Prices checked \d+:\d\d (AM|PM)$/)).toBeVisible()
  await checkScreen(page, '89-little-room')
  await context.close()
  await profile.remove()
})
