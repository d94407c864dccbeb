import { recordLayoutShifts, totalLayoutShift } from '#support/browser/layout-shifts.ts'
import { cartStatus, choosePackage, openAda, savedAtServer, savedOnDevice } from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'

test('The cart’s links do not move while add-ons and the server’s response load', async ({ page, site }) => {
  await openAda(page)
  // The cart is shown at once. Order services arrive later, and the response of the sync last.
  const services = Promise.withResolvers<void>()
  const sync = Promise.withResolvers<void>()
  site.proxy.setFaultPlan(({ path }) => {
    if (/\/services(\?|$)/.test(path)) return { until: services.promise }
    return path.endsWith('/cart/sync') ? { until: sync.promise } : 'none'
  })
  await choosePackage(page, /Package B/)
  await page.evaluate(() => {
    const linkPositions = new Set<number>()
    const recordPosition = () => {
      const link = [...document.querySelectorAll('main a')].find((anchor) =>
        anchor.textContent?.startsWith('Add another'),
      )
      if (link) linkPositions.add(Math.round(link.getBoundingClientRect().y))
      requestAnimationFrame(recordPosition)
    }
    recordPosition()
    Object.assign(window, { linkPositions })
  })
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(cartStatus(page)).toHaveText(savedOnDevice)
  services.resolve()
  await expect(page.getByRole('link', { name: 'Retouching, name and year for Ada' })).toBeVisible()
  sync.resolve()
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  const linkPositions = await page.evaluate(() => [
    ...(window as unknown as { linkPositions: Set<number> }).linkPositions,
  ])
  expect(linkPositions).toHaveLength(1)
})

test('A typed code opens its job without a layout shift, although the studio loads after the job', async ({
  page,
  site,
}) => {
  await page.addInitScript(recordLayoutShifts)
  const studio = Promise.withResolvers<void>()
  site.proxy.setFaultPlan(({ path }) => (/\/studios\/riverside$/.test(path) ? { until: studio.promise } : 'none'))
  const job = page.waitForResponse(/\/api\/customer\/jobs\/\d+$/)
  await page.goto('/riverside')
  await page.getByLabel('Access code').fill('ADALVL')
  await page.getByRole('button', { name: 'Open' }).click()
  await (await job).finished()
  // After two frames, whatever the page shows of the job without its studio is rendered.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  studio.resolve()
  await expect(page.getByText('Spring Portraits 2027').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Choose: Package B/ })).toBeVisible()
  expect(await totalLayoutShift(page)).toBeLessThanOrEqual(0.02)
})
