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
  money: { takesCards: true, sells: true, taxes: true, mustTax: false },
}

const { prepay, gallery, shipping } = ready
const noPrepay = { ...prepay, enabled: false }
const noGallery = { ...gallery, enabled: false }

type Change = Partial<PublishCheckInput>
const said = (change: Change) =>
  publishChecks({ ...ready, ...change }).map(({ weight, link, sentence }) => `${weight} ${link}: ${sentence}`)

describe('the checks before a job is published', () => {
  test('a complete job has no problems', () => expect(said({})).toEqual([]))

  test('a studio that is not verified gets no other problem about its gallery', () => {
    const message = 'A gallery needs a verified studio. Until then parents order before the picture day'
    const unverified = { ...gallery, expiresOn: null, isSettable: false }
    expect(said({ gallery: unverified })).toEqual([`must settings/gallery: ${message}`])
    expect(said({ gallery: { ...unverified, enabled: false } })).toEqual([])
  })

  test('a job where everything is free needs neither payments nor taxes', () =>
    expect(
      said({
        money: { takesCards: false, sells: false, taxes: false, mustTax: false },
        shipping: { ...shipping, home: false },
      }),
    ).toEqual([]))

  test('missing tax rates come right after missing payments in production', () => {
    const money = { takesCards: false, sells: true, taxes: false, mustTax: true }
    expect(said({ money, code: null }).map((one) => one.split(':')[0])).toEqual([
      'must settings',
      'must packages',
      'must settings/general',
    ])
  })

  test.each<[string, Change, string]>([
    [
      'no payments, and prices',
      {
        money: { takesCards: false, sells: true, taxes: true, mustTax: false },
        shipping: { ...shipping, home: false },
      },
      'must settings: Connect payments: without them parents cannot pay. Only an event where nothing costs anything goes without',
    ],
    [
      'no payments, and mail that costs something',
      { money: { takesCards: false, sells: false, taxes: true, mustTax: false } },
      'must settings: Connect payments: without them parents cannot pay. Only an event where nothing costs anything goes without',
    ],
    [
      'no tax rates',
      { money: { takesCards: true, sells: true, taxes: false, mustTax: false } },
      'should packages: The platform has no tax rates yet: orders are sold without tax. Its administrators can add them',
    ],
    [
      'no tax rates in production',
      { money: { takesCards: true, sells: true, taxes: false, mustTax: true } },
      'must packages: The platform has no tax rates yet. Its administrators must add them before parents can order',
    ],
    ['no organization', { hasOrganization: false }, 'must settings/general: Choose the organization this event is for'],
    ['no code', { code: null }, 'must settings/general: Give the event a code that parents can type'],
    ['no day', { eventDate: null }, 'should settings/general: Say on which day the pictures are taken'],
    [
      'no way to order',
      { prepay: noPrepay, gallery: noGallery },
      'must settings/preorder: Say how parents order: before the picture day, from a gallery, or both',
    ],
    [
      'a last day that is over',
      { orderBy: '2027-04-14' },
      'must settings/general: The last day to order is over. Choose a later one',
    ],
    [
      'a prepay that ends first',
      { prepay: { ...prepay, opensAt: '2027-05-09T12:00:00.000Z' } },
      'must settings/preorder: Ordering before the picture day ends before it begins. Change one of the two dates',
    ],
    [
      'a prepay that is over',
      { gallery: noGallery, prepay: { ...prepay, opensAt: null, closesAt: now } },
      'must settings/preorder: Ordering before the picture day has ended already. Choose a later date',
    ],
    [
      'a prepay that goes on',
      { prepay: { ...prepay, closesAt: '2027-05-12T03:00:00.000Z', closesOn: '2027-05-11' } },
      'should settings/preorder: Ordering before the picture day goes on after that day',
    ],
    [
      'a gallery that closes first',
      { gallery: { ...gallery, closesAt: '2027-05-19T12:00:00.000Z' } },
      'must settings/gallery: The gallery closes before it opens. Change one of the two dates',
    ],
    [
      'a gallery that is over',
      { gallery: { ...gallery, opensAt: null, opensOn: null, closesAt: now } },
      'must settings/gallery: The gallery has closed already. Choose a later date',
    ],
    [
      'pictures that are offline',
      { gallery: { ...gallery, opensAt: null, opensOn: null, expiresOn: '2027-04-14' } },
      'must settings/gallery: The day until which pictures are online is over. Choose a later one',
    ],
    [
      'pictures that go offline first',
      { gallery: { ...gallery, expiresOn: '2027-05-19' } },
      'must settings/gallery: Pictures go offline before the gallery opens. Change one of the two dates',
    ],
    [
      'pictures without an end',
      { gallery: { ...gallery, expiresOn: null } },
      'should settings/gallery: Say until when pictures are online',
    ],
    [
      'poses that are over',
      { gallery: { ...gallery, poseExpiresAt: now } },
      'should settings/gallery: The time to choose a year-book pose is over already',
    ],
    ['no set', { packages: null }, 'must packages: Choose a package set for this event'],
    [
      'nothing before the picture day',
      { packages: { prepay: 0, gallery: 4 } },
      'must packages: Nothing is on offer before the picture day. Put a package into the set, or offer one of it there',
    ],
    [
      'nothing in the gallery',
      { packages: { prepay: 3, gallery: 0 } },
      'must packages: Nothing is on offer in the gallery. Put a package into the set, or offer one of it there',
    ],
    [
      'a gallery of nobody',
      { subjectCount: 0, prepay: noPrepay },
      'must subjects: There is nobody to order for yet. Add the people, or import a list',
    ],
    [
      'a list of nobody',
      { subjectCount: 0, prepay: { ...prepay, importedData: true } },
      'must subjects: There is nobody to order for yet. Add the people, or import a list',
    ],
    [
      'nobody, and nothing asked of them',
      { subjectCount: 0, fieldCount: 0 },
      'must settings/prefields: Add the people, or at least one field that parents fill in about their child',
    ],
    [
      'no pictures',
      { hasPublishedImages: false },
      'should subjects: No picture is published yet. Parents see them as soon as there are some',
    ],
    [
      'no way home',
      { shipping: { ...shipping, home: false, batch: false } },
      'must settings/preorder: Say how orders reach their parents: by mail to their home, or together to the studio',
    ],
    [
      'a batch that is over',
      { shipping: { ...shipping, batchClosesOn: '2027-04-14' } },
      'should settings/preorder: The day on which orders for the studio close is over. Each batch waits until you close it',
    ],
  ])('%s is the only problem', (_, change, sentence) => expect(said(change)).toEqual([sentence]))

  test.each<[string, Change]>([
    [
      'what is over of a way that is not offered',
      { prepay: { ...noPrepay, closesAt: now }, packages: { prepay: 0, gallery: 1 } },
    ],
    ['a gallery’s dates while there is none', { gallery: { ...noGallery, closesAt: now, expiresOn: '2027-01-01' } }],
    ['a prepay that is over beside a gallery', { prepay: { ...prepay, opensAt: null, closesAt: now } }],
    ['nobody on the list, whom parents type in', { subjectCount: 0, hasPublishedImages: true }],
    ['the last day, today', { orderBy: '2027-04-15' }],
    [
      'pictures that are online until today',
      { gallery: { ...gallery, opensAt: null, opensOn: null, expiresOn: '2027-04-15' } },
    ],
  ])('%s is not a problem', (_, change) => expect(said(change)).toEqual([]))

  test('only problems that must be solved block publishing', () => {
    const checks = publishChecks({ ...ready, eventDate: null, code: null })
    expect(publishBlockers(checks).map(({ sentence }) => sentence)).toEqual([
      'Give the event a code that parents can type',
    ])
  })
})

test('jobs older than version 3 are legacy jobs', () => {
  expect([1, 2, 3, 4].map((major) => isLegacyJob({ major }))).toEqual([true, true, false, false])
})
