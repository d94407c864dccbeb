import type { Page } from 'playwright/test'
import { addToCart, cartStatus, choosePackage, openAda, savedAtServer } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

const clearDatabase = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
}

const deleteDatabase = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('cart')
        request.onsuccess = () => resolve()
        request.onerror = () => reject(request.error)
      }),
  )

test('A cart whose database is cleared while its pages are open comes back from the server without a reload', async ({
  page,
  context,
}) => {
  await openAda(page)
  await choosePackage(page, /Package F/)
  await addToCart(page)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  const otherTab = await context.newPage()
  await otherTab.goto(page.url())
  await expect(otherTab.getByRole('article')).toHaveCount(1)
  for (const clear of [clearDatabase, deleteDatabase, clearDatabase]) {
    await clear(page)
    for (const tab of [otherTab, page]) {
      await tab.bringToFront()
      // Navigates to the cart within the page, so that the cart is read from the database again.
      await tab.getByRole('link', { name: 'Order for another child' }).click()
      await tab.getByRole('link', { name: /^Cart/ }).click()
      await expect(tab.getByRole('article')).toHaveCount(1)
      await expect(cartStatus(tab)).toHaveText(savedAtServer)
    }
  }
  await page.getByRole('button', { name: /^One more/ }).click()
  await expect(page.locator('article output')).toHaveText('2')
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await expect(otherTab.locator('article output')).toHaveText('2')
})
