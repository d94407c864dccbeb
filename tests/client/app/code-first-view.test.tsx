import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { maxFirstPackages, renderFirstScreen } from '#client/app/code-first-view.tsx'
import { toPackageSubject } from '#client/customer/packages/package-context.ts'
import { SelectPackage } from '#client/customer/packages/selection/select-package.tsx'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { CodeFirstScreen, PackageOffer } from '#contract/customer/code-page.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { packageOf } from '#tests/domain/cart/cart-fixtures.ts'
import {
  familyPackage,
  groupImage,
  landscape,
  portrait,
  replacementImage,
} from '../customer/packages/package-examples.ts'

const { studio, job, availability, preferences } = springJobContext()
const popularPackage = packageOf({
  ...familyPackage,
  id: 50,
  name: 'Popular · Large',
  retailCost: 20,
  mostPopular: true,
})
const addOn = packageOf({
  ...{ id: 60, name: 'Magnet' },
  packageAddon: { type: 'addon_standard', requiredMinPrice: null, requiresStandard: true, packageId: null },
})

const offerWith = (overrides: Partial<PackageOffer> = {}): PackageOffer => ({
  ...{ studio, job, availability, preferences, orderMethod: 'gallery' },
  subject: {
    ...{ id: 7, jobId: 1, firstName: 'Ada', lastName: 'Lovelace', groupName: null, fields: [] },
    ...{ imageThumbnailUrl: null, imageCount: 2, grantId: 'g', yearBookImageId: null },
  },
  images: [groupImage, portrait, landscape, replacementImage],
  packages: [familyPackage, popularPackage, addOn],
  ...overrides,
})

const showFirstScreen = (overrides: Partial<CodeFirstScreen> = {}): void => {
  const today = '2027-04-10'
  const screen = { studio, jobName: job.name, subjectName: 'Ada Lovelace', image: portrait, offer: offerWith(), today }
  vi.stubEnv('SSR', true)
  document.body.innerHTML = renderFirstScreen({ ...screen, ...overrides })
  vi.unstubAllEnvs()
}

/** Markup without differences that mean nothing: comments, and how styles are written. */
const outlineOf = (element: Element | null | undefined): string | undefined =>
  element?.outerHTML
    .replace(/<!--.*?-->/g, '')
    .replace(/style="([^"]*)"/g, (_, style: string) => `style="${style.replace(/ \/ 1\b|\s|;$/g, '')}"`)

/** Renders the screen that the app shows in place of the first view. */
const renderApp = (offer: PackageOffer, jobContext: JobContextValue) =>
  render(
    <JobContext value={jobContext}>
      <SelectPackage
        route={{ studioSlug: 'riverside', jobId: 1, subjectId: 7 }}
        subject={{ ...toPackageSubject(offer.subject), dataFields: null }}
        images={[portrait, landscape, groupImage]}
        offeredPackages={offer.packages}
        cart={emptyCart(1, offer.orderMethod)}
        draft={undefined}
        draftKey="choosing:1:7"
      />
    </JobContext>,
  )

const chooseButtons = () => [...document.querySelectorAll<HTMLButtonElement>('button[aria-label^="Choose: "]')]

beforeEach(() => {
  document.body.innerHTML = ''
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the packages of the first screen', () => {
  test('have the markup that the app renders first', () => {
    const offer = offerWith()
    showFirstScreen({ offer })
    const prerendered = outlineOf(document.querySelector('article')?.closest('ul'))
    expect(prerendered).toContain('Most popular')
    const { box } = renderApp(offer, springJobContext())
    expect(prerendered).toBe(outlineOf(box.querySelector('article')?.closest('ul')))
  })

  test('have buttons with the ids of the packages, and nothing else can be used', () => {
    showFirstScreen()
    expect(chooseButtons().map((button) => [button.getAttribute('aria-label'), button.value])).toEqual([
      ['Choose: Family', '40'],
      ['Choose: Popular · Large', '50'],
    ])
    const usable = [...document.querySelectorAll('button, a, input')].filter((element) => !element.closest('[inert]'))
    expect(usable).toEqual(chooseButtons())
  })

  test('are the first of a long list', () => {
    const packages = Array.from({ length: 30 }, (_, index) => packageOf({ ...familyPackage, id: index + 1 }))
    showFirstScreen({ offer: offerWith({ packages }) })
    expect(chooseButtons()).toHaveLength(maxFirstPackages)
  })

  test('have no prices while the studio hides them until an image is chosen', () => {
    showFirstScreen({ offer: offerWith({ preferences: { ...preferences, pricesBeforePose: false } }) })
    expect(document.body.textContent).toContain('Choose a photo to see prices.')
    expect(document.body.textContent).not.toContain('$')
  })

  test('are missing if there is no offer, and nothing can be used', () => {
    showFirstScreen({ offer: null })
    expect(document.querySelector('h1')?.textContent).toBe('Ada Lovelace')
    expect(document.querySelectorAll(':not([inert]) > button')).toHaveLength(0)
  })
})

