import type { Page } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { openAda } from '#support/journeys/customer-steps.ts'
import { allowPageErrors, expect, test, waitForServiceWorker } from '#support/journeys/journey-test.ts'

const findField = (page: Page) => page.getByRole('textbox', { name: 'Photo code, link or studio name' })

const find = async (page: Page, text: string): Promise<void> => {
  await findField(page).fill(text)
  await findField(page).press('Enter')
}

const noConnectionErrors = /ERR_INTERNET_DISCONNECTED/

test('The home page opens a child by a code or a link, a studio by its name, and says what else to do', async ({
  page,
  pageErrors,
}) => {
  await page.goto('/')
  await find(page, 'sprung-99')
  await expect(findField(page)).toHaveAccessibleDescription(/We don’t recognize that\. Check each letter/)
  await expect(findField(page)).toHaveValue('sprung-99')
  await expect(findField(page)).toBeFocused()
  await find(page, 'river portraits')
  await expect(page).toHaveURL('/riverside')
  await page.goto('/')
  await find(page, 'Photos: https://photos.test/riverside/code/ADALVL')
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
  await page.goto('/')
  await find(page, 'ada lvl')
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
  await page.goto('/nowhere-photos')
  await expect(page.getByText('There was an error loading the studio')).toBeVisible()
  await expect(findField(page)).toHaveValue('nowhere-photos')
  allowPageErrors(pageErrors, /404 GET .*(find|nowhere-photos)/)
})

test('The home page lists the events of this device without a network, and says that there is no connection', async ({
  page,
  context,
  pageErrors,
}) => {
  await page.goto('/')
  await waitForServiceWorker(page)
  await find(page, 'ADALVL')
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
  await waitUntilPageCached(page)
  await context.setOffline(true)
  await page.goto('/')
  const card = page.getByRole('link', { name: /Ada.*Spring Portraits 2027 · Riverside Portraits/ })
  await expect(card).toBeVisible()
  await find(page, 'NEWCODE')
  await expect(findField(page)).toHaveAccessibleDescription(/There is no connection right now/)
  await expect(findField(page)).toHaveValue('NEWCODE')
  await page.getByRole('textbox', { name: 'Email' }).fill('anne@example.com')
  await page.getByRole('textbox', { name: 'Order #' }).fill('FP-00000000')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('alert').getByText(/There is no connection right now/)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Order #' })).toHaveValue('FP-00000000')
  await card.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
  allowPageErrors(pageErrors, noConnectionErrors)
})

test.describe(() => {
  test.use({ javaScriptEnabled: false })

  for (const [code, heading] of [
    ['SPRING', 'Opening Spring Portraits 2027…'],
    ['WRONGCODE', 'Opening your photos…'],
  ] as const) {
    test(`Before any script runs, the page of the code ${code} names the studio and shows no form`, async ({
      page,
    }) => {
      await page.goto(`/riverside/code/${code}`)
      await expect(page.locator('h1')).toHaveText(heading)
      await expect(page.getByText('Riverside Portraits', { exact: true })).toBeVisible()
      await expect(page.locator('form')).toHaveCount(0)
    })
  }
})

test('A card’s address shows the code form only if the code fails, and opens a known code without a network', async ({
  page,
  context,
  pageErrors,
}) => {
  await page.goto('/riverside/code/NOTONE')
  const codeField = page.getByRole('textbox', { name: 'Access code' })
  await expect(codeField).toHaveValue('NOTONE')
  await expect(codeField).toBeFocused()
  await expect(codeField).toHaveAccessibleDescription(/We don’t recognize that code/)
  await openAda(page)
  await waitUntilPageCached(page)
  await context.setOffline(true)
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('input[name="code"]')) Object.assign(window, { hasShownForm: true })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/riverside/code/ADALVL')
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible({ timeout: 3_000 })
  await expect(page).toHaveURL(/\/subject\/\d+\/select-package$/)
  expect(await page.evaluate(() => 'hasShownForm' in window)).toBe(false)
  await page.goto('/riverside/code/OTHER1')
  await expect(codeField).toHaveAccessibleDescription(/There is no connection right now/)
  allowPageErrors(pageErrors, /ERR_INTERNET_DISCONNECTED|404 GET .*code=NOTONE/)
})
