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
const phones = isLong ? 5 : 1
const killsEach = isLong ? 10 : 2
/** How long a browser lives at most, in adds. Some die during their first. */
const longestLifeAdds = 5

/** For each line, by its number in URLs: the quantity that the screen showed while the cart was reported as saved. */
type Said = Map<number, number>

type Owner = {
  site: ProxiedProduct
  chance: RandomSource
  pocket: BrowserProfile
  said: Said
  jobId: number
  cart: string
  options: string
  /** How long one add takes on this machine, in milliseconds. */
  addMs: number
}

type Showing = { number: number; quantity: number }

const tellWhatIsSaid = (): void => {
  const look = (): void => {
    const status = document.querySelector('header [role="status"]')?.textContent ?? ''
    if (!/Saved|Sending/.test(status)) return
    const lines = [...document.querySelectorAll('article')].flatMap((article): Showing[] => {
      const link = article.querySelector<HTMLAnchorElement>('a[href*="/edit-cart-package/"]')
      const quantity = Number(article.querySelector('output')?.textContent)
      return link ? [{ number: Number(link.pathname.split('/').at(-1)), quantity }] : []
    })
    const { said } = window as unknown as { said: (lines: Showing[]) => void } // defined by the test
    if (lines.length > 0) said(lines)
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
}

type Listening = Pick<Owner, 'pocket' | 'said'> & { onSaid?: () => void }

/** Starts the browser on its profile and records the saved quantities that its screen shows. */
const takeOut = async ({ pocket, said, onSaid }: Listening) => {
  const { context, kill } = await pocket.launch()
  await context.exposeFunction('said', (lines: Showing[]) => {
    for (const { number, quantity } of lines) said.set(number, quantity)
    onSaid?.()
  })
  await context.addInitScript(tellWhatIsSaid)
  return { page: await context.newPage(), kill }
}

const linesOnScreen = (page: Page): Promise<Showing[]> =>
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

const expectAllSaid = async (page: Page, { cart, said }: Owner): Promise<void> => {
  const before = [...said]
  await page.goto(cart)
  await expect(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).toBeVisible()
  // The last tap may have been stored just before the kill without being reported.
  const isThere = (shown: Showing[]) =>
    before.every(([number, quantity]) => shown.some((line) => line.number === number && line.quantity >= quantity))
  await expect.poll(async () => isThere(await linesOnScreen(page)), { message: JSON.stringify(before) }).toBe(true)
}

const addOne = async (page: Page, options: string): Promise<void> => {
  await page.goto(options)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).toBeVisible()
}

const addUntilKilled = async (page: Page, { options }: Owner): Promise<never> => {
  for (;;) await addOne(page, options)
}

/** One life of a browser: checks that everything reported as saved is there, adds packages, and is killed at a random moment. */
const live = async (owner: Owner): Promise<void> => {
  const { page, kill } = await takeOut(owner)
  await expectAllSaid(page, owner)
  let isAlive = true
  const adding = addUntilKilled(page, owner).catch((error: unknown) => {
    if (isAlive) throw error
  })
  // If adding fails by itself, the error is thrown.
  await Promise.race([adding, wait(owner.chance() * longestLifeAdds * owner.addMs)])
  isAlive = false
  await kill()
  await adding
}

const begin = async (site: ProxiedProduct, chance: RandomSource): Promise<Owner> => {
  const said: Said = new Map()
  const pocket = await createBrowserProfile(site.proxy.url)
  const { page, kill } = await takeOut({ pocket, said })
  await openAda(page)
  await waitUntilPageCached(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package F/)
  const options = new URL(page.url()).pathname
  const startedAt = Date.now()
  await addOne(page, options)
  const addMs = Date.now() - startedAt
  await kill()
  return { site, chance, pocket, said, jobId, cart: `/riverside/${jobId}/cart`, options, addMs }
}

