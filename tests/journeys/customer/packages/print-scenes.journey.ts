import type { Page } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { choosePackage, openAda } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

const openScenes = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'See it in a room' }).click()
  await expect(page.getByRole('dialog', { name: 'See it in a room' })).toBeVisible()
}

test('The chosen prints are shown to scale in every scene that suits them, also offline', async ({ page }) => {
  await openAda(page)
  await choosePackage(page, /Package B/)
  await openScenes(page)
  const dialog = page.getByRole('dialog')
  const names = await dialog.getByRole('tab').allTextContents()
  expect(names).toEqual(['Wall', 'Frame', 'Shelf', 'Hand'])
  for (const [index, name] of names.entries()) {
    await dialog.getByRole('tab', { name }).click()
    await expect(
      dialog.getByRole('img', { name: new RegExp(`^(On|In) a ${name.toLowerCase()}: .*drawn to scale$`) }),
    ).toBeVisible()
    await expect(dialog.getByText('drawn to scale.')).toBeVisible()
    await checkScreen(page, `${70 + index}-scene-${name.toLowerCase()}`)
  }

  await test.step('Escape closes it, and the button has the focus again', async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'See it in a room' })).toBeFocused()
  })

  await test.step('It opens offline after a reload', async () => {
    await waitUntilPageCached(page)
    await page.context().setOffline(true)
    await page.reload()
    await openScenes(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    await expect(dialog.getByRole('img', { name: 'In a hand: ' })).toBeVisible()
    await page.context().setOffline(false)
  })
})
