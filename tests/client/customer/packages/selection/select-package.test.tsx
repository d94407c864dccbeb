import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PackageSubject } from '#client/customer/packages/package-context.ts'
import { SelectPackage } from '#client/customer/packages/selection/select-package.tsx'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { CustomerJob } from '#contract/customer/discovery-calls.ts'
import type { JobPreferences } from '#contract/shapes/job-structs.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { readCart } from '#local/cart.ts'
import { chooseYearBookPose } from '#local/outbox/set-order-service.ts'
import { database, stamp } from '#platform/database.ts'
import { urls } from '#platform/urls.ts'
import {
  cleanUp,
  click,
  countElements,
  getButton,
  getElement,
  render,
  waitForPage,
} from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'
import { ada, familyPackage, groupImage, image, landscape, portrait } from '../package-examples.ts'

const route = { studioSlug: 'riverside', jobId: 1, subjectId: 7 }

type ScreenOptions = {
  jobContext?: JobContextValue
  imageId?: number
  images?: (typeof portrait)[]
  cart?: Cart
  draft?: unknown
  subject?: PackageSubject
}

const renderScreen = ({
  jobContext = springJobContext(),
  imageId,
  images = [portrait, landscape, groupImage],
  cart,
  draft,
  subject = ada,
}: ScreenOptions = {}) =>
  render(
    <JobContext value={jobContext}>
      <SelectPackage
        route={{ ...route, imageId }}
        subject={subject}
        images={images}
        offeredPackages={[familyPackage]}
        cart={cart ?? emptyCart(1, 'gallery')}
        draft={draft}
        draftKey="choosing:1:7"
      />
    </JobContext>,
  )

const displayedImage = () => getElement<HTMLImageElement>('img[width]').getAttribute('src')
const checkedPose = () => document.querySelector('input[name=pose]:checked')?.getAttribute('aria-label') ?? null

const contextWithPreferences = (preferences: Partial<JobPreferences>) =>
  springJobContext({ preferences: { ...springJobContext().preferences, ...preferences } })
const contextWithJob = (job: Partial<CustomerJob>) => springJobContext({ job: { ...springJobContext().job, ...job } })
const contextWithYearbook = (expired = false) =>
  contextWithJob({
    gallerySettings: {
      enableYearBookPoseSelection: true,
      isYearBookPoseSelectionExpired: expired,
      yearBookPoseDeadline: '04/15/2027, 5:00 PM',
    },
  })

beforeEach(async () => {
  await database.delete()
  await database.open()
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})
afterEach(() => vi.unstubAllGlobals())

describe('the dates of an order', () => {
  const late = 'Late price: 10% is added to your order at checkout'
  const free = 'Studio Shipping is free until 04/15/2027'
  test.each([
    ['are the notes alone without a last day to order', { orderNotes: [late, free] }, `${late}. ${free}`],
    [
      'are the last day to order and the notes',
      { orderBy: '2020-04-01', orderNotes: [free] },
      `Orders were due by 04/01/2020. ${free}`,
    ],
  ])('%s', (_, job, text) => {
    renderScreen({ jobContext: contextWithJob(job) })
    const paragraphs = [...document.querySelectorAll('p')].map(({ textContent }) => textContent)
    expect(paragraphs).toContain(text)
  })
})

describe('a package that was tapped before the app ran', () => {
  const tapEarly = (packageId: string) => {
    history.replaceState(null, '', '/riverside/1/subject/7/select-package')
    const earlyButton = Object.assign(document.createElement('button'), { value: packageId })
    Object.assign(window, { earlyButton })
  }

  test('opens once', () => {
    tapEarly(String(familyPackage.id))
    renderScreen()
    const address = window.location.pathname
    expect(address).toBe(urls.packageDetails({ ...route, packageIds: [familyPackage.id], imageId: portrait.id }))
    cleanUp()
    history.replaceState(null, '', '/riverside/1/subject/7/select-package')
    renderScreen()
    expect(window.location.pathname).toBe('/riverside/1/subject/7/select-package')
  })

  test('is ignored if it is not offered', () => {
    tapEarly('999')
    renderScreen()
    expect(window.location.pathname).toBe('/riverside/1/subject/7/select-package')
  })
})

describe('the initial pose', () => {
  const draft = (imageId: number | null, forImageId: number | null) => ({
    v: 1,
    standard: null,
    addOns: [],
    imageId,
    forImageId,
  })
  test.each([
    ['is the first', {}, 'Photo 1', portrait],
    [
      'is none while prices are hidden, with the first image displayed',
      { jobContext: contextWithPreferences({ pricesBeforePose: false }) },
      null,
      portrait,
    ],
    ['is the one in the URL', { imageId: 502 }, 'Photo 2', landscape],
    ['is the one chosen after this URL was opened', { imageId: 502, draft: draft(501, 502) }, 'Photo 1', portrait],
    [
      'is the one in the URL if the draft was made for another URL',
      { imageId: 502, draft: draft(501, null) },
      'Photo 2',
      landscape,
    ],
    ['is the first if the URL has an image of another subject', { imageId: 999 }, 'Photo 1', portrait],
    ['is the only image, without a strip', { images: [portrait] }, null, portrait],
  ])('%s', (_, options, pose, image) => {
    renderScreen(options)
    expect(checkedPose()).toBe(pose)
    expect(displayedImage()).toBe(image.previewUrl)
  })
})

