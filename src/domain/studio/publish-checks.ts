/**
 * Input of the checks before a job is published. Instants are ISO 8601 in UTC, days (`2027-04-15`) in the studio's time
 * zone; null if not set.
 */
export type PublishCheckInput = {
  readonly now: string
  readonly today: string
  readonly hasOrganization: boolean
  readonly code: string | null
  readonly eventDate: string | null
  readonly orderBy: string | null
  /** How many packages of the job's set each order method offers; null without a set. */
  readonly packages: { readonly prepay: number; readonly gallery: number } | null
  readonly subjectCount: number
  readonly fieldCount: number
  readonly hasPublishedImages: boolean
  readonly prepay: {
    readonly enabled: boolean
    readonly opensAt: string | null
    readonly closesAt: string | null
    /** The day of `closesAt` in the studio's time zone. */
    readonly closesOn: string | null
    /** Whether subjects come from an imported list instead of being typed in by parents. */
    readonly importedData: boolean
  }
  readonly gallery: {
    readonly enabled: boolean
    /** Whether the studio may change the gallery settings: only studios verified by the partner may. */
    readonly isSettable: boolean
    readonly opensAt: string | null
    readonly opensOn: string | null
    readonly closesAt: string | null
    readonly expiresOn: string | null
    readonly poseSelection: boolean
    readonly poseExpiresAt: string | null
  }
  readonly shipping: { readonly home: boolean; readonly batch: boolean; readonly batchClosesOn: string | null }
  readonly money: {
    /** Whether parents can pay the studio: its account is connected, or payments use the built-in test provider. */
    readonly acceptsCards: boolean
    /** Whether anything on offer has a price. */
    readonly sells: boolean
    /** Whether the platform has tax rates or uses a tax service. */
    readonly taxes: boolean
    /** Whether selling requires tax rates; true in production. */
    readonly mustTax: boolean
  }
}

/** A problem; `must` blocks publishing, `should` is only shown. */
export type PublishCheck = {
  readonly weight: 'must' | 'should'
  readonly message: string
  /** The screen where it can be fixed, relative to the path of the job, or of the studio if `of` is set. */
  readonly link: string
  readonly of?: 'studio'
}

type Rule = {
  readonly weight: PublishCheck['weight']
  readonly link: string
  readonly of?: 'studio'
  readonly message: string
  readonly isBroken: (input: PublishCheckInput) => boolean
}

const isOver = (instant: string | null, now: string): boolean =>
  instant !== null && Date.parse(instant) <= Date.parse(now)

const isBackwards = ({ opensAt, closesAt }: { opensAt: string | null; closesAt: string | null }): boolean =>
  opensAt !== null && closesAt !== null && Date.parse(closesAt) <= Date.parse(opensAt)

const isDayOver = (day: string | null, today: string): boolean => day !== null && day < today

/** Shown if a studio that is not verified enables a gallery. */
export const galleryNeedsVerification =
  'A gallery needs a verified studio. Until then parents order before the picture day'

/** Shown to staff of such a studio where they publish images. */
export const imagesNeedVerification =
  'Until your studio is verified, only families who have paid for a child see that child’s published photos'

