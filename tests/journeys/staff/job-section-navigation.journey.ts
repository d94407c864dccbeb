import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

const job = '/admin/studios/1/jobs/1'

test('On a phone the open section of a job and its open tab are scrolled into view', async ({ page }) => {
  await signIn(page, { email: 'owner@riverside.test', at: `${job}/overview` })
  const openIn = (name: string) => page.getByRole('navigation', { name }).locator('[aria-current="page"]')
  for (const [tail, section, parts, part] of [
    ['settings/gallery', 'Settings', 'Settings', 'Gallery'],
    ['orders/submitted', 'Orders', 'Orders', 'Submitted'],
    ['settings/general', 'Settings', 'Settings', 'General'],
  ] as const) {
    await page.goto(`${job}/${tail}`)
    await expect(openIn('Spring Portraits 2027')).toHaveText(section)
    await expect(openIn('Spring Portraits 2027')).toBeInViewport({ ratio: 0.99 })
    await expect(openIn(parts)).toContainText(part)
    await expect(openIn(parts)).toBeInViewport({ ratio: 0.99 })
  }
})
