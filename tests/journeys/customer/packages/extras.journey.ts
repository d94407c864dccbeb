import {
  addToCart,
  cartLine,
  cartStatus,
  choosePackage,
  fetchCart,
  idsInUrl,
  openAda,
  savedAtServer,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

test('A package is chosen with an extra in three taps, and the cart adds another with one', async ({ page }) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  const bar = page.getByRole('region', { name: 'Next step' })
  await choosePackage(page, /Package B/)

  await test.step('An extra is checked where the package is filled in; going back and a reload keep it', async () => {
    const extra = page.getByRole('checkbox', { name: /^Extra 5×7/ })
    await expect(page.getByText('Add $7.00 more to unlock')).toBeVisible()
    await extra.check()
    await expect(extra).toBeFocused()
    await expect(bar).toContainText('$46.00')
    await expect(page.getByText('Add $7.00 more to unlock')).toBeHidden()
    await expect(page).toHaveURL(/package-options\/\d+,\d+\/\d+$/)
    await page.reload()
    await expect(extra).toBeChecked()
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await bar.getByRole('button', { name: 'Next' }).click()
    await expect(extra).toBeChecked()
    await addToCart(page)
    await expect(cartLine(page, /^Extra 5×7/)).toBeVisible()
  })

  await test.step('The cart offers the extras that Ada does not have', async () => {
    const extras = page.getByRole('region', { name: 'Extras for Ada' })
    await expect(extras.getByRole('button', { name: 'Add: 16 Mini Billfolds' })).toBeVisible()
    await expect(extras.getByRole('button', { name: 'Add: Extra 5×7' })).toHaveCount(0)
    await extras.getByRole('button', { name: 'Add: Desk Frame 5×7' }).click()
    await expect(cartLine(page, /^Desk Frame 5×7/)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Extras for Ada' })).toBeFocused()
    await expect(bar).toContainText('$58.00')
    await expect(cartStatus(page)).toHaveText(savedAtServer)
  })

  const { cartPackages } = await fetchCart(page, jobId)
  const shownImages = cartPackages.map(({ cartPackageItems }) =>
    cartPackageItems.flatMap(({ imageNodes }) => imageNodes.map(({ subjectImageId }) => subjectImageId)),
  )
  // Every print shows the photo that was chosen first.
  expect(new Set(shownImages.flat()).size).toBe(1)
  expect(cartPackages.map(({ price }) => price)).toEqual([38, 8, 12])
})
