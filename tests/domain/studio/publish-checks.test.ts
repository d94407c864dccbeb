import { describe, expect, test } from 'vitest'
import { isLegacyJob } from '#domain/studio/job-states.ts'
import { type PublishCheckInput, publishBlockers, publishChecks } from '#domain/studio/publish-checks.ts'

const now = '2027-04-15T10:00:00.000Z'

/** A job without problems, with both order methods. */
const ready: PublishCheckInput = {
  now,
  today: '2027-04-15',
  hasOrganization: true,
  code: 'SPRING',
  eventDate: '2027-05-10',
  orderBy: '2027-06-30',
  packages: { prepay: 3, gallery: 4 },
  subjectCount: 300,
  fieldCount: 2,
  hasPublishedImages: true,
  prepay: {
    enabled: true,
    opensAt: '2027-04-20T12:00:00.000Z',
    closesAt: '2027-05-09T12:00:00.000Z',
    closesOn: '2027-05-09',
    importedData: false,
  },
  gallery: {
    enabled: true,
    isSettable: true,
    opensAt: '2027-05-20T12:00:00.000Z',
    opensOn: '2027-05-20',
    closesAt: '2027-07-01T12:00:00.000Z',
    expiresOn: '2027-08-01',
    poseSelection: true,
    poseExpiresAt: '2027-06-01T12:00:00.000Z',
  },
  shipping: { home: true, batch: true, batchClosesOn: '2027-06-01' },
  money: { acceptsCards: true, sells: true, taxes: true, mustTax: false },
}

const { prepay, gallery, shipping } = ready
const noPrepay = { ...prepay, enabled: false }
const noGallery = { ...gallery, enabled: false }

type Change = Partial<PublishCheckInput>
const problemsOf = (change: Change) =>
  publishChecks({ ...ready, ...change }).map(({ weight, link, message }) => `${weight} ${link}: ${message}`)

