import { enterAccessCode } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

for (const { file, pattern } of [
  { file: 'any script', pattern: /\/assets\/index-[^/]*\.js$/ },
  { file: 'the code of its screen', pattern: /\/assets\/landing-[^/]*\.js$/ },
]) {
  test(`A code that is sent before the page has loaded ${file} opens its job once it has`, async ({ page }) => {
    const released = Promise.withResolvers<void>()
    await page.route(pattern, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto('/riverside', { waitUntil: 'domcontentloaded' })
    await enterAccessCode(page, 'RAPIDS')
    await expect(page).toHaveURL('/riverside')
    released.resolve()
    await expect(page).toHaveURL(/\/riverside\/\d+\//)
  })
}
