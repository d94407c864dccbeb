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
  openPrints,
} from '#support/journeys/customer-steps.ts'
import { collectPageErrors } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { changeProductData } from '#support/product/product-database.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const featureNames = ['digitalDownloads', 'greenscreens', 'orderServices', 'yearbookPose']

/** Removes the features of the studio of SPRING and RAPIDS. Its jobs stay unchanged. */
const removeFeatures = (dataDir: string): Promise<unknown> =>
  changeProductData(dataDir, (db) =>
    db
      .deleteFrom('studio_features')
      .where('studio_id', 'in', db.selectFrom('studios').select('id').where('slug', '=', 'riverside'))
      .where('feature_id', 'in', db.selectFrom('features').select('id').where('identifier', 'in', featureNames))
      .execute(),
  )

/** Labels that a screen shows only if the studio has the feature. */
const labels = ['Yearbook', 'Download', 'Retouching', 'Name and year for', 'Background'] as const
type Label = (typeof labels)[number]

/** Checks that the screen shows exactly these of the labels. */
const expectLabels = async (page: Page, expected: readonly Label[]): Promise<void> => {
  const visibleLabels = async () => {
    const text = (await page.locator('body').innerText()).toLowerCase().replace(/\s+/g, ' ')
    return labels.filter((label) => text.includes(label.toLowerCase()))
  }
  await expect.poll(visibleLabels, { message: `the labels on ${new URL(page.url()).pathname}` }).toEqual(expected)
}

/** What a customer sees of the features on each screen. */
type VisibleFeatures = {
  packages: Label[]
  customization: Label[]
  cart: Label[]
  /** Titles of the services screen for an empty cart and for one with a package. */
  services: [empty: string, full: string]
  /** Whether the server's responses contain items of each feature. */
  responses: { features: string[]; yearbook: boolean; downloads: boolean; services: boolean; backgrounds: boolean }
}

const withFeatures: VisibleFeatures = {
  packages: ['Yearbook', 'Download'],
  customization: ['Background'],
  cart: ['Retouching', 'Name and year for'],
  services: ['Your cart is empty', 'Retouching, name and year'],
  responses: { features: featureNames, yearbook: true, downloads: true, services: true, backgrounds: true },
}

const withoutFeatures: VisibleFeatures = {
  packages: [],
  customization: [],
  cart: [],
  services: ['No extras at this event', 'No extras at this event'],
  responses: { features: [], yearbook: false, downloads: false, services: false, backgrounds: false },
}

const fetchData = async (page: Page, path: string) => {
  const response = await page.request.get(path)
  expect(response.status(), path).toBe(200)
  return (await response.json()).data
}

/** The server's responses about each feature of both jobs. */
const readResponses = async (page: Page, { spring, rapids }: { spring: number; rapids: number }) => {
  const studioFeatures: { identifier: string }[] = await fetchData(
    page,
    pathOf(getStudioFeatures, { slug: 'riverside' }, {}),
  )
  const job = await fetchData(page, pathOf(lookUpJob, { jobId: spring }, {}))
  const packages = await fetchData(page, pathOf(listPackages, { jobId: spring }, { orderMethod: 'gallery' }))
  const jobServices = await fetchData(page, pathOf(getJobServices, { studioId: job.studioId, jobId: spring }, {}))
  const backgrounds: unknown[] = await fetchData(page, pathOf(listGreenScreens, { jobId: rapids }, {}))
  expect(packages.length).toBeGreaterThan(5)
  return {
    features: studioFeatures
      .map(({ identifier }) => identifier)
      .filter((identifier) => featureNames.includes(identifier)),
    yearbook: job.gallerySettings.enableYearBookPoseSelection,
    downloads: JSON.stringify(packages).includes('DigDown'),
    services:
      jobServices.services.length > 0 ||
      jobServices.allowRetouch ||
      jobServices.allowNameOnAllPrints ||
      jobServices.allowNameOnWallets,
    backgrounds: backgrounds.length > 0,
  }
}

/** Opens the services screen by its URL. */
const openServices = async (page: Page, jobId: number, title: string): Promise<void> => {
  await page.goto(`/riverside/${jobId}/cart/services`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
}

/** Adds a portrait package to the cart, and checks the screens with yearbook, downloads and services. Returns the job's id. */
const orderPortrait = async (page: Page, expected: VisibleFeatures): Promise<number> => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  await waitUntilPageCached(page)
  await page.getByRole('radio', { name: 'Photo 2', exact: true }).check()
  await expectImagesLoaded(page)
  await expectLabels(page, expected.packages)
  await openServices(page, jobId, expected.services[0])
  await openAda(page)
  await page.getByRole('button', { name: /^Choose: Package C/ }).click()
  await addToCart(page)
  await openServices(page, jobId, expected.services[1])
  await checkScreen(page, expected === withFeatures ? '80-services-there' : '78-services-none')
  // Navigates within the page, to a cart that has loaded its offers already.
  await page.getByRole('link', { name: 'Back to the cart' }).click()
  await expect(cartLine(page, /^Package C/)).toBeVisible()
  await expectImagesLoaded(page)
  await expectLabels(page, expected.cart)
  return jobId
}

/** Customizes a package of a cut-out image, up to the choice of a background. Returns the job's id. */
const customizeCutOut = async (page: Page, expected: VisibleFeatures): Promise<number> => {
  await openJob(page, 'RAPIDS')
  const { jobId } = idsInUrl(page)
  await page.goto(`/riverside/${jobId}/select-subject`)
  await page.getByRole('link', { name: 'Andre Baptiste' }).click()
  await expect(page.getByRole('heading', { name: 'Andre Baptiste', exact: true })).toBeVisible()
  await waitUntilPageCached(page)
  await page.getByRole('button', { name: 'Choose: Player Package' }).click()
  await openPrints(page)
  await expect(page.getByRole('button', { name: 'Crop and rotate' }).first()).toBeVisible()
  await expectImagesLoaded(page)
  await expectLabels(page, expected.customization)
  await checkScreen(page, expected === withFeatures ? '81-background-there' : '79-background-none')
  return jobId
}

const checkFeatures = async (context: BrowserContext, expected: VisibleFeatures): Promise<void> => {
  const page = await context.newPage()
  const spring = await orderPortrait(page, expected)
  const rapids = await customizeCutOut(page, expected)
  expect(await readResponses(page, { spring, rapids })).toEqual(expected.responses)
}

test('A studio’s screens show its features, and none of them once they are removed', async ({
  context,
  browser,
  site,
  pageErrors,
}) => {
  test.slow()
  await test.step('Screens and responses of a studio with all features contain them', () =>
    checkFeatures(context, withFeatures))
  await site.stop()
  await removeFeatures(site.dataDir)
  await site.start()
  await test.step('Screens and responses of the studio without features contain none', async () => {
    const otherContext = await browser.newContext({ baseURL: site.proxy.url, reducedMotion: 'reduce' })
    collectPageErrors(otherContext, pageErrors)
    await checkFeatures(otherContext, withoutFeatures)
    await otherContext.close()
  })
})
