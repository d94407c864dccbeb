import type { Page } from 'playwright/test'
import { readBrowserStorage } from '#support/browser/browser-storage.ts'
import { cartStatus, choosePackage, openAda, savedAtServer } from '#support/journeys/customer-steps.ts'
import { collectPageErrors, expect, waitForServiceWorker } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { type FaultPlan, noFaults, seededRandom } from '#support/network/fault-plans.ts'
import { testSeed } from '#support/seed.ts'
import { nextRelease, nextReleaseFileName, thisRelease } from './next-release.ts'

const isLong = process.env.LONG === '1'
const deployments = isLong ? 20 : 1

const field = (page: Page) => page.getByRole('textbox', { name: /^Name/ }).first()

const city = (page: Page) => page.getByRole('textbox', { name: 'City, or APO, FPO, DPO' })

/** Opens a package with everything loaded except chunks on demand, and types half of a name. */
const begin = async (page: Page, name: RegExp, half: string): Promise<void> => {
  await openAda(page)
  await waitForServiceWorker(page)
  await choosePackage(page, name)
  await field(page).fill('')
  await field(page).pressSequentially(half)
}

/** Marks the page's global object. A reloaded page has no mark. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window)

const isOfNext = (page: Page): Promise<boolean> =>
  page.evaluate(
    (source) => [...document.scripts].some(({ src }) => new RegExp(source).test(src)),
    nextReleaseFileName.source,
  )

/** Returns to a tab, which makes the page check for a new version. */
const comeBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

const updateBanner = (page: Page) => page.getByRole('status').filter({ hasText: 'New version' })

const takeUpdate = async (page: Page, half: string): Promise<void> => {
  const reloaded = page.waitForEvent('load')
  await updateBanner(page).getByRole('button', { name: 'Reload' }).click()
  await reloaded
  await expect(page.getByRole('heading', { level: 1, name: 'Make it yours' })).toBeVisible()
  await expect(field(page)).toHaveValue(half)
}

/** Opens screens and sheets whose chunks this tab has not loaded yet, starting at “Make it yours”. */
const goOn = async (page: Page, half: string): Promise<void> => {
  await expect(field(page)).toHaveValue(half)
  await field(page).press('End')
  await field(page).pressSequentially('a')
  await page.getByRole('button', { name: 'Crop and turn' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Crop and turn' })
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  const line = page.getByRole('article', { name: /Package E/ })
  await expect(line.getByRole('definition').first()).toHaveText(`${half}a`)
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await page.getByRole('button', { name: 'Checkout' }).click()
  await expect(page.getByRole('heading', { name: 'Billing address' })).toBeVisible()
  await city(page).fill('Dayt')
  const drafts = async () => JSON.stringify((await readBrowserStorage(page.context(), page)).rows['cart/drafts'])
  await expect.poll(drafts).toContain('Dayt')
}

/** Cuts the first request that matches each of these. */
const cutOnce = (meant: RegExp[]): FaultPlan => {
  const left = [...meant]
  return ({ path }) => {
    const found = left.findIndex((one) => one.test(path))
    if (found < 0) return 'none'
    left.splice(found, 1)
    return 'maintenance'
  }
}

/** Requests for a new version that the network may cut: the check for it, and the first of its files. */
const ofNewVersion = [/^\/sw\.js$/, /^\/assets\/index-[^/]+\.js$/]

test(`${deployments} new versions under two open tabs: no draft is lost, no page goes blank`, async ({
  browser,
  site,
  pageErrors,
}) => {
  test.setTimeout(isLong ? 1_800_000 : 180_000)
  const releases = [thisRelease, nextRelease()] as const
  process.stdout.write(`  seed ${testSeed}\n`)
  const chance = seededRandom(testSeed)
  for (let n = 0; n < deployments; n += 1) {
    const [from, to] = n % 2 === 0 ? releases : [...releases].reverse()
    if (n > 0) await site.stop()
    if (n > 0) await site.start({ release: from })
    const context = await browser.newContext({ baseURL: site.proxy.url })
    collectPageErrors(context, pageErrors)
    const [accepting, other] = [await context.newPage(), await context.newPage()]
    const halves = ['Ada B. ', 'Ad', 'A'].map((half) => [chance(), half] as const).sort(([a], [b]) => a - b)
    const [mine = '', theirs = ''] = halves.map(([, half]) => half.trim())
    await begin(accepting, /Package B/, mine)
    await begin(other, /Package E/, theirs)
    await mark(other)

    await site.stop()
    await site.start({ release: to })
    // After a cut the check is repeated soon, and both tabs learn of the new version.
    const cut = ofNewVersion.filter(() => !isLong || chance() < 0.5)
    site.proxy.requests.length = 0
    site.proxy.setFaultPlan(cutOnce(cut))
    await comeBack(isLong && chance() < 0.5 ? accepting : other)
    await expect(updateBanner(other)).toBeVisible({ timeout: 30_000 })
    await expect(updateBanner(accepting)).toBeVisible()
    expect(site.proxy.requests.filter(({ fault }) => fault !== 'none')).toHaveLength(cut.length)
    site.proxy.setFaultPlan(noFaults)
    // The other tab may be asked too; it does not respond.
    await mark(accepting)
    expect([await isMarked(accepting), await isMarked(other)]).toEqual([true, true])
    await takeUpdate(accepting, mine)
    expect(await isOfNext(accepting)).toBe(to === releases[1])

    await goOn(other, theirs)
    expect([await isMarked(other), await isOfNext(other)]).toEqual([true, from === releases[1]])
    await other.reload()
    await expect(city(other)).toHaveValue('Dayt')
    expect(await isOfNext(other)).toBe(to === releases[1])
    await context.close()
  }
})
