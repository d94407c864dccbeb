import type { Page } from 'playwright/test'
import {
  addToCart,
  cartStatus,
  choosePackage,
  idsInUrl,
  openAda,
  savedAtServer,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

const quantity = (page: Page) => page.locator('article output')

test('Fast taps in two tabs with the same cart all count, and are saved at the server', async ({ page, context }) => {
  await openAda(page)
  await choosePackage(page, /Package F/)
  await addToCart(page)
  const otherTab = await context.newPage()
  await otherTab.goto(page.url())
  const tabs = [page, otherTab]
  for (const tab of tabs) await expect(quantity(tab)).toHaveText('1')
  const moreButtons = tabs.map((tab) => tab.getByRole('button', { name: /^One more/ }))
  const fewerButtons = tabs.map((tab) => tab.getByRole('button', { name: /^One fewer/ }))
  // Clicks within the pages, without Playwright's checks, so that the taps of both tabs overlap.
  const tapBoth = (buttons: typeof moreButtons, times: number) =>
    Promise.all(
      buttons.map((button) =>
        button.evaluate((element, count) => {
          for (let tap = 0; tap < count; tap += 1) (element as HTMLButtonElement).click()
        }, times),
      ),
    )
  for (let round = 0; round < 5; round += 1) await tapBoth(moreButtons, 1)
  for (const tab of tabs) await expect(quantity(tab)).toHaveText('11')
  await tapBoth(moreButtons, 10)
  for (const tab of tabs) await expect(quantity(tab)).toHaveText('31')
  await tapBoth(fewerButtons, 5)
  for (const tab of tabs) {
    await expect(quantity(tab)).toHaveText('21')
    await expect(cartStatus(tab)).toHaveText(savedAtServer)
  }
})

test('A change of the cart in one tab is shown at once in the other', async ({ page, context }) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  const otherTab = await context.newPage()
  await otherTab.goto(`/riverside/${jobId}/cart`)
  await expect(otherTab.getByText('Your cart is empty')).toBeVisible()

  await choosePackage(page, /Package B/)
  await addToCart(page)
  await expect(otherTab.getByRole('article', { name: /Package B/ })).toBeVisible()
  await otherTab.getByRole('button', { name: 'One more Package B' }).click()
  await expect(page.getByRole('group', { name: 'Quantity of Package B' }).getByRole('status')).toHaveText('2')
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await expect(cartStatus(otherTab)).toHaveText(savedAtServer)
})
