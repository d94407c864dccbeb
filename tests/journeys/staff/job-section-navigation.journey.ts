import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

const job = '/admin/studios/1/jobs/1'

test('On a phone the open section of a job and its open tab are scrolled into view', async ({ page }) => {
  await signIn(page, { email: 'owner@riverside.test', at: `${job}/overview` })
  const currentLink = (name: string) => page.getByRole('navigation', { name }).locator('[aria-current="page"]')
  for (const [path, section, tabs, tab] of [
    ['settings/gallery', 'Settings', 'Settings', 'Gallery'],
    ['orders/submitted', 'Orders', 'Orders', 'Submitted'],
    ['settings/general', 'Settings', 'Settings', 'General'],
  ] as const) {
    await page.goto(`${job}/${path}`)
    await expect(currentLink('Spring Portraits 2027')).toHaveText(section)
    await expect(currentLink('Spring Portraits 2027')).toBeInViewport({ ratio: 0.99 })
    await expect(currentLink(tabs)).toContainText(tab)
    await expect(currentLink(tabs)).toBeInViewport({ ratio: 0.99 })
  }
})