describe('the checks before a job is published', () => {
  test('a complete job has no problems', () => expect(problemsOf({})).toEqual([]))

  test('a studio that is not verified gets no other problem about its gallery', () => {
    const message = 'A gallery needs a verified studio. Until then parents order before the picture day'
    const unverified = { ...gallery, expiresOn: null, isSettable: false }
    expect(problemsOf({ gallery: unverified })).toEqual([`must settings/gallery: ${message}`])
    expect(problemsOf({ gallery: { ...unverified, enabled: false } })).toEqual([])
  })

  test('a job where everything is free needs neither payments nor taxes', () =>
    expect(
      problemsOf({
        money: { acceptsCards: false, sells: false, taxes: false, mustTax: false },
        shipping: { ...shipping, home: false },
      }),
    ).toEqual([]))

  test('missing tax rates come right after missing payments in production', () => {
    const money = { acceptsCards: false, sells: true, taxes: false, mustTax: true }
    expect(problemsOf({ money, code: null }).map((problem) => problem.split(':')[0])).toEqual([
      'must settings',
      'must packages',
      'must settings/general',
    ])
  })

  test.each<[string, Change, string]>([
    [
      'having prices without payments',
      {
        money: { acceptsCards: false, sells: true, taxes: true, mustTax: false },
        shipping: { ...shipping, home: false },
      },
      'must settings: Connect payments: without them parents cannot pay. Only an event where nothing costs anything goes without',
    ],
    [
      'having paid shipping without payments',
      { money: { acceptsCards: false, sells: false, taxes: true, mustTax: false } },
      'must settings: Connect payments: without them parents cannot pay. Only an event where nothing costs anything goes without',
    ],
    [
      'no tax rates',
      { money: { acceptsCards: true, sells: true, taxes: false, mustTax: false } },
      'should packages: The platform has no tax rates yet: orders are sold without tax. Its administrators can add them',
    ],
    [
      'no tax rates in production',
      { money: { acceptsCards: true, sells: true, taxes: false, mustTax: true } },
      'must packages: The platform has no tax rates yet. Its administrators must add them before parents can order',
    ],
    ['no organization', { hasOrganization: false }, 'must settings/general: Choose the organization this event is for'],
    ['no code', { code: null }, 'must settings/general: Give the event a code that parents can type'],
    ['no picture day', { eventDate: null }, 'should settings/general: Set the picture day'],
    [
      'no order method',
      { prepay: noPrepay, gallery: noGallery },
      'must settings/preorder: Choose how parents order: before the picture day, from a gallery, or both',
    ],
    [
      'a last day to order in the past',
      { orderBy: '2027-04-14' },
      'must settings/general: The last day to order is over. Choose a later one',
    ],
    [
      'a prepay period that ends before it begins',
      { prepay: { ...prepay, opensAt: '2027-05-09T12:00:00.000Z' } },
      'must settings/preorder: Ordering before the picture day ends before it begins. Change one of the two dates',
    ],
    [
      'a prepay period in the past without a gallery',
      { gallery: noGallery, prepay: { ...prepay, opensAt: null, closesAt: now } },
      'must settings/preorder: Ordering before the picture day has ended already. Choose a later date',
    ],
    [
      'a prepay period that ends after the picture day',
      { prepay: { ...prepay, closesAt: '2027-05-12T03:00:00.000Z', closesOn: '2027-05-11' } },
      'should settings/preorder: Ordering before the picture day ends after that day',
    ],
    [
      'a gallery that closes before it opens',
      { gallery: { ...gallery, closesAt: '2027-05-19T12:00:00.000Z' } },
      'must settings/gallery: The gallery closes before it opens. Change one of the two dates',
    ],
    [
      'a gallery that has closed',
      { gallery: { ...gallery, opensAt: null, opensOn: null, closesAt: now } },
      'must settings/gallery: The gallery has closed already. Choose a later date',
    ],
    [
      'having images that are no longer online',
      { gallery: { ...gallery, opensAt: null, opensOn: null, expiresOn: '2027-04-14' } },
      'must settings/gallery: The last day that images are online is over. Choose a later one',
    ],
    [
      'having images that go offline before the gallery opens',
      { gallery: { ...gallery, expiresOn: '2027-05-19' } },
      'must settings/gallery: Images go offline before the gallery opens. Change one of the two dates',
    ],
    [
      'having images without a last day online',
      { gallery: { ...gallery, expiresOn: null } },
      'should settings/gallery: Set the last day that images are online',
    ],
    [
      'a yearbook deadline in the past',
      { gallery: { ...gallery, poseExpiresAt: now } },
      'should settings/gallery: The yearbook deadline is over',
    ],
    ['no package set', { packages: null }, 'must packages: Choose a package set for this event'],
    [
      'no package before the picture day',
      { packages: { prepay: 0, gallery: 4 } },
      'must packages: No package is offered before the picture day. Add one to the set, or offer one of its packages then',
    ],
    [
      'no package in the gallery',
      { packages: { prepay: 3, gallery: 0 } },
      'must packages: No package is offered in the gallery. Add one to the set, or offer one of its packages there',
    ],
    [
      'a gallery without subjects',
      { subjectCount: 0, prepay: noPrepay },
      'must subjects: There is no one to order for yet. Add people, or import a list',
    ],
    [
      'an imported list without subjects',
      { subjectCount: 0, prepay: { ...prepay, importedData: true } },
      'must subjects: There is no one to order for yet. Add people, or import a list',
    ],
    [
      'having neither subjects nor custom fields',
      { subjectCount: 0, fieldCount: 0 },
      'must settings/prefields: Add the people, or at least one field that parents fill in about their child',
    ],
    [
      'no published image',
      { hasPublishedImages: false },
      'should subjects: No image is published yet. Parents see images once you publish them',
    ],
    [
      'no delivery option',
      { shipping: { ...shipping, home: false, batch: false } },
      'must settings/preorder: Choose how orders are delivered: shipped home, or together to the studio',
    ],
    [
      'a closing day of batches in the past',
      { shipping: { ...shipping, batchClosesOn: '2027-04-14' } },
      'should settings/preorder: The day on which orders for the studio close is over. Each batch waits until you close it',
    ],
  ])('%s is the only problem', (_, change, problem) => expect(problemsOf(change)).toEqual([problem]))

  test.each<[string, Change]>([
    [
      'a past period of a disabled order method',
      { prepay: { ...noPrepay, closesAt: now }, packages: { prepay: 0, gallery: 1 } },
    ],
    ['a past date of a disabled gallery', { gallery: { ...noGallery, closesAt: now, expiresOn: '2027-01-01' } }],
    ['a prepay period in the past with a gallery', { prepay: { ...prepay, opensAt: null, closesAt: now } }],
    ['an empty list while parents type in their children', { subjectCount: 0, hasPublishedImages: true }],
    ['today as the last day to order', { orderBy: '2027-04-15' }],
    [
      'having images that are online until today',
      { gallery: { ...gallery, opensAt: null, opensOn: null, expiresOn: '2027-04-15' } },
    ],
  ])('%s is not a problem', (_, change) => expect(problemsOf(change)).toEqual([]))

  test('only problems that must be solved block publishing', () => {
    const checks = publishChecks({ ...ready, eventDate: null, code: null })
    expect(publishBlockers(checks).map(({ message }) => message)).toEqual([
      'Give the event a code that parents can type',
    ])
  })
})

test('jobs older than version 3 are legacy jobs', () => {
  expect([1, 2, 3, 4].map((major) => isLegacyJob({ major }))).toEqual([true, true, false, false])
})