describe('the studio’s preferences', () => {
  const showsPrices = () => document.body.textContent?.includes('$25.00')
  test.each([
    ['before an image is selected', contextWithPreferences({ pricesBeforePose: true }), undefined, true],
    ['not before an image is selected', contextWithPreferences({ pricesBeforePose: false }), undefined, false],
    ['once an image is selected', contextWithPreferences({ pricesBeforePose: false }), 502, true],
    [
      'always before picture day',
      { ...contextWithPreferences({ pricesBeforePose: false }), orderMethod: 'prepay' as const },
      undefined,
      true,
    ],
  ])('show prices %s', (_, jobContext, imageId, pricesAreShown) => {
    renderScreen({ jobContext, ...(imageId && { imageId }) })
    expect(showsPrices()).toBe(pricesAreShown)
  })

  test.each([
    [true, / day.* left|last day/],
    [false, /^Order by \d\d\/\d\d\/\d{4}$/],
  ])('show the order countdown: %s', (orderByCountdown, text) => {
    const orderBy = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
    const jobContext = contextWithPreferences({ orderByCountdown })
    renderScreen({ jobContext: { ...jobContext, job: { ...jobContext.job, orderBy } } })
    const line = [...document.querySelectorAll('p')].find((paragraph) => paragraph.textContent?.startsWith('Order by'))
    expect(line?.textContent).toMatch(text)
  })
})

describe('the yearbook image', () => {
  const useLabel = 'Use this photo in the yearbook'
  const cart = { ...emptyCart(1, 'gallery' as const), yearBookPoses: [{ subjectId: 7, imageId: 502 }] }

  test('is selected at once and stored on the device', async () => {
    renderScreen({ jobContext: contextWithYearbook(), imageId: 502 })
    await waitForPage(() => getButton(useLabel))
    expect(document.body.textContent).toContain('Choose a yearbook photo until 04/15/2027, 5:00 PM.')
    click(getButton(useLabel))
    await vi.waitFor(async () =>
      expect((await readCart(database, 1, 'gallery')).cart.yearBookPoses).toEqual([{ subjectId: 7, imageId: 502 }]),
    )
  })

  test('is marked in the strip and labelled when displayed', async () => {
    renderScreen({ jobContext: contextWithYearbook(), imageId: 502, cart })
    expect(checkedPose()).toBe('Photo 2, in the yearbook')
    await waitForPage(() =>
      expect(getButton('This photo is in the yearbook').getAttribute('aria-pressed')).toBe('true'),
    )
  })

  test.each([
    [7, true],
    [8, false],
  ])('if rejected, is reported only on the screen of its subject (subject %i)', async (subjectId, isReported) => {
    await database.delete()
    await database.open()
    await chooseYearBookPose(database, stamp, { jobId: 1, orderMethod: 'gallery', subjectId, imageId: 502 })
    await database.outbox
      .toCollection()
      .modify({ state: 'rejected', rejection: { problem: 'rule', message: 'Too late' } })
    renderScreen({ jobContext: contextWithYearbook(), imageId: 502, cart })
    const RejectedCount = () => <output>{useCart(1, 'gallery')?.rejected.length}</output>
    render(<RejectedCount />)
    await waitForPage(() => expect(getElement('output').textContent).toBe('1'))
    expect(getElement('[role=status]').textContent?.includes('didn’t accept your last choice')).toBe(isReported)
  })

  test('is the one stored with the subject until another is selected on this device', () => {
    const subject = { ...ada, yearBookImageId: 501 }
    renderScreen({ jobContext: contextWithYearbook(), imageId: 501, subject })
    expect(checkedPose()).toBe('Photo 1, in the yearbook')
    cleanUp()
    renderScreen({ jobContext: contextWithYearbook(), imageId: 501, subject, cart })
    expect(checkedPose()).toBe('Photo 1')
  })

  test.each([
    ['a group image', { jobContext: contextWithYearbook(), imageId: groupImage.id }],
    ['a job without yearbook poses', { imageId: 502 }],
    ['a job whose yearbook deadline has passed', { jobContext: contextWithYearbook(true), imageId: 502 }],
    ['a subject with a single own image', { jobContext: contextWithYearbook(), images: [portrait, groupImage] }],
    ['a closed job', { jobContext: { ...contextWithYearbook(), closedReason: 'Orders are closed' }, imageId: 502 }],
  ])('is not offered for %s', async (_, options) => {
    renderScreen(options)
    // Waits until the lazy chunk with the yearbook choice is loaded.
    await import('#client/customer/packages/selection/year-book-pose.tsx')
    await waitForPage(() => expect(displayedImage()).not.toBeNull())
    expect(document.body.textContent).not.toContain('in the yearbook')
    expect(countElements('input[name=pose]')).toBeGreaterThan(0)
  })

  test('cannot be chosen if there is only one image', () => {
    renderScreen({ jobContext: contextWithYearbook(), images: [image(501)] })
    expect(document.body.textContent).not.toContain('yearbook')
  })
})
