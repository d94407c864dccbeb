import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import { type BrowserProfile, createBrowserProfile } from '#support/browser/killable-browser.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import {
  cartStatus,
  choosePackage,
  fetchCart,
  idsInUrl,
  openAda,
  savedAtServer,
} from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { type ProxiedProduct, test } from '#support/journeys/proxied-journey-test.ts'
import { noFaults, type RandomSource, refuseAll, seededRandom } from '#support/network/fault-plans.ts'
import { testSeed } from '#support/seed.ts'

const isLong = process.env.LONG === '1'
const phoneCount = isLong ? 5 : 1
const killsPerPhone = isLong ? 10 : 2
/** A browser is killed at a random moment before it has added this many packages. */
const maxAdds = 5

/** The quantity of each line, by its number in URLs, as the screen last showed it while the status was "Saved" or "Sending". */
type SavedQuantities = Map<number, number>

type KillRun = {
  site: ProxiedProduct
  random: RandomSource
  profile: BrowserProfile
  saved: SavedQuantities
  jobId: number

  cartPath: string
  packageOptionsPath: string
  /** How long one add takes on this machine, in milliseconds. */
  addMs: number
}

type LineQuantity = { number: number; quantity: number }

const reportSavedLines = (): void => {
  const report = (): void => {
    const status = document.querySelector('header [role="status"]')?.textContent ?? ''
    if (!/Saved|Sending/.test(status)) return
    const lines = [...document.querySelectorAll('article')].flatMap((article): LineQuantity[] => {
      const link = article.querySelector<HTMLAnchorElement>('a[href*="/edit-cart-package/"]')
      const quantity = Number(article.querySelector('output')?.textContent)
      return link ? [{ number: Number(link.pathname.split('/').at(-1)), quantity }] : []
    })
    const { onSavedLines } = window as unknown as { onSavedLines: (lines: LineQuantity[]) => void } // defined by the test
    if (lines.length > 0) onSavedLines(lines)
  }
  new MutationObserver(report).observe(document, { subtree: true, childList: true, characterData: true })
}

type RecordingOptions = Pick<KillRun, 'profile' | 'saved'> & { onSaved?: () => void }

/** Starts the browser on its profile and records the saved quantities that its screen shows. */
const launchBrowser = async ({ profile, saved, onSaved }: RecordingOptions) => {
  const { context, kill } = await profile.launch()
  await context.exposeFunction('onSavedLines', (lines: LineQuantity[]) => {
    for (const { number, quantity } of lines) saved.set(number, quantity)
    onSaved?.()
  })
  await context.addInitScript(reportSavedLines)
  return { page: await context.newPage(), kill }
}

const linesOnScreen = (page: Page): Promise<LineQuantity[]> =>
  page
    .getByRole('article')
    .filter({ has: page.getByRole('link', { name: /^Edit/ }) })
    .evaluateAll((articles) =>
      articles.map((article) => {
        const link = article.querySelector<HTMLAnchorElement>('a[href*="/edit-cart-package/"]')
        return {
          number: Number(link?.pathname.split('/').at(-1)),
          quantity: Number(article.querySelector('output')?.textContent),
        }
      }),
    )

const expectSavedLines = async (page: Page, { cartPath, saved }: KillRun): Promise<void> => {
  const expected = [...saved]
  await page.goto(cartPath)
  await expect(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).toBeVisible()
  // A quantity may be larger, because a tap may have been stored without being reported before the kill.
  const hasExpectedLines = (lines: LineQuantity[]) =>
    expected.every(([number, quantity]) => lines.some((line) => line.number === number && line.quantity >= quantity))
  await expect
    .poll(async () => hasExpectedLines(await linesOnScreen(page)), { message: JSON.stringify(expected) })
    .toBe(true)
}

const addPackage = async (page: Page, packageOptionsPath: string): Promise<void> => {
  await page.goto(packageOptionsPath)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).toBeVisible()
}

const addUntilKilled = async (page: Page, { packageOptionsPath }: KillRun): Promise<never> => {
  for (;;) await addPackage(page, packageOptionsPath)
}

/** Starts a browser, checks the lines that were reported as saved, adds packages, and kills the browser at a random moment. */
const addAndKill = async (run: KillRun): Promise<void> => {
  const { page, kill } = await launchBrowser(run)
  await expectSavedLines(page, run)
  let isAlive = true
  const adding = addUntilKilled(page, run).catch((error: unknown) => {
    if (isAlive) throw error
  })
  // An error of the adds before the kill fails the test.
  await Promise.race([adding, wait(run.random() * maxAdds * run.addMs)])
  isAlive = false
  await kill()
  await adding
}

