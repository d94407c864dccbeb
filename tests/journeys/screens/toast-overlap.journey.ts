import type { Locator, Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

test.use({ hasTouch: true, contextOptions: { reducedMotion: 'reduce' } })

const verificationMessage = 'This studio needs to be verified by the partner to access this feature'

type Box = { x: number; y: number; width: number; height: number }

const readBoxes = async (locator: Locator): Promise<Box[]> => {
  const boxes = await Promise.all((await locator.all()).map((element) => element.boundingBox()))
  return boxes.filter((box) => box !== null)
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Checks that no toast covers a button or link. Returns the boxes of the buttons and links. */
const expectActionsUncovered = async (page: Page) => {
  const toasts = page.locator('.Toastify__toast')
  const actions = page.locator('[data-actions] :is(a, button):visible, [role="dialog"] button:visible')
  const areActionsCovered = async () => {
    const [toastBoxes, actionBoxes] = [await readBoxes(toasts), await readBoxes(actions)]
    if (toastBoxes.length === 0 || actionBoxes.length === 0) return 'no toast or no action'
    return toastBoxes.some((toast) => actionBoxes.some((action) => overlap(toast, action)))
  }
  await expect.poll(areActionsCovered, { message: 'whether a toast covers an action' }).toBe(false)
  return readBoxes(actions)
}

for (const viewport of [
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
]) {
  test.describe(`on a tablet of ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport })

    test('A toast does not cover the action buttons and links of a screen', async ({ page }) => {
      // A toast does not close while its window has no focus. It would close before a busy machine has looked at it.
      await page.addInitScript(() => {
        setInterval(() => window.dispatchEvent(new Event('blur')), 100)
      })
      // Only verified studios may open galleries, so the owner is redirected to the profile.
      await page.goto(`/login?ret=${encodeURIComponent('/admin/studios/2/galleries')}`)
      await page.getByRole('textbox', { name: 'Email' }).fill('owner@summit.test')
      await page.getByLabel('Password', { exact: true }).fill('fieldproof-demo')
      await page.getByRole('button', { name: 'Log in' }).click()
      await expect(page.locator('.Toastify__toast').filter({ hasText: verificationMessage })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
      const actionBoxes = await expectActionsUncovered(page)
      await checkStaffScreen(page, `99-toast-${viewport.width}`)
      expect(actionBoxes.length).toBeGreaterThan(1)
    })
  })
}
