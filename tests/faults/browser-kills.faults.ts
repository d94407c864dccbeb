import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright/test'
import { expect } from '../support/journey.ts'
import { cartAtServer, choosePackage, openAda, placeOf, savedHere, sentToRiverside, status } from '../support/parent.ts'
import { type Site, test } from '../support/site.ts'
import { untilWarm } from '../support/warm.ts'
import { makePocket, type Pocket } from './killable-browser.ts'
import { broken, type Chance, calm, chanceFrom } from './plans.ts'

const isLong = process.env.LONG === '1'
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)
const phones = isLong ? 5 : 1
const killsEach = isLong ? 10 : 2
/** How long a browser lives at the most, measured in adds: some die in the middle of their first. */
const longestLifeAdds = 5

/** Numbers, in addresses, of the lines of which the screen said that they are saved. */
type Said = Set<number>

type Owner = {
  site: Site
  chance: Chance
  pocket: Pocket
  said: Said
  jobId: number
  cart: string
  options: string
  /** What one add takes on this machine, in milliseconds. */
  addMs: number
}

const tellWhatIsSaid = (words: string[]): void => {
  const look = (): void => {
    for (const article of document.querySelectorAll('article')) {
      const link = article.querySelector<HTMLAnchorElement>('a[href*="/edit-cart-package/"]')
      const says = words.some((one) => article.innerText.includes(one))
      const { said } = window as unknown as { said: (number: number) => void } // put there by the test
      if (link && says) said(Number(link.pathname.split('/').at(-1)))
    }
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
}

/** Opens the browser on what it kept; everything its screen says of saved lines is heard at once. */
const takeOut = async ({ pocket, said }: Pick<Owner, 'pocket' | 'said'>) => {
  const { context, kill } = await pocket.takeOut()
  await context.exposeFunction('said', (number: number) => void said.add(number))
  await context.addInitScript(tellWhatIsSaid, [savedHere, 'Sending…', 'Sent'])
  return { page: await context.newPage(), kill }
}

const linesOnScreen = (page: Page): Promise<number[]> =>
  page
    .getByRole('article')
    .getByRole('link', { name: /^Edit/ })
    .evaluateAll((links) => links.map((link) => Number((link as HTMLAnchorElement).pathname.split('/').at(-1)))) // as found

const expectAllSaid = async (page: Page, { cart, said }: Owner): Promise<void> => {
  const before = [...said]
  await page.goto(cart)
  await expect(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).toBeVisible()
  await expect.poll(() => linesOnScreen(page)).toEqual(expect.arrayContaining(before))
}

const addOne = async (page: Page, options: string): Promise<void> => {
  await page.goto(options)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Cart', exact: true })).toBeVisible()
}

const addUntilKilled = async (page: Page, { options }: Owner): Promise<never> => {
  for (;;) await addOne(page, options)
}

/** One life of a browser: all that was ever said to be saved is there; it adds, and is killed at some moment of that. */
const live = async (owner: Owner): Promise<void> => {
  const { page, kill } = await takeOut(owner)
  await expectAllSaid(page, owner)
  let isAlive = true
  const adding = addUntilKilled(page, owner).catch((error: unknown) => {
    if (isAlive) throw error
  })
  // Where adding fails by itself, that ends it.
  await Promise.race([adding, wait(owner.chance() * longestLifeAdds * owner.addMs)])
  isAlive = false
  await kill()
  await adding
}

const begin = async (site: Site, chance: Chance): Promise<Owner> => {
  const said: Said = new Set()
  const pocket = await makePocket(site.line.url)
  const { page, kill } = await takeOut({ pocket, said })
  await openAda(page)
  await untilWarm(page)
  const { jobId } = placeOf(page)
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
  // A browser writes its cookies late: the visit of one that was killed may have to be taken up again, and all be sent once more in it.
  await expect(async () => {
    await expect(status(page)).toHaveText(sentToRiverside)
    expect((await cartAtServer(page, owner.jobId)).cartPackages).toHaveLength(shown.length)
  }).toPass({ timeout: 60_000 })
  expect(await linesOnScreen(page)).toEqual(shown)
  await kill()
}

test(`${phones * killsEach} browsers killed while adding: all that was said to be saved is there`, async ({ site }) => {
  test.setTimeout(isLong ? 1_200_000 : 120_000)
  process.stdout.write(`  seed ${seed}\n`)
  const chance = chanceFrom(seed)
  let kept = 0
  for (let phone = 0; phone < phones; phone += 1) {
    const owner = await begin(site, chance)
    for (let life = 0; life < killsEach; life += 1) {
      site.line.plan(life % 2 === 0 ? broken : calm)
      await live(owner)
    }
    site.line.plan(calm)
    await expectAllSent(owner)
    kept += owner.said.size
    await owner.pocket.remove()
  }
  expect(kept).toBeGreaterThan(0)
  process.stdout.write(`  ${phones * killsEach} kills, ${kept} adds said to be saved, all there\n`)
})
