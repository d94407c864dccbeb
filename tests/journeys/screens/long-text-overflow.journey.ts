import type { Page, Route } from 'playwright/test'
import {
  addAndSyncPackage,
  addToCart,
  choosePackage,
  fillCardForm,
  fillCheckoutForm,
  idsInUrl,
  openAda,
  openJob,
  pay,
  readOrderNumber,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

// The service worker is blocked, because its cache lacks the long texts.
test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } })

/** A word that fits on no line. */
const longText = 'x'.repeat(200)
const widths = [390, 320]

/** The fields of responses that hold a user's text. */
const textFields =
  /^(name|firstName|lastName|jobName|studioName|organizationName|groupName|subjectName|legalName|description|altName|altDescription|value|title|email|contactName|notes|address1|address2|city|shownName|fileName|originalName|packageName|studioWebUrl)$/

const replaceTexts = (value: unknown, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, key))
  if (typeof value === 'string') return textFields.test(key) && value !== '' ? longText : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, replaceTexts(field, name)]))
}

/** Replaces every user's text in the server's responses with the long text. */
const serveLongText = async (page: Page): Promise<void> => {
  const rewrite = async (route: Route) => {
    if (route.request().method() !== 'GET') return await route.continue()
    const response = await route.fetch()
    const isJson = (response.headers()['content-type'] ?? '').includes('application/json')
    if (!isJson) return await route.fulfill({ response })
    await route.fulfill({ response, json: replaceTexts(await response.json()) })
  }
  await page.route('**/api/**', rewrite)
  await page.route(/\/riverside$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll('Riverside Portraits', longText) })
  })
}

/** Describes the innermost element that makes the page too wide. */
const describeWidest = (page: Page, width: number): Promise<string> =>
  page.evaluate((maxWidth) => {
    const isCause = (element: HTMLElement): boolean => {
      const { display } = element.style
      element.style.display = 'none'
      const isNarrow = document.documentElement.scrollWidth <= maxWidth
      element.style.display = display
      return isNarrow
    }
    const causes = [...document.querySelectorAll<HTMLElement>('body *')].filter(isCause)
    const cause = causes.at(-1)
    return cause ? `${cause.tagName} ${cause.className} ${cause.textContent?.slice(0, 20)}` : 'several'
  }, width)

/** Reports each width at which the page is too wide, with the element that causes it. */
const findOverflows = async (page: Page, address: string): Promise<string[]> => {
  const overflows: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    // Some elements adapt to the page's width a frame later, so this waits.
    const fitsWidth = (maxWidth: number) => document.documentElement.scrollWidth <= maxWidth
    const fitted = page.waitForFunction(fitsWidth, width, { timeout: 2_000 })
    await fitted.catch(async () => {
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
      overflows.push(`${address} is ${scrollWidth} px at ${width}: ${await describeWidest(page, width)}`)
    })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  return overflows
}

const openPage = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await expect(page.locator('h1, h2').first(), address).toBeVisible()
  await expect(page.locator('[aria-busy="true"]'), address).toHaveCount(0)
}

/** Opens each URL with the long text. Returns the overflows of all. */
const checkAddresses = async (page: Page, addresses: readonly string[]): Promise<string[]> => {
  const overflows: string[] = []
  await serveLongText(page)
  for (const address of addresses) {
    await openPage(page, address)
    overflows.push(...(await findOverflows(page, address)))
  }
  // Otherwise a request that is still in flight fails the next test.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  return overflows
}

test('No long word or text makes a customer’s screen wider than the page', async ({ page }) => {
  test.setTimeout(400_000)
  await openAda(page)
  const { jobId, subjectId } = idsInUrl(page)
  const jobUrl = `/riverside/${jobId}`
  await addAndSyncPackage(page, /Package A/)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await pay(page)
  const number = await readOrderNumber(page)
  await page.goto(`${jobUrl}/subject/${subjectId}/select-package`)
  await choosePackage(page, /Package B/)
  const packageOptionsUrl = new URL(page.url()).pathname
  await addToCart(page)
  await openJob(page, 'RAPIDS')
  const galleryJobId = idsInUrl(page).jobId
  await openJob(page, 'PREPAY')
  const prepayJobId = idsInUrl(page).jobId
  const jobPaths = ['search', 'cart', 'cart/services', 'confirmCart', 'checkout', 'hand-over', 'edit-cart-package/2']
  const addresses = [
    '/',
    '/riverside',
    ...jobPaths.map((path) => `${jobUrl}/${path}`),
    `${jobUrl}/subject/${subjectId}/select-package`,
    packageOptionsUrl,
    ...['', '/more', '/images'].map((path) => `${jobUrl}/order/${number}${path}`),
    `/riverside/${galleryJobId}/select-subject`,
    `/riverside/${prepayJobId}/search`,
    '/riverside/999999/unavailable',
  ]
  expect(await checkAddresses(page, addresses)).toEqual([])
})

test('No long word or text makes a staff screen wider than the page', async ({ page }) => {
  test.setTimeout(400_000)
  await signIn(page, { email: 'owner@riverside.test', at: '/account' })
  const studio = '/admin/studios/1'
  const job = `${studio}/jobs/1`
  const studioPaths = [
    '',
    'organizations',
    'organizations/1/overview',
    'jobs',
    'galleries',
    'prepay',
    'profile',
    'settings',
  ]
  const jobPaths = [
    'overview',
    'settings/general',
    'settings/standard',
    'packages',
    'subjects',
    'subjects/groups',
    'subjects/1',
  ]
  const workPaths = ['images', 'data-import', 'entry', 'orders', 'orders/batch', 'orders/individual', 'workflows']
  const packagePaths = ['pkg-prefs', 'pkg-set-mgmt', 'pkg-set-mgmt/1/packages']
  const addresses = [
    ...[...studioPaths, ...packagePaths].map((path) => `${studio}/${path}`),
    ...[...jobPaths, ...workPaths].map((path) => `${job}/${path}`),
    '/account',
  ]
  expect(await checkAddresses(page, addresses)).toEqual([])
})