const expectAllSent = async (owner: Owner): Promise<void> => {
  const { page, kill } = await takeOut(owner)
  await expectAllSaid(page, owner)
  const shown = await linesOnScreen(page)
  // A browser writes its cookies late: a killed one may have to recover its session and send everything again.
  await expect(async () => {
    await expect(cartStatus(page)).toHaveText(savedAtServer)
    expect((await fetchCart(page, owner.jobId)).cartPackages).toHaveLength(shown.length)
  }).toPass({ timeout: 60_000 })
  expect(await linesOnScreen(page)).toEqual(shown)
  await kill()
}

test(`${phones * killsEach} browsers killed while adding: all that was said to be saved is there`, async ({ site }) => {
  test.setTimeout(isLong ? 1_200_000 : 120_000)
  process.stdout.write(`  seed ${testSeed}\n`)
  const chance = seededRandom(testSeed)
  let kept = 0
  for (let phone = 0; phone < phones; phone += 1) {
    const owner = await begin(site, chance)
    for (let life = 0; life < killsEach; life += 1) {
      site.proxy.setFaultPlan(life % 2 === 0 ? refuseAll : noFaults)
      await live(owner)
    }
    site.proxy.setFaultPlan(noFaults)
    await expectAllSent(owner)
    kept += owner.said.size
    await owner.pocket.remove()
  }
  expect(kept).toBeGreaterThan(0)
  process.stdout.write(`  ${phones * killsEach} kills, ${kept} adds said to be saved, all there\n`)
})

/** Latest moment of a kill after a tap, in milliseconds. Storing takes up to that on a phone this slow. */
const longestAfterTapMs = 400
const processorSlowedBy = 6

/** One life that taps "One more" and is killed: at a random moment after a tap, or as soon as the screen reports a tap as saved. */
const tapUntilKilled = async (owner: Owner, ends: 'after a tap' | 'as it is said'): Promise<void> => {
  const saidMore = Promise.withResolvers<void>()
  const before = new Map(owner.said)
  const isMore = ([number, quantity]: [number, number]) => quantity > (before.get(number) ?? quantity)
  const onSaid = () => [...owner.said].some(isMore) && saidMore.resolve()
  const { page, kill } = await takeOut({ ...owner, onSaid })
  await expectAllSaid(page, owner)
  for (const { number, quantity } of await linesOnScreen(page)) before.set(number, quantity)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: processorSlowedBy })
  const more = page.getByRole('button', { name: /^One more/ }).first()
  let isAlive = true
  const taps = Array.from({ length: 3 }, () => more.click({ timeout: 60_000 }))
  const tapping = Promise.all(taps).catch((error: unknown) => {
    if (isAlive) throw error
  })
  if (ends === 'as it is said') await Promise.race([saidMore.promise, tapping.then(() => saidMore.promise)])
  else {
    await taps[0]
    await wait(owner.chance() * longestAfterTapMs)
  }
  isAlive = false
  await kill()
  await tapping
}

const tapKills = isLong ? 40 : 4

test(`${tapKills} browsers killed as taps on a slow phone are written: every quantity that was said to be saved is there`, async ({
  site,
}) => {
  test.setTimeout(tapKills * 30_000)
  process.stdout.write(`  seed ${testSeed}\n`)
  const chance = seededRandom(testSeed)
  const owner = await begin(site, chance)
  for (let life = 0; life < tapKills; life += 1) {
    site.proxy.setFaultPlan(life % 4 < 2 ? refuseAll : noFaults)
    await tapUntilKilled(owner, life % 2 === 0 ? 'as it is said' : 'after a tap')
  }
  site.proxy.setFaultPlan(noFaults)
  await expectAllSent(owner)
  const [most = 0] = owner.said.values()
  expect(most).toBeGreaterThan(tapKills / 2)
  process.stdout.write(`  ${tapKills} kills, ${most} of one package said to be saved, all there\n`)
  await owner.pocket.remove()
})
