import type { Page } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { openAda } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

const viewerOf = (page: Page) => page.getByRole('dialog', { name: 'Ada’s photos' })
const poseOf = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })

/** Waits until the viewer has opened: before, it takes no gestures. */
const expectOpened = (page: Page) => expect(viewerOf(page)).toHaveAttribute('aria-busy', 'false')

/** Width in CSS pixels of the image that the viewer shows. */
const shownWidth = async (page: Page): Promise<number> => {
  const box = await viewerOf(page).locator('[aria-hidden=false] img').last().boundingBox()
  return box?.width ?? 0
}

/** Moves two fingers from 40 to `toDistance` points apart. */
const pinch = async (page: Page, toDistance: number): Promise<void> => {
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', distance?: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        distance === undefined
          ? []
          : [
              { x: 195 - distance / 2, y: 420, id: 1 },
              { x: 195 + distance / 2, y: 420, id: 2 },
            ],
    })
  await touch('touchStart', 40)
  for (let distance = 60; distance <= toDistance; distance += 20) await touch('touchMove', distance)
  await touch('touchEnd')
}

/** Drags over the large image by some points, as a thumb does. */
const swipe = async (page: Page, dx: number): Promise<void> => {
  const box = await page.getByRole('button', { name: /^Enlarge/ }).boundingBox()
  if (!box) throw new Error('no image')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + dx, y, { steps: 4 })
  await page.mouse.up()
}

test('A photo opens on the whole screen, zooms to three times, and what is shown last is chosen', async ({ page }) => {
  await openAda(page)
  await page.getByRole('button', { name: 'Enlarge Photo 1' }).click()
  const viewer = viewerOf(page)
  await expectOpened(page)
  await expect.poll(() => shownWidth(page)).toBeGreaterThan(380)
  const fitWidth = await shownWidth(page)

  await test.step('A pinch zooms, to at most three times', async () => {
    await pinch(page, 360)
    await expect.poll(() => shownWidth(page)).toBeGreaterThan(fitWidth * 2.9)
    await expect.poll(() => shownWidth(page)).toBeLessThanOrEqual(fitWidth * 3.01)
    await viewer.getByRole('button', { name: 'Zoom' }).click()
    await expect.poll(() => shownWidth(page)).toBeLessThan(fitWidth * 1.01)
  })

  await test.step('The next photo is shown, marked, and chosen on the page', async () => {
    await viewer.getByRole('button', { name: 'Next photo' }).click()
    const heart = viewer.getByRole('button', { name: 'Favorite' })
    await expect(heart).toHaveAttribute('aria-pressed', 'false')
    await heart.click()
    await expect(heart).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('Escape')
    await expect(viewer).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Enlarge Photo 2' })).toBeFocused()
    await expect(poseOf(page, 'Photo 2, favorite')).toBeChecked()
  })

  await test.step('“Back” closes the viewer and stays on the screen; favorites are kept', async () => {
    const address = page.url()
    await page.getByRole('button', { name: 'Enlarge Photo 2' }).click()
    await expect(viewer).toBeVisible()
    await page.goBack()
    await expect(viewer).toHaveCount(0)
    expect(page.url()).toBe(address)
    await page.reload()
    await expect(poseOf(page, 'Photo 2, favorite')).toBeChecked()
    await expect(page.getByRole('button', { name: 'Favorite' })).toHaveAttribute('aria-pressed', 'true')
  })
  await checkScreen(page, '63-favorite')
})

test('Two quick taps open one viewer', async ({ page }) => {
  await openAda(page)
  await page.getByRole('button', { name: 'Enlarge Photo 1' }).dblclick()
  await expectOpened(page)
  await expect(viewerOf(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(viewerOf(page)).toHaveCount(0)
})

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a viewer whose code arrives after the customer has gone on does not open', async ({ page }) => {
    const arrival = Promise.withResolvers<void>()
    await page.route('**/assets/viewing-*.js', async (route) => {
      await arrival.promise
      await route.continue()
    })
    await openAda(page)
    const code = page.waitForRequest(/viewing-/)
    await page.getByRole('button', { name: 'Enlarge Photo 1' }).click()
    const response = (await code).response()
    await page.getByRole('button', { name: /^Choose: Package B/ }).click()
    await expect(page.getByRole('heading', { name: 'Make it yours' })).toBeVisible()
    arrival.resolve()
    expect((await response)?.ok()).toBe(true)
    await expect(page.getByRole('checkbox').first()).toBeVisible()
    await expect(viewerOf(page)).toHaveCount(0)
  })
})

test('A swipe over the photo shows the next one, without opening it', async ({ page }) => {
  await openAda(page)
  await expect(page.getByRole('button', { name: 'Enlarge Photo 1' })).toBeVisible()
  await swipe(page, -120)
  await expect(poseOf(page, 'Photo 2')).toBeChecked()
  await expect(page.getByRole('button', { name: 'Enlarge Photo 2' })).toBeVisible()
  await swipe(page, 120)
  await expect(poseOf(page, 'Photo 1')).toBeChecked()
  await swipe(page, 120)
  await expect(poseOf(page, 'Photo 1')).toBeChecked()
  await expect(viewerOf(page)).toHaveCount(0)
})

test('Without a network the viewer opens too', async ({ page, context }) => {
  await openAda(page)
  await waitUntilPageCached(page)
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('button', { name: 'Enlarge Photo 1' }).click()
  await expect(viewerOf(page)).toBeVisible()
  await expect.poll(() => shownWidth(page)).toBeGreaterThan(380)
})
