import type { Locator, Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

test.use({ hasTouch: true, contextOptions: { reducedMotion: 'reduce' } })

const verification = 'This studio needs to be verified by the partner to access this feature'

type Box = { x: number; y: number; width: number; height: number }

const boxesOf = async (found: Locator): Promise<Box[]> => {
  const boxes = await Promise.all((await found.all()).map((one) => one.boundingBox()))
  return boxes.filter((box) => box !== null)
}

const cover = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** Checks that no toast covers a button or link in view. */
const expectActionsFree = async (page: Page) => {
  const toasts = page.locator('.Toastify__toast')
  const actions = page.locator('[data-actions] :is(a, button):visible, [role="dialog"] button:visible')
  const covered = async () => {
    const [over, under] = [await boxesOf(toasts), await boxesOf(actions)]
    if (over.length === 0 || under.length === 0) return 'nothing to look at'
    return over.some((one) => under.some((other) => cover(one, other)))
  }
  await expect.poll(covered, { message: 'whether a toast covers something to tap' }).toBe(false)
  return boxesOf(actions)
}

for (const viewport of [
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
]) {
  test.describe(`on a tablet of ${viewport.width} × ${viewport.height}`, () => {
    test.use({ viewport })

    test('A toast never covers what saves, leads or confirms', async ({ page }) => {
      // After signing in, the owner is redirected from what only verified studios may open.
      await page.goto(`/login?ret=${encodeURIComponent('/admin/studios/2/galleries')}`)
      await page.getByRole('textbox', { name: 'Email' }).fill('owner@summit.test')
      await page.getByLabel('Password', { exact: true }).fill('fieldproof-demo')
      await page.getByRole('button', { name: 'Log in' }).click()
      const toast = page.locator('.Toastify__toast').filter({ hasText: verification })
      // A toast stays while the pointer is on it.
      await toast.hover()
      await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
      const before = await expectActionsFree(page)
      await checkStaffScreen(page, `99-toast-${viewport.width}`)
      expect(before.length).toBeGreaterThan(1)
    })
  })
}
