import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  pattern,
  size,
  string,
  type,
} from 'superstruct'
import { newPackagePositions, taxClasses } from '#domain/catalogue/package-preferences.ts'
import { maxStudioHosts } from '#domain/studio/studio-fields.ts'
import { call } from '../shapes/call.ts'
import { LogoShape } from '../shapes/image-structs.ts'
import { AddressDraft, PostalAddress } from '../shapes/postal-address-structs.ts'
import { Count, Instant, Nothing, PaymentProviderName, shortText } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import {
  expectedVersion,
  financeStaff,
  owners,
  readProblems,
  staff,
  studioMembers,
  studioParams,
  studioPath,
  writeProblems,
} from '../shapes/staff-call.ts'

/** The initial values of a studio's new packages. */
export const PackagePreferences = type({
  taxClass: enums(taxClasses),
  allowConsumerCrop: boolean(),
  order: enums(newPackagePositions),
  offeredPrepay: boolean(),
  offeredGallery: boolean(),
})

/** The kinds of reminders that customers can opt in to. */
export const ReminderPreferences = type({ 'order-by': boolean(), 'images-online': boolean(), cart: boolean() })

/**
 * The state of the latest request for verification by the partner; `reason` is a message for staff if it was rejected.
 */
export const VerificationRequest = type({
  accountNumber: string(),
  state: enums(['waiting', 'verified', 'refused']),
  reason: nullable(string()),
  at: Instant,
})
export type VerificationRequest = Infer<typeof VerificationRequest>

/** A studio for its staff (section 3, studio details). Texts that are not set are empty. */
export const Studio = type({
  id: integer(),
  slug: string(),
  name: string(),
  phone: string(),
  email: string(),
  website: string(),
  address: PostalAddress,
  timeZone: string(),
  hosts: array(string()),
  /** `#rrggbb`; the studio's own, before contrast is checked. */
  accent: nullable(string()),
  logo: nullable(string()),
  logoShape: nullable(LogoShape),
  hasLegacyJobs: boolean(),
  hasRSPOJobs: boolean(),
  rspoEnabled: boolean(),
  /** When everything of the studio is deleted; until then its staff can work, and no customer can order. */
  deletesAt: nullable(Instant),
  isMillersVerified: boolean(),
  /** Whether the platform paused the processing of its images. Uploads are still accepted. */
  isProcessingPaused: optional(boolean()),
  verification: nullable(VerificationRequest),
  /** Who decides a request for verification; an administrator does not need the password of the partner's account. */
  verifiedBy: optional(enums(['partner', 'administrator'])),
  packagePreferences: PackagePreferences,
  reminderPreferences: ReminderPreferences,
  /** Whether customers can show images to others by a link. */
  isSharingEnabled: boolean(),
  /** Increases with each change through `patchStudio`; logo, verification and payments have no version. */
  version: Count,
})
export type Studio = Infer<typeof Studio>

export const getStudio = call({
  method: 'GET',
  path: studioPath,
  who: studioMembers,
  isExempt: true,
  params: object(studioParams),
  answer: Studio,
  problems: readProblems,
})

/** Changes the named fields. Errors are returned by field, and then nothing is changed. */
export const patchStudio = call({
  method: 'PATCH',
  path: studioPath,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  body: object({
    ...expectedVersion,
    name: optional(shortText(120)),
    phone: optional(shortText(40)),
    email: optional(shortText(254)),
    website: optional(shortText(200)),
    address: optional(AddressDraft),
    timeZone: optional(shortText(60)),
    hosts: optional(size(array(shortText(260)), 0, maxStudioHosts)),
    accent: optional(nullable(shortText(7))),
    packagePreferences: optional(object(PackagePreferences.schema)),
    reminderPreferences: optional(object(ReminderPreferences.schema)),
    isSharingEnabled: optional(boolean()),
  }),
  answer: Studio,
  problems: writeProblems,
})

/** Sets the logo: multipart, the image as the form field `File`. Customer pages show it immediately. */
export const putLogo = call({
  method: 'PUT',
  path: `${studioPath}/logo`,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  answer: Studio,
  problems: [...readProblems, 'refused', 'too-large', 'unsupported-media'],
})

export const deleteLogo = call({ ...putLogo, method: 'DELETE', problems: readProblems })

/**
 * Asks the partner whether the studio is its customer. The password is only used for this one request and never stored;
 * it is not needed if an administrator decides.
 */
export const requestVerification = call({
  method: 'POST',
  path: `${studioPath}/request-verification`,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  body: object({ accountNumber: size(string(), 1, 40), password: optional(size(string(), 1, 1000)) }),
  answer: Studio,
  problems: [...readProblems, 'refused'],
})

/** A feature enabled for the studio by the platform's administrators. */
export const StudioFeature = type({ identifier: string(), name: string() })

export const listFeatures = call({
  method: 'GET',
  path: `${studioPath}/features`,
  who: studioMembers,
  isExempt: true,
  params: object(studioParams),
  query: object(pageQuery),
  answer: listOf(StudioFeature),
  problems: readProblems,
})

/**
 * The studio's payment account. `connectAddress`: the provider's page on which an owner connects the account, to which
 * `&state=` must be appended; null if there is nothing to connect.
 */
export const PaymentConnection = type({
  provider: PaymentProviderName,
  /** The provider's name in messages. */
  providerLabel: string(),
  account: nullable(string()),
  connectedAt: nullable(Instant),
  connectAddress: nullable(string()),
})
export type PaymentConnection = Infer<typeof PaymentConnection>

export const getPaymentConnection = call({
  method: 'GET',
  path: `${studioPath}/stripe`,
  who: financeStaff,
  params: object(studioParams),
  answer: PaymentConnection,
  problems: readProblems,
})

/** Connects the account with the code from the provider's page. */
export const connectPaymentAccount = call({
  method: 'PATCH',
  path: `${studioPath}/stripe/connect`,
  who: owners,
  params: object(studioParams),
  query: object({ code: pattern(string(), /^[\w-]{1,200}$/) }),
  answer: PaymentConnection,
  problems: [...readProblems, 'refused'],
})

/** Disconnects the account: card payments end; past payments stay and can be refunded. */
export const removePaymentAccount = call({
  ...connectPaymentAccount,
  path: `${studioPath}/stripe/remove`,
  query: Nothing,
})

/** Orders that something may have brought. `orderedCents` is null for staff who do not see the studio's money. */
const earnedOrders = { orderCount: integer(), orderedCents: nullable(integer()) }
export type EarnedOrders = { orderCount: number; orderedCents: number | null }

/**
 * What reminders have earned in the last year: emails sent, and orders placed from the same cart within fourteen days
 * of one.
 */
export const ReminderResults = type({ sentCount: integer(), ...earnedOrders })
export type ReminderResults = Infer<typeof ReminderResults>

export const getReminderResults = call({
  method: 'GET',
  path: `${studioPath}/reminders`,
  who: staff,
  isExempt: true,
  params: object(studioParams),
  answer: ReminderResults,
  problems: readProblems,
})

/**
 * The links that customers made to images in the last 30 days, how often these were opened, how many links work now, and the orders for the
 * same children that were placed within fourteen days of an opened link. A browser's session counts as one opening of a link.
 */
export const ShareCounts = type({
  linkCount: integer(),
  viewCount: integer(),
  activeCount: integer(),
  ...earnedOrders,
})
export type ShareCounts = Infer<typeof ShareCounts>

export const getShareCounts = call({ ...getReminderResults, path: `${studioPath}/shares`, answer: ShareCounts })
