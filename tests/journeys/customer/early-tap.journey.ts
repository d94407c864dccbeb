import { enterAccessCode } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

test('A code that is sent before the page can handle it opens its job once the page can', async ({ page }) => {
  const released = Promise.withResolvers<void>()
  await page.route(/\/assets\/landing-[^/]*\.js$/, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto('/riverside')
  await enterAccessCode(page, 'RAPIDS')
  await expect(page).toHaveURL('/riverside')
  released.resolve()
  await expect(page).toHaveURL(/\/riverside\/\d+\//)
})
