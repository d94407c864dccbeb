import type { Page } from 'playwright/test'
import { readBrowserStorage } from '#support/browser/browser-storage.ts'
import { cartStatus, choosePackage, openAda, openPrints, savedAtServer } from '#support/journeys/customer-steps.ts'
import { collectPageErrors, expect, waitForServiceWorker } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { type FaultPlan, noFaults, seededRandom } from '#support/network/fault-plans.ts'
import { testSeed } from '#support/seed.ts'
import { nextRelease, nextReleaseFileName, thisRelease } from './next-release.ts'

const isLong = process.env.LONG === '1'
const deployments = isLong ? 20 : 1

const nameField = (page: Page) => page.getByRole('textbox', { name: /^Name/ }).first()

const cityField = (page: Page) => page.getByRole('textbox', { name: 'City' })

/** Opens a package without waiting for the chunks that load on demand, and types a part of a name. */
const typeDraft = async (page: Page, packageName: RegExp, draft: string): Promise<void> => {
  await openAda(page)
  await waitForServiceWorker(page)
  await choosePackage(page, packageName)
  await openPrints(page)
  await nameField(page).fill('')
  await nameField(page).pressSequentially(draft)
}

/** Marks the page's global object. A reloaded page has no mark. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window)

const isNextRelease = (page: Page): Promise<boolean> =>
  page.evaluate(
    (source) => [...document.scripts].some(({ src }) => new RegExp(source).test(src)),
    nextReleaseFileName.source,
  )

/** Makes the page check for a new version, as after returning to its tab. */
const checkForUpdate = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

const updateBanner = (page: Page) => page.getByRole('status').filter({ hasText: 'New version' })

const acceptUpdate = async (page: Page, draft: string): Promise<void> => {
  const reloaded = page.waitForEvent('load')
  await updateBanner(page).getByRole('button', { name: 'Reload' }).click()
  await reloaded
  await expect(page.getByRole('heading', { level: 1, name: 'Make it yours' })).toBeVisible()
  await openPrints(page)
  await expect(nameField(page)).toHaveValue(draft)
}

/** Continues from “Make it yours” through screens and sheets whose chunks this tab has not loaded yet. */
const continueOrder = async (page: Page, draft: string): Promise<void> => {
  await expect(nameField(page)).toHaveValue(draft)
  await nameField(page).press('End')
  await nameField(page).pressSequentially('a')
  await page.getByRole('button', { name: 'Crop and rotate' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Crop and rotate' })
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  const line = page.getByRole('article', { name: /Package E/ })
  await expect(line.getByRole('definition').first()).toHaveText(`${draft}a`)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await page.getByRole('button', { name: 'Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'Billing address' })).toBeVisible()
  await cityField(page).fill('Dayt')
  const drafts = async () => JSON.stringify((await readBrowserStorage(page.context(), page)).rows['cart/drafts'])
  await expect.poll(drafts).toContain('Dayt')
}

/** Answers the first request that matches each of these patterns with the maintenance response (503). */
const failOnce = (patterns: RegExp[]): FaultPlan => {
  const remainingPatterns = [...patterns]
  return ({ path }) => {
    const index = remainingPatterns.findIndex((pattern) => pattern.test(path))
    if (index < 0) return 'none'
    remainingPatterns.splice(index, 1)
    return 'maintenance'
  }
}

/** Requests for a new version that may fail: the check for it, and the first of its files. */
const updateRequests = [/^\/sw\.js$/, /^\/assets\/index-[^/]+\.js$/]

test(`${deployments} deployments lose no draft and break no page in two open tabs`, async ({
  browser,
  site,
  pageErrors,
}) => {
  test.setTimeout(isLong ? 1_800_000 : 180_000)
  const releases = [thisRelease, nextRelease()] as const
  process.stdout.write(`  seed ${testSeed}\n`)
  const random = seededRandom(testSeed)
  for (let n = 0; n < deployments; n += 1) {
    const [from, to] = n % 2 === 0 ? releases : [...releases].reverse()
    if (n > 0) await site.stop()
    if (n > 0) await site.start({ release: from })
    const context = await browser.newContext({ baseURL: site.proxy.url })
    collectPageErrors(context, pageErrors)
    const [updatingTab, keepingTab] = [await context.newPage(), await context.newPage()]
    const shuffledDrafts = ['Ada B. ', 'Ad', 'A'].map((draft) => [random(), draft] as const).sort(([a], [b]) => a - b)
    const [updatingDraft = '', keepingDraft = ''] = shuffledDrafts.map(([, draft]) => draft.trim())
    await typeDraft(updatingTab, /Package B/, updatingDraft)
    await typeDraft(keepingTab, /Package E/, keepingDraft)
    await mark(keepingTab)

    await site.stop()
    await site.start({ release: to })
    // After a failure the check is retried, and both tabs show the update banner.
    const failingPatterns = updateRequests.filter(() => !isLong || random() < 0.5)
    site.proxy.requests.length = 0
    site.proxy.setFaultPlan(failOnce(failingPatterns))
    await checkForUpdate(isLong && random() < 0.5 ? updatingTab : keepingTab)
    await expect(updateBanner(keepingTab)).toBeVisible({ timeout: 30_000 })
    await expect(updateBanner(updatingTab)).toBeVisible()
    expect(site.proxy.requests.filter(({ fault }) => fault !== 'none')).toHaveLength(failingPatterns.length)
    site.proxy.setFaultPlan(noFaults)
    // No tab reloads by itself. Only the first one accepts the update.
    await mark(updatingTab)
    expect([await isMarked(updatingTab), await isMarked(keepingTab)]).toEqual([true, true])
    await acceptUpdate(updatingTab, updatingDraft)
    expect(await isNextRelease(updatingTab)).toBe(to === releases[1])

    await continueOrder(keepingTab, keepingDraft)
    expect([await isMarked(keepingTab), await isNextRelease(keepingTab)]).toEqual([true, from === releases[1]])
    await keepingTab.reload()
    await expect(cityField(keepingTab)).toHaveValue('Dayt')
    expect(await isNextRelease(keepingTab)).toBe(to === releases[1])
    await context.close()
  }
})
