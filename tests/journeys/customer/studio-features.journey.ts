import { type BrowserContext, expect, type Page } from 'playwright/test'
import { getStudioFeatures, listPackages, lookUpJob } from '#contract/customer/discovery-calls.ts'
import { getJobServices, listGreenScreens } from '#contract/customer/job-offers.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartLine,
  expectImagesLoaded,
  idsInUrl,
  openAda,
  openJob,
} from '#support/journeys/customer-steps.ts'
import { collectPageErrors } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const features = ['digitalDownloads', 'greenscreens', 'orderServices', 'yearbookPose']

/** Removes the features of the studio of SPRING and RAPIDS. Its jobs stay unchanged. */
const takeFeatures = (dataDir: string): Promise<unknown> =>
  changeProductData(dataDir, (db) =>
    db
      .deleteFrom('studio_features')
      .where('studio_id', 'in', db.selectFrom('studios').select('id').where('slug', '=', 'riverside'))
      .where('feature_id', 'in', db.selectFrom('features').select('id').where('identifier', 'in', features))
      .execute(),
  )

/** Labels that only screens of a studio with a feature show. */
const words = ['Yearbook', 'Download', 'Retouching', 'Name and year for', 'Background'] as const
type Word = (typeof words)[number]

/** Checks that the screen shows these of the labels and no others. */
const expectWords = async (page: Page, expected: readonly Word[]): Promise<void> => {
  const said = async () => {
    const text = (await page.locator('body').innerText()).toLowerCase().replace(/\s+/g, ' ')
    return words.filter((word) => text.includes(word.toLowerCase()))
  }
  await expect.poll(said, { message: `what ${new URL(page.url()).pathname} speaks of` }).toEqual(expected)
}

/** What a customer sees of the features, by screen. */
type Shown = {
  choosing: Word[]
  making: Word[]
  cart: Word[]
  /** Titles of the services screen for an empty cart and for one with a package. */
  services: [empty: string, full: string]
  /** Whether the server's responses contain items of each feature. */
  answers: { features: string[]; yearbook: boolean; downloads: boolean; services: boolean; backgrounds: boolean }
}

const withFeatures: Shown = {
  choosing: ['Yearbook', 'Download'],
  making: ['Background'],
  cart: ['Retouching', 'Name and year for'],
  services: ['Your cart is empty', 'Retouching, name and year'],
  answers: { features, yearbook: true, downloads: true, services: true, backgrounds: true },
}

const withoutFeatures: Shown = {
  choosing: [],
  making: [],
  cart: [],
  services: ['Nothing more to order here', 'Nothing more to order here'],
  answers: { features: [], yearbook: false, downloads: false, services: false, backgrounds: false },
}

const ask = async (page: Page, path: string) => {
  const answer = await page.request.get(path)
  expect(answer.status(), path).toBe(200)
  return (await answer.json()).data
}

/** The server's responses about each feature of both jobs. */
const answersOf = async (page: Page, { spring, rapids }: { spring: number; rapids: number }) => {
  const given: { identifier: string }[] = await ask(page, pathOf(getStudioFeatures, { slug: 'riverside' }, {}))
  const job = await ask(page, pathOf(lookUpJob, { jobId: spring }, {}))
  const packages = await ask(page, pathOf(listPackages, { jobId: spring }, { orderMethod: 'gallery' }))
  const sold = await ask(page, pathOf(getJobServices, { studioId: job.studioId, jobId: spring }, {}))
  const screens: unknown[] = await ask(page, pathOf(listGreenScreens, { jobId: rapids }, {}))
  expect(packages.length).toBeGreaterThan(5)
  return {
    features: given.map(({ identifier }) => identifier).filter((one) => features.includes(one)),
    yearbook: job.gallerySettings.enableYearBookPoseSelection,
    downloads: JSON.stringify(packages).includes('DigDown'),
    services: sold.services.length > 0 || sold.allowRetouch || sold.allowNameOnAllPrints || sold.allowNameOnWallets,
    backgrounds: screens.length > 0,
  }
}

/** Opens the services screen by its URL. */
const typeServices = async (page: Page, jobId: number, title: string): Promise<void> => {
  await page.goto(`/riverside/${jobId}/cart/services`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
}

/** Orders a portrait through the screens of yearbook, downloads and services. Returns the job's id. */
const walkSpring = async (page: Page, shown: Shown): Promise<number> => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  await waitUntilPageCached(page)
  await page.getByRole('radio', { name: 'Pose 2', exact: true }).check()
  await expectImagesLoaded(page)
  await expectWords(page, shown.choosing)
  await typeServices(page, jobId, shown.services[0])
  await openAda(page)
  await page.getByRole('button', { name: /^Choose: Package C/ }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await addToCart(page)
  await typeServices(page, jobId, shown.services[1])
  await checkScreen(page, shown === withFeatures ? '80-services-there' : '78-services-none')
  // Navigates from the cart, which has loaded its offers already.
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await expect(cartLine(page, /^Package C/)).toBeVisible()
  await expectImagesLoaded(page)
  await expectWords(page, shown.cart)
  return jobId
}

/** Orders a cut-out through the choice of a background. Returns the job's id. */
const walkRapids = async (page: Page, shown: Shown): Promise<number> => {
  await openJob(page, 'RAPIDS')
  const { jobId } = idsInUrl(page)
  await page.goto(`/riverside/${jobId}/select-subject`)
  await page.getByRole('link', { name: 'Andre Baptiste' }).click()
  await expect(page.getByRole('heading', { name: 'Andre Baptiste', exact: true })).toBeVisible()
  await waitUntilPageCached(page)
  await page.getByRole('button', { name: 'Choose: Player Package' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('button', { name: 'Crop and turn' }).first()).toBeVisible()
  await expectImagesLoaded(page)
  await expectWords(page, shown.making)
  await checkScreen(page, shown === withFeatures ? '81-background-there' : '79-background-none')
  return jobId
}

const walk = async (context: BrowserContext, shown: Shown): Promise<void> => {
  const page = await context.newPage()
  const spring = await walkSpring(page, shown)
  const rapids = await walkRapids(page, shown)
  expect(await answersOf(page, { spring, rapids })).toEqual(shown.answers)
}

test('A studio without the features shows none of it: the same events, with them and without', async ({
  context,
  browser,
  site,
  pageErrors,
}) => {
  test.slow()
  await test.step('with them', () => walk(context, withFeatures))
  await site.stop()
  await takeFeatures(site.dataDir)
  await site.start()
  await test.step('without them, for another parent', async () => {
    const other = await browser.newContext({ baseURL: site.proxy.url, reducedMotion: 'reduce' })
    collectPageErrors(other, pageErrors)
    await walk(other, withoutFeatures)
    await other.close()
  })
})
