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

// The worker would respond from its cache, which lacks the long texts.
test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } })

const long = {
  'a word of 52 letters': 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwa',
  'a text of 200 letters without a space': 'x'.repeat(200),
}
const widths = [390, 320]

/** The fields of responses that hold typed text. */
const typed =
  /^(name|firstName|lastName|jobName|studioName|organizationName|groupName|personName|legalName|description|altName|altDescription|value|title|email|contactName|notes|address1|address2|city|shownName|fileName|originalName|subjectName|packageName|studioWebUrl)$/

const lengthened = (value: unknown, text: string, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => lengthened(one, text, key))
  if (typeof value === 'string') return typed.test(key) && value !== '' ? text : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, lengthened(one, text, name)]))
}

/** Replaces every typed text in the server's responses by this one. */
const lengthen = async (page: Page, text: string): Promise<void> => {
  const rewrite = async (route: Route) => {
    if (route.request().method() !== 'GET') return await route.continue()
    const answer = await route.fetch()
    const isJson = (answer.headers()['content-type'] ?? '').includes('application/json')
    if (!isJson) return await route.fulfill({ response: answer })
    await route.fulfill({ response: answer, json: lengthened(await answer.json(), text) })
  }
  await page.unroute('**/api/**')
  await page.unroute(/\/riverside$/)
  await page.route('**/api/**', rewrite)
  await page.route(/\/riverside$/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('Riverside Portraits', text) })
  })
}

/** The innermost element that makes the page too wide. */
const widest = (page: Page, width: number): Promise<string> =>
  page.evaluate((most) => {
    const isCause = (one: HTMLElement): boolean => {
      const before = one.style.display
      one.style.display = 'none'
      const isNarrow = document.documentElement.scrollWidth <= most
      one.style.display = before
      return isNarrow
    }
    const causes = [...document.querySelectorAll<HTMLElement>('body *')].filter(isCause)
    const cause = causes.at(-1)
    return cause ? `${cause.tagName} ${cause.className} ${cause.textContent?.slice(0, 20)}` : 'several'
  }, width)

/** The elements that are wider than the page, by width. */
const wider = async (page: Page, address: string): Promise<string[]> => {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    // Elements that measure themselves follow the page's size a frame later.
    const isNarrow = (most: number) => document.documentElement.scrollWidth <= most
    const narrow = page.waitForFunction(isNarrow, width, { timeout: 2_000 })
    await narrow.catch(async () => {
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
      found.push(`${address} is ${scrollWidth} px at ${width}: ${await widest(page, width)}`)
    })
  }
  await page.setViewportSize({ width: 390, height: 844 })
  return found
}

const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await expect(page.locator('h1, h2').first(), address).toBeVisible()
  await expect(page.locator('[aria-busy="true"]'), address).toHaveCount(0)
}

/** Opens each URL with each long text. Returns those that are wider than the page. */
const walk = async (page: Page, addresses: readonly string[]): Promise<string[]> => {
  const found: string[] = []
  for (const [kind, text] of Object.entries(long)) {
    await lengthen(page, text)
    for (const address of addresses) {
      await open(page, address)
      found.push(...(await wider(page, address)).map((one) => `with ${kind}, ${one}`))
    }
  }
  return found
}

test('no long word or text makes a customer’s screen wider than the page', async ({ page }) => {
  test.setTimeout(400_000)
  await openAda(page)
  const { jobId, subjectId } = idsInUrl(page)
  const event = `/riverside/${jobId}`
  await addAndSyncPackage(page, /Package A/)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await pay(page)
  const number = await readOrderNumber(page)
  await page.goto(`${event}/subject/${subjectId}/select-package`)
  await choosePackage(page, /Package B/)
  const options = new URL(page.url()).pathname
  await addToCart(page)
  await openJob(page, 'RAPIDS')
  const gallery = idsInUrl(page).jobId
  await openJob(page, 'PREPAY')
  const prepay = idsInUrl(page).jobId
  const under = ['search', 'cart', 'cart/services', 'confirmCart', 'checkout', 'hand-over', 'edit-cart-package/2']
  const addresses = [
    '/',
    '/riverside',
    ...under.map((one) => `${event}/${one}`),
    `${event}/subject/${subjectId}/select-package`,
    options,
    ...['', '/more', '/pictures'].map((one) => `${event}/order/${number}${one}`),
    `/riverside/${gallery}/select-subject`,
    `/riverside/${prepay}/search`,
    '/riverside/999999/unavailable',
  ]
  expect(await walk(page, addresses)).toEqual([])
})

test('no long word or text makes a staff screen wider than the page', async ({ page }) => {
  test.setTimeout(400_000)
  await signIn(page, { email: 'owner@riverside.test', at: '/account' })
  const studio = '/admin/studios/1'
  const job = `${studio}/jobs/1`
  const ofStudio = [
    '',
    'organizations',
    'organizations/1/overview',
    'jobs',
    'galleries',
    'prepay',
    'profile',
    'settings',
  ]
  const ofJob = [
    'overview',
    'settings/general',
    'settings/standard',
    'packages',
    'subjects',
    'subjects/groups',
    'subjects/1',
  ]
  const work = ['images', 'data-import', 'entry', 'orders', 'orders/batch', 'orders/individual', 'workflows']
  const sets = ['pkg-prefs', 'pkg-set-mgmt', 'pkg-set-mgmt/1/packages']
  const addresses = [
    ...[...ofStudio, ...sets].map((one) => `${studio}/${one}`),
    ...[...ofJob, ...work].map((one) => `${job}/${one}`),
    '/account',
  ]
  expect(await walk(page, addresses)).toEqual([])
})
