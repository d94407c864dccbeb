import type { Page } from 'playwright/test'
import { addToCart, cartStatus, choosePackage, openAda, savedAtServer } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

const quantity = (page: Page) => page.locator('article output')

test('taps in two tabs in turn add up, however fast they come', async ({ page, context }) => {
  await openAda(page)
  await choosePackage(page, /Package F/)
  await addToCart(page)
  const other = await context.newPage()
  await other.goto(page.url())
  const tabs = [page, other]
  for (const tab of tabs) await expect(quantity(tab)).toHaveText('1')
  const more = tabs.map((tab) => tab.getByRole('button', { name: /^One more/ }))
  const fewer = tabs.map((tab) => tab.getByRole('button', { name: /^One fewer/ }))
  // Clicks from the page itself, without Playwright's checks, as close together as fingers on two screens.
  const tapBoth = (buttons: typeof more, times: number) =>
    Promise.all(
      buttons.map((button) =>
        button.evaluate((element, count) => {
          for (let tap = 0; tap < count; tap += 1) (element as HTMLButtonElement).click()
        }, times),
      ),
    )
  for (let round = 0; round < 5; round += 1) await tapBoth(more, 1)
  for (const tab of tabs) await expect(quantity(tab)).toHaveText('11')
  await tapBoth(more, 10)
  for (const tab of tabs) await expect(quantity(tab)).toHaveText('31')
  await tapBoth(fewer, 5)
  for (const tab of tabs) {
    await expect(quantity(tab)).toHaveText('21')
    await expect(cartStatus(tab)).toHaveText(savedAtServer)
  }
})