/** In the order in which a studio sets up a job. */
const rules: readonly Rule[] = [
  {
    weight: 'must',
    link: 'settings',
    of: 'studio',
    message:
      'Connect payments: without them parents cannot pay. Only an event where nothing costs anything goes without',
    // Shipping to a home has a price too. Cash is only for orders that staff enter, and those need no published job.
    isBroken: ({ money, shipping }) => !money.acceptsCards && (money.sells || shipping.home),
  },
  {
    weight: 'must',
    link: 'packages',
    message: 'The platform has no tax rates yet. Its administrators must add them before parents can order',
    isBroken: ({ money }) => money.mustTax && !money.taxes && money.sells,
  },
  {
    weight: 'must',
    link: 'settings/general',
    message: 'Choose the organization this event is for',
    isBroken: ({ hasOrganization }) => !hasOrganization,
  },
  {
    weight: 'must',
    link: 'settings/general',
    message: 'Give the event a code that parents can type',
    isBroken: ({ code }) => code === null,
  },
  {
    weight: 'should',
    link: 'settings/general',
    message: 'Set the picture day',
    isBroken: ({ eventDate }) => eventDate === null,
  },
  {
    weight: 'must',
    link: 'settings/preorder',
    message: 'Choose how parents order: before the picture day, from a gallery, or both',
    isBroken: ({ prepay, gallery }) => !prepay.enabled && !gallery.enabled,
  },
  {
    weight: 'must',
    link: 'settings/general',
    message: 'The last day to order is over. Choose a later one',
    isBroken: ({ orderBy, today }) => isDayOver(orderBy, today),
  },
  {
    weight: 'must',
    link: 'settings/preorder',
    message: 'Ordering before the picture day ends before it begins. Change one of the two dates',
    isBroken: ({ prepay }) => prepay.enabled && isBackwards(prepay),
  },
  {
    weight: 'must',
    link: 'settings/preorder',
    message: 'Ordering before the picture day has ended already. Choose a later date',
    isBroken: ({ prepay, gallery, now }) => prepay.enabled && !gallery.enabled && isOver(prepay.closesAt, now),
  },
  {
    weight: 'should',
    link: 'settings/preorder',
    message: 'Ordering before the picture day ends after that day',
    isBroken: ({ prepay, eventDate }) =>
      prepay.enabled && eventDate !== null && prepay.closesOn !== null && prepay.closesOn > eventDate,
  },
  {
    weight: 'must',
    // The screen's guard redirects to the studio's profile, where verification is requested.
    link: 'settings/gallery',
    message: galleryNeedsVerification,
    isBroken: ({ gallery }) => gallery.enabled && !gallery.isSettable,
  },
  {
    weight: 'must',
    link: 'settings/gallery',
    message: 'The gallery closes before it opens. Change one of the two dates',
    isBroken: ({ gallery }) => gallery.enabled && isBackwards(gallery),
  },
  {
    weight: 'must',
    link: 'settings/gallery',
    message: 'The gallery has closed already. Choose a later date',
    isBroken: ({ gallery, now }) => gallery.enabled && isOver(gallery.closesAt, now),
  },
  {
    weight: 'must',
    link: 'settings/gallery',
    message: 'The last day that images are online is over. Choose a later one',
    isBroken: ({ gallery, today }) => gallery.enabled && isDayOver(gallery.expiresOn, today),
  },
  {
    weight: 'must',
    link: 'settings/gallery',
    message: 'Images go offline before the gallery opens. Change one of the two dates',
    isBroken: ({ gallery: { enabled, opensOn, expiresOn } }) =>
      enabled && opensOn !== null && expiresOn !== null && expiresOn < opensOn,
  },
  {
    weight: 'should',
    link: 'settings/gallery',
    message: 'Set the last day that images are online',
    isBroken: ({ gallery }) => gallery.enabled && gallery.isSettable && gallery.expiresOn === null,
  },
  {
    weight: 'should',
    link: 'settings/gallery',
    message: 'The yearbook deadline is over',
    isBroken: ({ gallery, now }) => gallery.enabled && gallery.poseSelection && isOver(gallery.poseExpiresAt, now),
  },
  {
    weight: 'must',
    link: 'packages',
    message: 'Choose a package set for this event',
    isBroken: ({ packages }) => packages === null,
  },
  {
    weight: 'must',
    link: 'packages',
    message: 'No package is offered before the picture day. Add one to the set, or offer one of its packages then',
    isBroken: ({ packages, prepay }) => prepay.enabled && packages !== null && packages.prepay === 0,
  },
  {
    weight: 'must',
    link: 'packages',
    message: 'No package is offered in the gallery. Add one to the set, or offer one of its packages there',
    isBroken: ({ packages, gallery }) => gallery.enabled && packages !== null && packages.gallery === 0,
  },
  {
    weight: 'must',
    link: 'subjects',
    message: 'There is no one to order for yet. Add people, or import a list',
    isBroken: ({ subjectCount, prepay, gallery }) =>
      subjectCount === 0 && ((prepay.enabled && prepay.importedData) || (gallery.enabled && !prepay.enabled)),
  },
  {
    weight: 'must',
    link: 'settings/prefields',
    message: 'Add the people, or at least one field that parents fill in about their child',
    isBroken: ({ subjectCount, fieldCount, prepay }) =>
      prepay.enabled && !prepay.importedData && subjectCount === 0 && fieldCount === 0,
  },
  {
    weight: 'should',
    link: 'subjects',
    message: 'No image is published yet. Parents see images once you publish them',
    isBroken: ({ gallery, hasPublishedImages }) => gallery.enabled && !hasPublishedImages,
  },
  {
    weight: 'must',
    link: 'settings/preorder',
    message: 'Choose how orders are delivered: shipped home, or together to the studio',
    isBroken: ({ shipping }) => !shipping.home && !shipping.batch,
  },
  {
    weight: 'should',
    link: 'settings/preorder',
    message: 'The day on which orders for the studio close is over. Each batch waits until you close it',
    isBroken: ({ shipping, today }) => shipping.batch && isDayOver(shipping.batchClosesOn, today),
  },
  {
    weight: 'should',
    link: 'packages',
    message: 'The platform has no tax rates yet: orders are sold without tax. Its administrators can add them',
    isBroken: ({ money }) => !money.mustTax && !money.taxes && money.sells,
  },
]

/** The problems of a job before it is published, in the order of its setup; empty if there are none. */
export const publishChecks = (input: PublishCheckInput): PublishCheck[] =>
  rules.filter(({ isBroken }) => isBroken(input)).map(({ isBroken: _, ...check }) => check)

/** The problems that block publishing. */
export const publishBlockers = (checks: readonly PublishCheck[]): PublishCheck[] =>
  checks.filter(({ weight }) => weight === 'must')
