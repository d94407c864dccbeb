import type { Page } from 'playwright/test'
import { patterns } from '#platform/urls.ts'
import { idsInUrl, openAda } from '#support/journeys/customer-steps.ts'
import { allowPageErrors, expect, test } from '#support/journeys/journey-test.ts'

// The service worker is blocked, because it serves navigations itself and the server's response to each URL is tested too.
test.use({ serviceWorkers: 'block' })

const idParameters = ['jobId', 'subjectId', 'imageId', 'packageIDs', 'cartPackageId'] as const
const invalidIds = { 'non-numeric': 'abc', decimal: '1.5', huge: '99999999999999999999', negative: '-5' }

/** The URL patterns of all customer screens below a job. */
const customerPatterns = Object.entries(patterns)
  .filter(([name]) => /^(customer|checkout|order)/.test(name))
  .flatMap(([, patternList]) => [...patternList])
  .filter((pattern) => pattern.includes(':jobId'))

const invalidKinds = Object.entries(invalidIds)

/** Each id of each URL with an invalid value of one kind in turn, in the long run (`LONG=1`) with one of each kind. */
const invalidCases = customerPatterns
  .flatMap((pattern) => idParameters.filter((id) => pattern.includes(`:${id}`)).map((id) => ({ pattern, id })))
  .flatMap((place, n) =>
    invalidKinds
      .filter((_, kind) => process.env.LONG === '1' || kind === n % invalidKinds.length)
      .map(([kind, value]) => ({ ...place, kind, value })),
  )

type PathValues = Record<string, string>

const fillPattern = (pattern: string, values: PathValues): string =>
  pattern.replace(/:(\w+)\??/g, (_, name: string) => values[name] ?? '').replace(/\/+$/, '')

const moveIdsToQuery = (pattern: string, values: PathValues): string => {
  const idNames = idParameters.filter((id) => pattern.includes(`:${id}`))
  const otherParts = pattern.split('/').filter((part) => !idNames.some((id) => part.replace('?', '') === `:${id}`))
  return `${fillPattern(otherParts.join('/'), values)}?${idNames.map((id) => `${id}=${values[id]}`).join('&')}`
}

const readPathValues = (page: Page): PathValues => {
  const { jobId, subjectId } = idsInUrl(page)
  const numbers = { jobId: String(jobId), subjectId: String(subjectId), imageId: '1', packageIDs: '1' }
  return { studioSlug: 'riverside', ...numbers, cartPackageId: '1', orderNumber: 'FP-00000000' }
}

/** Opens a screen and waits until it is loaded. Returns its heading and the document's title. */
const openScreen = async (page: Page, address: string): Promise<{ heading: string; title: string }> => {
  await page.goto(address)
  const heading = page.locator('main h1, main h2').first()
  await expect(heading, address).toBeVisible()
  await expect(page.locator('main [aria-busy="true"]'), address).toHaveCount(0)
  return { heading: (await heading.textContent()) ?? '', title: await page.title() }
}

test('No customer URL with an invalid id crashes, hangs or shows raw data', async ({ page }) => {
  test.setTimeout(300_000)
  await openAda(page)
  const validValues = readPathValues(page)
  for (const { pattern, id, kind, value } of invalidCases) {
    const address = fillPattern(pattern, { ...validValues, [id]: value })
    // A typed subject has a negative id. This device has no such subject.
    if (id === 'subjectId' && kind === 'negative') {
      await page.goto(address)
      await expect(page.getByRole('heading', { name: 'Who are you ordering for?' }), address).toBeVisible()
      continue
    }
    expect((await openScreen(page, address)).heading, address).toMatch(/We could not find this page|Page not found/)
    await expect(page, address).toHaveTitle('Not found | Fieldproof')
  }
})

test('Every customer URL takes its ids from the query if the path has none', async ({ page }) => {
  await openAda(page)
  const validValues = readPathValues(page)
  for (const pattern of customerPatterns.filter((path) => path !== '/:studioSlug/:jobId')) {
    const address = moveIdsToQuery(pattern, validValues)
    const { heading, title } = await openScreen(page, address)
    expect(heading, address).not.toMatch(/could not find this page|page not found|stopped working/)
    expect(title, address).not.toContain('Not found')
    expect(new URL(page.url()).pathname, address).toContain(`/riverside/${validValues.jobId}/`)
  }
})

test('A URL with an unknown studio or another studio shows nothing of the job’s studio', async ({
  page,
  pageErrors,
}) => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  for (const slug of ['nostudio', 'summit']) {
    for (const screen of ['search', 'cart', 'unavailable', 'select-subject']) {
      await page.goto(`/${slug}/${jobId}/${screen}`)
      await expect(page.getByRole('heading', { name: 'We could not find this page' })).toBeVisible()
      await expect(page).toHaveTitle('Not found | Fieldproof')
      await expect(page.locator('body')).not.toContainText(/Riverside|Spring/)
    }
  }
  await page.goto('/nostudio')
  await expect(page.getByRole('heading', { name: 'There was an error loading the studio' })).toBeVisible()
  await expect(page).toHaveTitle('Not found | Fieldproof')
  await page.goto('/no/such/place/at/all')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page).toHaveTitle('Not found | Fieldproof')
  allowPageErrors(pageErrors, /^404 GET \/nostudio/)
})
