import type { Locator } from 'playwright/test'
import { openAda } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('not displayed')
  return box
}

test('A phone’s first screen shows the photo, all poses and the first package with its price', async ({ page }) => {
  await openAda(page)
  const largeImage = page.getByRole('img', { name: 'Ada, Photo 1' })
  const poses = page.getByRole('group', { name: 'Choose a photo' })
  const price = page.getByRole('article').first().getByText('$54.00')
  await expect(page.getByRole('heading', { name: 'Packages from $16' })).toBeInViewport()
  await expect(poses.getByRole('radio', { name: /^Photo 1/ })).toBeChecked()
  const bar = await boxOf(page.getByRole('region', { name: 'Next step' }))
  const [image, strip, amount] = [await boxOf(largeImage), await boxOf(poses), await boxOf(price)]
  expect(image.height).toBeLessThanOrEqual(0.52 * 844)
  expect(strip.y).toBeGreaterThanOrEqual(image.y + image.height)
  expect(strip.y).toBeLessThan(image.y + image.height + 24)
  expect(amount.y + amount.height).toBeLessThanOrEqual(bar.y)
})

test('The bar leads to the packages, then to the next step', async ({ page }) => {
  await openAda(page)
  const bar = page.getByRole('region', { name: 'Next step' })
  await expect(bar).toContainText('Packages from $16')
  await bar.getByRole('button', { name: 'See packages' }).click()
  await expect(page.getByRole('heading', { name: 'Packages from $16' })).toBeFocused()
  await expect(bar.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('article').first()).toContainText('Saves $20')
  await page.getByRole('button', { name: /^Choose: Package B/ }).click()
  await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
  await expect(bar).toContainText('$38.00')
  await page.goBack()
  await expect(bar).toContainText('$38.00')
  await bar.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
})

test('The eight packages are at most half as long as one below the other with large prints', async ({ page }) => {
  await openAda(page)
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(8)
  const first = await boxOf(cards.first())
  await cards.last().scrollIntoViewIfNeeded()
  const { scrolled, length } = await page.evaluate(() => ({
    scrolled: window.scrollY,
    length: document.documentElement.scrollHeight,
  }))
  // Half of the page on which packages were drawn large and extras were listed before a choice.
  expect(length).toBeLessThanOrEqual(2350)
  const last = await boxOf(cards.last())
  expect(last.y + last.height + scrolled - first.y).toBeLessThanOrEqual(1500)
})
