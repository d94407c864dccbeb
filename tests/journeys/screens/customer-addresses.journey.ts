import type { Page } from 'playwright/test'
import { patterns } from '#platform/urls.ts'
import { idsInUrl, openAda } from '#support/journeys/customer-steps.ts'
import { allowPageErrors, expect, test } from '#support/journeys/journey-test.ts'

// Without the service worker, which serves navigations itself: the server's response to each URL is tested too.
test.use({ serviceWorkers: 'block' })

const ids = ['jobId', 'subjectId', 'imageId', 'packageIDs', 'cartPackageId'] as const
const bad = { 'non-numeric': 'abc', decimal: '1.5', huge: '99999999999999999999', negative: '-5' }

/** Every URL of a customer's screen below a job. */
const customers = Object.entries(patterns)
  .filter(([name]) => /^(customer|checkout|order)/.test(name))
  .flatMap(([, all]) => [...all])
  .filter((pattern) => pattern.includes(':jobId'))

type Values = Record<string, string>

const filled = (pattern: string, values: Values): string =>
  pattern.replace(/:(\w+)\??/g, (_, name: string) => values[name] ?? '').replace(/\/+$/, '')

const withIdsInQuery = (pattern: string, values: Values): string => {
  const named = ids.filter((id) => pattern.includes(`:${id}`))
  const bare = pattern.split('/').filter((part) => !named.some((id) => part.replace('?', '') === `:${id}`))
  return `${filled(bare.join('/'), values)}?${named.map((id) => `${id}=${values[id]}`).join('&')}`
}

const valuesOf = (page: Page): Values => {
  const { jobId, subjectId } = idsInUrl(page)
  const numbers = { jobId: String(jobId), subjectId: String(subjectId), imageId: '1', packageIDs: '1' }
  return { studioSlug: 'riverside', ...numbers, cartPackageId: '1', orderNumber: 'FP-00000000' }
}

/** A screen once it is loaded: its heading and the document's title. */
const settled = async (page: Page, address: string): Promise<{ heading: string; title: string }> => {
  await page.goto(address)
  const heading = page.locator('main h1, main h2').first()
  await expect(heading, address).toBeVisible()
  await expect(page.locator('main [aria-busy="true"]'), address).toHaveCount(0)
  return { heading: (await heading.textContent()) ?? '', title: await page.title() }
}

test('no customer’s address with an id that is none stops working, waits for ever or shows raw data', async ({
  page,
}) => {
  test.setTimeout(300_000)
  await openAda(page)
  const good = valuesOf(page)
  for (const pattern of customers) {
    for (const id of ids.filter((one) => pattern.includes(`:${one}`))) {
      for (const [kind, value] of Object.entries(bad)) {
        const address = filled(pattern, { ...good, [id]: value })
        // A subject typed in on a device has a negative id. This device does not know that subject.
        if (id === 'subjectId' && kind === 'negative') {
          await page.goto(address)
          await expect(page.getByRole('heading', { name: 'Who are you ordering for?' }), address).toBeVisible()
          continue
        }
        expect((await settled(page, address)).heading, address).toMatch(
          /We could not find this page|There is nothing at this address/,
        )
        await expect(page, address).toHaveTitle('Not found | Fieldproof')
      }
    }
  }
})

test('every customer’s address takes its ids from the query where the path has none', async ({ page }) => {
  test.setTimeout(120_000)
  await openAda(page)
  const good = valuesOf(page)
  for (const pattern of customers.filter((one) => one !== '/:studioSlug/:jobId')) {
    const address = withIdsInQuery(pattern, good)
    const { heading, title } = await settled(page, address)
    expect(heading, address).not.toMatch(/could not find this page|nothing at this address|stopped working/)
    expect(title, address).not.toContain('Not found')
    expect(new URL(page.url()).pathname, address).toContain(`/riverside/${good.jobId}/`)
  }
})

test('an address of no studio, or of another studio, shows nothing of an event’s studio', async ({
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
  await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
  await expect(page).toHaveTitle('Not found | Fieldproof')
  allowPageErrors(pageErrors, /^404 GET \/nostudio/)
})