const prepareRun = async (site: ProxiedProduct, random: RandomSource): Promise<KillRun> => {
  const saved: SavedQuantities = new Map()
  const profile = await createBrowserProfile(site.proxy.url)
  const { page, kill } = await launchBrowser({ profile, saved })
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package F/)
  const packageOptionsPath = new URL(page.url()).pathname
  const startedAt = Date.now()
  await addPackage(page, packageOptionsPath)
  const addMs = Date.now() - startedAt
  await kill()
  return { site, random, profile, saved, jobId, cartPath: `/riverside/${jobId}/cart`, packageOptionsPath, addMs }
}

const expectCartSynced = async (run: KillRun): Promise<void> => {
  const { page, kill } = await launchBrowser(run)
  await expectSavedLines(page, run)
  const lines = await linesOnScreen(page)
  // A browser writes its cookies with a delay, so a killed one may have to recover its session and resend its cart.
  await expect(async () => {
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    expect((await fetchCart(page, run.jobId)).cartPackages).toHaveLength(lines.length)
  }).toPass({ timeout: 60_000 })
  expect(await linesOnScreen(page)).toEqual(lines)
  await kill()
}

test(`${phoneCount * killsPerPhone} kills of a browser that adds packages lose no line that was shown as saved`, async ({
  site,
}) => {
  test.setTimeout(isLong ? 1_200_000 : 120_000)
  process.stdout.write(`  seed ${testSeed}\n`)
  const random = seededRandom(testSeed)
  let savedLineCount = 0
  for (let phone = 0; phone < phoneCount; phone += 1) {
    const run = await prepareRun(site, random)
    for (let kill = 0; kill < killsPerPhone; kill += 1) {
      site.proxy.setFaultPlan(kill % 2 === 0 ? refuseAll : noFaults)
      await addAndKill(run)
    }
    site.proxy.setFaultPlan(noFaults)
    await expectCartSynced(run)
    savedLineCount += run.saved.size
    await run.profile.remove()
  }
  expect(savedLineCount).toBeGreaterThan(0)
  process.stdout.write(`  ${phoneCount * killsPerPhone} kills, ${savedLineCount} lines shown as saved, none lost\n`)
})

/** A browser is killed at most this long after a tap. On a phone this slow, storing the tap takes about as long. */
const maxMsAfterTap = 400
const cpuSlowdown = 6

/** Taps "One more", and kills the browser at a random moment after a tap, or as soon as the screen shows a tap as saved. */
const tapAndKill = async (run: KillRun, killMoment: 'after a tap' | 'when shown as saved'): Promise<void> => {
  const increaseSaved = Promise.withResolvers<void>()
  const oldQuantities = new Map(run.saved)
  const isIncreased = ([number, quantity]: [number, number]) => quantity > (oldQuantities.get(number) ?? quantity)
  const onSaved = () => [...run.saved].some(isIncreased) && increaseSaved.resolve()
  const { page, kill } = await launchBrowser({ ...run, onSaved })
  await expectSavedLines(page, run)
  for (const { number, quantity } of await linesOnScreen(page)) oldQuantities.set(number, quantity)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  const increaseButton = page.getByRole('button', { name: /^One more/ }).first()
  let isAlive = true
  const taps = Array.from({ length: 3 }, () => increaseButton.click({ timeout: 60_000 }))
  const tapping = Promise.all(taps).catch((error: unknown) => {
    if (isAlive) throw error
  })
  if (killMoment === 'when shown as saved')
    await Promise.race([increaseSaved.promise, tapping.then(() => increaseSaved.promise)])
  else {
    await taps[0]
    await wait(run.random() * maxMsAfterTap)
  }
  isAlive = false
  await kill()
  await tapping
}

const tapKills = isLong ? 40 : 4

test(`${tapKills} kills during taps on a slow phone lose no quantity that was shown as saved`, async ({ site }) => {
  test.setTimeout(tapKills * 30_000)
  process.stdout.write(`  seed ${testSeed}\n`)
  const random = seededRandom(testSeed)
  const run = await prepareRun(site, random)
  for (let kill = 0; kill < tapKills; kill += 1) {
    site.proxy.setFaultPlan(kill % 4 < 2 ? refuseAll : noFaults)
    await tapAndKill(run, kill % 2 === 0 ? 'when shown as saved' : 'after a tap')
  }
  site.proxy.setFaultPlan(noFaults)
  await expectCartSynced(run)
  const [quantity = 0] = run.saved.values()
  expect(quantity).toBeGreaterThan(tapKills / 2)
  process.stdout.write(`  ${tapKills} kills, a quantity of ${quantity} shown as saved, none lost\n`)
  await run.profile.remove()
})
