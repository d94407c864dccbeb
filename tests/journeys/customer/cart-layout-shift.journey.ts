import { cartStatus, choosePackage, openAda, savedAtServer, savedOnDevice } from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { faultsInOrder } from '#support/network/fault-plans.ts'

test('What can be tapped in the cart stays where it is while the rest of it becomes known', async ({ page, site }) => {
  await openAda(page)
  // The cart is shown at once. Add-ons and the studio's response come later.
  site.proxy.setFaultPlan(faultsInOrder([{ delay: 2000 }, { delay: 3000 }], /\/(services|cart\/sync)(\?|$)/))
  await choosePackage(page, /Package B/)
  await page.evaluate(() => {
    const places = new Set<number>()
    const look = () => {
      const link = [...document.querySelectorAll('main a')].find((one) => one.textContent?.startsWith('Add another'))
      if (link) places.add(Math.round(link.getBoundingClientRect().y))
      requestAnimationFrame(look)
    }
    look()
    Object.assign(window, { places })
  })
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(cartStatus(page)).toHaveText(savedOnDevice)
  await expect(page.getByRole('link', { name: 'Retouching, name and year for Ada' })).toBeVisible()
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  const places = await page.evaluate(() => [...(window as unknown as { places: Set<number> }).places])
  expect(places).toHaveLength(1)
})
