import type { Page } from 'playwright/test'
import { expect, test } from '../support/journey.ts'
import { lookAt } from '../support/looks.ts'

const tablet = { width: 1024, height: 768 }

test.use({ viewport: tablet, hasTouch: true, isMobile: false, deviceScaleFactor: 1 })

const signIn = async (page: Page): Promise<void> => {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill('staff@riverside.test')
  await page.getByRole('textbox', { name: 'Password' }).fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
}

const look = async (page: Page, name: string): Promise<void> => {
  await lookAt(page, name)
  await page.setViewportSize(tablet)
}

test('screens', async ({ page }) => {
  await signIn(page)
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Worked on last' })).toBeVisible()
  await look(page, '60-staff-home')
  await page.screenshot({ path: 'test-results/looks/60-tablet.png' })
  for (const [n, path, name] of [
    ['61', 'jobs', 'Jobs'],
    ['62', 'jobs/1', 'Overview'],
    ['63', 'jobs/1/settings', 'Settings'],
    ['64', 'jobs/1/settings/standard', 'Settings'],
    ['65', 'jobs/2/settings/preorder', 'Settings'],
    ['66', 'jobs/2/settings/prefields', 'Settings'],
    ['67', 'jobs/1/settings/gallery', 'Settings'],
    ['68', 'jobs/1/workflows', 'Workflows'],
  ] as const) {
    await page.goto(`/admin/studios/1/${path}`)
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await look(page, `${n}-${path.replaceAll('/', '-')}`)
    await page.screenshot({ path: `test-results/looks/${n}-tablet.png` })
  }
})
