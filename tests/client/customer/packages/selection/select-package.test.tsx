import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PackageSubject } from '#client/customer/packages/package-subject.ts'
import { SelectPackage } from '#client/customer/packages/selection/select-package.tsx'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { JobContext, type JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { CustomerJob } from '#contract/customer/discovery-calls.ts'
import type { JobPreferences } from '#contract/shapes/job-structs.ts'
import { type Cart, emptyCart } from '#domain/cart/cart.ts'
import { readCart } from '#local/cart.ts'
import { chooseYearBookPose } from '#local/outbox/set-order-service.ts'
import { database, stamp } from '#platform/database.ts'
import {
  cleanUp,
  click,
  countElements,
  getButton,
  getElement,
  render,
  waitForPage,
} from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'
import { ada, familyPackage, groupImage, image, landscape, portrait } from '../package-examples.ts'

const route = { studioSlug: 'riverside', jobId: 1, subjectId: 7 }

type Shown = {
  event?: JobContextValue
  imageId?: number
  images?: (typeof portrait)[]
  cart?: Cart
  draft?: unknown
  person?: PackageSubject
}

const show = ({
  event = springJobContext(),
  imageId,
  images = [portrait, landscape, groupImage],
  cart,
  draft,
  person = ada,
}: Shown = {}) =>
  render(
    <JobContext value={event}>
      <SelectPackage
        route={{ ...route, imageId }}
        person={person}
        images={images}
        offered={[familyPackage]}
        cart={cart ?? emptyCart(1, 'gallery')}
        draft={draft}
        draftKey="choosing:1:7"
      />
    </JobContext>,
  )

const large = () => getElement<HTMLImageElement>('img[width]').getAttribute('src')
const checkedPose = () => document.querySelector('input[name=pose]:checked')?.getAttribute('aria-label') ?? null

const preferring = (preferences: Partial<JobPreferences>) =>
  springJobContext({ preferences: { ...springJobContext().preferences, ...preferences } })
const about = (job: Partial<CustomerJob>) => springJobContext({ job: { ...springJobContext().job, ...job } })
const posing = (expired = false) =>
  about({ gallerySettings: { enableYearBookPoseSelection: true, isYearBookPoseSelectionExpired: expired } })

beforeEach(async () => {
  await database.delete()
  await database.open()
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')))
})
afterEach(() => vi.unstubAllGlobals())

describe('the initial pose', () => {
  const draft = (imageId: number | null, forImageId: number | null) => ({
    v: 1,
    standard: null,
    addOns: [],
    imageId,
    forImageId,
  })
  test.each([
    ['is none, with the first image displayed', {}, null, portrait],
    ['is the one in the URL', { imageId: 502 }, 'Pose 2', landscape],
    ['is the one chosen after this URL was opened', { imageId: 502, draft: draft(501, 502) }, 'Pose 1', portrait],
    [
      'is the one in the URL if the draft was made under another',
      { imageId: 502, draft: draft(501, null) },
      'Pose 2',
      landscape,
    ],
    ['is none if the URL has an image of another subject', { imageId: 999 }, null, portrait],
    ['is the only one there is', { images: [portrait] }, null, portrait],
  ])('%s', (_, given, pose, picture) => {
    show(given)
    expect(checkedPose()).toBe(pose)
    expect(large()).toBe(picture.previewUrl)
  })
})

describe('the studio’s preferences', () => {
  const priced = () => document.body.textContent?.includes('$25.00')
  test.each([
    ['before a pose', preferring({ pricesBeforePose: true }), undefined, true],
    ['not before a pose', preferring({ pricesBeforePose: false }), undefined, false],
    ['once there is a pose', preferring({ pricesBeforePose: false }), 502, true],
    [
      'always before picture day',
      { ...preferring({ pricesBeforePose: false }), orderMethod: 'prepay' as const },
      undefined,
      true,
    ],
  ])('show prices %s', (_, event, imageId, expected) => {
    show({ event, ...(imageId && { imageId }) })
    expect(priced()).toBe(expected)
  })

  test.each([
    [true, / day.* left|last day/],
    [false, /^Order by \d\d\/\d\d\/\d{4}$/],
  ])('show the order countdown: %s', (orderByCountdown, words) => {
    const orderBy = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
    const event = preferring({ orderByCountdown })
    show({ event: { ...event, job: { ...event.job, orderBy } } })
    const line = [...document.querySelectorAll('p')].find((each) => each.textContent?.startsWith('Order by'))
    expect(line?.textContent).toMatch(words)
  })
})

describe('the yearbook image', () => {
  const words = 'Use this picture in the yearbook'
  const cart = { ...emptyCart(1, 'gallery' as const), yearBookPoses: [{ subjectId: 7, imageId: 502 }] }

  test('is selected at once and stored on the device', async () => {
    show({ event: posing(), imageId: 502 })
    await waitForPage(() => getButton(words))
    click(getButton(words))
    await vi.waitFor(async () =>
      expect((await readCart(database, 1, 'gallery')).cart.yearBookPoses).toEqual([{ subjectId: 7, imageId: 502 }]),
    )
  })

  test('is marked in the strip and labelled when displayed', async () => {
    show({ event: posing(), imageId: 502, cart })
    expect(checkedPose()).toBe('Pose 2, in the yearbook')
    await waitForPage(() =>
      expect(getButton('This picture is in the yearbook').getAttribute('aria-pressed')).toBe('true'),
    )
  })

  test.each([
    [7, true],
    [8, false],
  ])('rejected for subject %i is reported at their own images only', async (subjectId, isSaid) => {
    await database.delete()
    await database.open()
    await chooseYearBookPose(database, stamp, { jobId: 1, orderMethod: 'gallery', subjectId, imageId: 502 })
    await database.outbox.toCollection().modify({ state: 'refused', refusal: { problem: 'rule', message: 'Too late' } })
    show({ event: posing(), imageId: 502, cart })
    const Refused = () => <output>{useCart(1, 'gallery')?.refused.length}</output>
    render(<Refused />)
    await waitForPage(() => expect(getElement('output').textContent).toBe('1'))
    expect(getElement('[role=status]').textContent?.includes('did not take the last choice')).toBe(isSaid)
  })

  test('selected elsewhere is read from the subject until another is selected here', () => {
    const person = { ...ada, yearBookImageId: 501 }
    show({ event: posing(), imageId: 501, person })
    expect(checkedPose()).toBe('Pose 1, in the yearbook')
    cleanUp()
    show({ event: posing(), imageId: 501, person, cart })
    expect(checkedPose()).toBe('Pose 1')
  })

  test.each([
    ['a group image', { event: posing(), imageId: groupImage.id }],
    ['a job without yearbook poses', { imageId: 502 }],
    ['a job whose yearbook deadline has passed', { event: posing(true), imageId: 502 }],
    ['a subject with a single own image', { event: posing(), images: [portrait, groupImage] }],
    ['a closed job', { event: { ...posing(), closed: 'Orders are closed' }, imageId: 502 }],
  ])('is not offered for %s', async (_, given) => {
    show(given)
    // The lazy chunk is loaded by now, or will be before this other one.
    await import('#client/customer/packages/selection/year-book-pose.tsx')
    await waitForPage(() => expect(large()).not.toBeNull())
    expect(document.body.textContent).not.toContain('in the yearbook')
    expect(countElements('input[name=pose]')).toBeGreaterThan(0)
  })

  test('offers no choice for a single image', () => {
    show({ event: posing(), images: [image(501)] })
    expect(document.body.textContent).not.toContain('yearbook')
  })
})