/** The paragraph with the last day to order. */
const deadlineNotice = (box: ParentNode) => [...box.querySelectorAll('p')].find((line) => /^Order/.test(line.innerText))

describe('the last day to order in the first screen', () => {
  const orderBy = '2027-04-10'
  const offer = offerWith({ job: { ...job, orderBy, orderNotes: ['Studio Shipping is free until 04/15/2027'] } })

  test.each([
    ['2027-04-09', 'Order by 04/10/2027 · one day left'],
    ['2027-04-10', 'Order by 04/10/2027 · today is the last day'],
    ['2027-04-11', 'Orders were due by 04/10/2027'],
  ])('is described for a studio whose day is %s, as the app does', (today, text) => {
    showFirstScreen({ offer, today })
    const prerendered = deadlineNotice(document)
    expect(prerendered?.textContent).toBe(`${text}. Studio Shipping is free until 04/15/2027`)
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${today}T23:59`) })
    const { box } = renderApp(offer, springJobContext({ job: offer.job }))
    expect(outlineOf(prerendered)).toBe(outlineOf(deadlineNotice(box)))
  })
})

test.each([
  ['gallery', 'Order without choosing photos'],
  ['prepay', 'Choose from your photos instead'],
] as const)('the button that leaves the order method %s has its place, and cannot be used', (orderMethod, label) => {
  const bothMethods = { ...availability, prepay: availability.gallery }
  const offer = offerWith({ availability: bothMethods, orderMethod })
  showFirstScreen({ offer })
  const findButton = (box: ParentNode) => [...box.querySelectorAll('button')].find((one) => one.textContent === label)
  const prerendered = findButton(document)
  expect(prerendered?.closest('[inert]')).not.toBeNull()
  const { box } = renderApp(offer, springJobContext({ availability: bothMethods, orderMethod }))
  expect(outlineOf(prerendered?.parentElement)).toBe(outlineOf(findButton(box)?.parentElement))
})

test('texts of customers and of the studio are escaped', () => {
  const name = '<script>alert(1)</script>'
  const packages = [packageOf({ ...familyPackage, name })]
  showFirstScreen({ subjectName: name, jobName: name, studio: { ...studio, name }, offer: offerWith({ packages }) })
  expect(document.querySelector('script')).toBeNull()
  expect([document.querySelector('h1')?.textContent, document.querySelector('h3')?.textContent]).toEqual([name, name])
})

test('the large image loads first, in the size of the screen, with its thumbnail behind it', () => {
  showFirstScreen()
  const image = document.querySelector<HTMLImageElement>('main img')
  expect(image?.getAttribute('src')).toBe(portrait.previewUrl)
  expect([image?.getAttribute('fetchpriority'), image?.getAttribute('loading')]).toEqual(['high', 'lazy'])
  expect([image?.getAttribute('width'), image?.getAttribute('height')]).toEqual(['2400', '3000'])
  expect(image?.parentElement?.getAttribute('style')).toContain('--shape:0.8')
  expect(image?.getAttribute('style')).toContain(portrait.thumbnailUrl)
})

const logo = '/photos/logos/1-abc.webp'

test.each([
  ['initial', { logo: null, logoShape: null }, 'RRiverside Portraits', undefined],
  ['logo', { logo, logoShape: { width: 104, height: 104, wordmark: false } }, 'Riverside Portraits', ''],
  ['wordmark', { logo, logoShape: { width: 312, height: 104, wordmark: true } }, '', 'Riverside Portraits'],
])('the header has the studio’s %s', (_, values, studioName, alt) => {
  showFirstScreen({ studio: { ...studio, ...values } })
  const header = document.querySelector('header')
  expect(header?.textContent).toBe(`${studioName}Spring Portraits 2027`)
  expect(header?.querySelector('img')?.getAttribute('alt')).toBe(alt)
})
