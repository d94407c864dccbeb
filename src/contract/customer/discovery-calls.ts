import {
  array,
  boolean,
  coerce,
  enums,
  type Infer,
  integer,
  nullable,
  object,
  optional,
  size,
  string,
  type,
} from 'superstruct'
import { organizationTypes } from '#domain/catalogue/catalogue.ts'
import type { AnyCall } from '../shapes/call.ts'
import { Package } from '../shapes/catalogue-structs.ts'
import { Day, Id, Instant, Nothing, OrderMethod, Slug } from '../shapes/primitives.ts'

/** A logo's size in upright pixels. A wordmark holds the studio's name in letters: it is not written beside it again. */
export const LogoShape = type({ width: integer(), height: integer(), wordmark: boolean() })
export type LogoShape = Infer<typeof LogoShape>

/** What anybody may know of a studio: its face and how to reach it. */
export const CustomerStudio = type({
  id: integer(),
  slug: string(),
  name: string(),
  /** Address of the logo, or null where the studio has none. */
  logo: nullable(string()),
  /** Missing from a server, or an answer kept on the device, of before it was told. */
  logoShape: optional(nullable(LogoShape)),
  /** `#rrggbb`; the studio's own, before contrast is checked. */
  accent: nullable(string()),
  phone: nullable(string()),
  email: nullable(string()),
  rspoEnabled: boolean(),
  hasLegacyJobs: boolean(),
  hasRSPOJobs: boolean(),
  isMillersVerified: boolean(),
})
export type CustomerStudio = Infer<typeof CustomerStudio>

export const Feature = type({ identifier: string() })

/** Right to see pictures: of one subject, or (`subjectId` null) of a whole public gallery. `grantId` is part of picture addresses. */
export const Grant = type({ grantId: string(), subjectId: nullable(integer()) })
export type Grant = Infer<typeof Grant>

export const SubjectField = type({
  id: integer(),
  name: string(),
  value: string(),
  hasOptions: boolean(),
  templateId: nullable(integer()),
  optionId: nullable(integer()),
})

/** A subject this session may see. `imageCount` counts their own pictures, not their groups'; in a gallery's list `fields` is empty. */
export const GrantedSubject = type({
  id: integer(),
  jobId: integer(),
  firstName: string(),
  lastName: string(),
  groupName: nullable(string()),
  fields: array(SubjectField),
  imageThumbnailUrl: nullable(string()),
  imageCount: integer(),
  grantId: string(),
  /** Their picture for the year book. Missing from a server, or an answer kept on the device, of before it was told. */
  yearBookImageId: optional(nullable(integer())),
})
export type GrantedSubject = Infer<typeof GrantedSubject>

/**
 * A picture to choose from; a replacement may stand in front of one of the person's own. Addresses lead to the watermarked preview
 * (1280 px) and the thumbnail (320 px); sizes are upright pixels.
 */
export const Image = type({
  id: integer(),
  type: enums(['hosted-individual', 'hosted-group', 'replacement']),
  groupId: nullable(integer()),
  groupName: nullable(string()),
  name: string(),
  width: integer(),
  height: integer(),
  hasAlpha: boolean(),
  thumbnailUrl: string(),
  previewUrl: string(),
})
export type Image = Infer<typeof Image>

/** Who gave no code and found no order sees no name (empty) and no hours (null). */
export const JobAvailability = type({
  jobId: integer(),
  studioSlug: string(),
  studioName: string(),
  jobName: string(),
  published: boolean(),
  archived: boolean(),
  prepay: type({ available: boolean(), opens: nullable(Instant), closes: nullable(Instant) }),
  gallery: type({ available: boolean(), opens: nullable(Instant), closes: nullable(Instant) }),
  /** False when this session has not given the job's code: its search is where that happens. */
  codeGiven: boolean(),
  /** Live grants of this session in this job; a device keeps no picture of any other. */
  grants: array(Grant),
})
export type JobAvailability = Infer<typeof JobAvailability>

/** Whom the studio named for a job's customers to ask at the checkout; what is not given is empty, or null. */
export const JobContact = type({
  name: string(),
  title: string(),
  phone: nullable(string()),
  email: nullable(string()),
})
export type JobContact = Infer<typeof JobContact>

export const CustomerJob = type({
  id: integer(),
  studioId: integer(),
  /** The studio's slug (section 7, job lookup). */
  studioWebUrl: string(),
  name: string(),
  organizationName: string(),
  organizationType: enums(organizationTypes),
  eventDate: nullable(Day),
  orderBy: nullable(Day),
  galleryExpires: nullable(Day),
  version: type({ major: integer(), minor: integer() }),
  rspoJob: boolean(),
  importedData: boolean(),
  publicGallery: boolean(),
  hasPublishedImages: boolean(),
  /** Whether people are opened by their own codes alone. Missing from an answer stored before there was such a setting. */
  ownCodeOnly: optional(boolean()),
  prepaySettings: type({ importedData: boolean() }),
  gallerySettings: type({ enableYearBookPoseSelection: boolean(), isYearBookPoseSelectionExpired: boolean() }),
  /** Missing from a server, or an answer kept on the device, of before it was told. */
  checkoutContact: optional(nullable(JobContact)),
  /** Whether the studio can be paid by card; missing in an answer from before it was said. */
  takesCards: optional(boolean()),
})
export type CustomerJob = Infer<typeof CustomerJob>

/** What the customer screens of a job show or hide. `contact`: the studio's phone and e-mail before an order; who has one is told them. */
export const JobPreferences = type({
  namesOnThumbnails: boolean(),
  pricesBeforePose: boolean(),
  orderByCountdown: boolean(),
  contact: boolean(),
})
export type JobPreferences = Infer<typeof JobPreferences>

/** Where a code leads: its job, and the person when it is a person's own code. */
export const RedeemedCode = type({
  jobId: integer(),
  studioId: integer(),
  jobName: string(),
  subject: nullable(GrantedSubject),
})
export type RedeemedCode = Infer<typeof RedeemedCode>

/** Slugs are lower case; whoever types one from a printed card may write it in capitals. */
const ofSlug = object({ slug: coerce(Slug, string(), (typed) => typed.toLowerCase()) })
const ofJob = object({ jobId: Id })
const ofStaffJob = object({ studioId: Id, jobId: Id })

/** Sets the session cookie when there is none that is known; `created` tells which. */
export const openSession = {
  method: 'POST',
  path: '/api/customer/session',
  who: 'anyone',
  params: Nothing,
  query: Nothing,
  body: Nothing,
  answer: type({ created: boolean() }),
  problems: [],
} satisfies AnyCall

/** Ends the session for good and takes the cookie back: nobody who holds this device next sees what it opened. */
export const closeSession = {
  ...openSession,
  method: 'DELETE',
  answer: type({}),
} satisfies AnyCall

export const getStudio = {
  method: 'GET',
  path: '/api/customer/studios/:slug',
  who: 'anyone',
  params: ofSlug,
  query: Nothing,
  body: Nothing,
  answer: CustomerStudio,
  problems: ['not-found'],
} satisfies AnyCall

/**
 * What a studio was given, for whoever wants to know (section 4). Customers' own screens need not ask: what a studio was not given is left
 * out of every answer they read, and refused where it is asked for all the same, so that it takes effect with the next answer.
 */
export const getStudioFeatures = {
  method: 'GET',
  path: '/api/customer/studios/:slug/features',
  who: 'anyone',
  params: ofSlug,
  query: Nothing,
  body: Nothing,
  answer: array(Feature),
  problems: ['not-found'],
} satisfies AnyCall

/** Redeems an access code: sets the session cookie where needed and remembers what the code opens. */
export const redeemCode = {
  method: 'GET',
  path: '/api/customer/studios/:slug/jobs',
  who: 'anyone',
  params: ofSlug,
  query: object({ code: size(string(), 1, 40) }),
  body: Nothing,
  answer: RedeemedCode,
  problems: ['not-found'],
} satisfies AnyCall

export const getAvailability = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/availability',
  who: 'anyone',
  params: ofJob,
  query: Nothing,
  body: Nothing,
  answer: JobAvailability,
  problems: ['not-found'],
} satisfies AnyCall

/** The job lookup: for a session that gave the job's code, or found an order in it. */
export const lookUpJob = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId',
  who: 'session',
  params: ofJob,
  query: Nothing,
  body: Nothing,
  answer: CustomerJob,
  problems: ['session-unknown', 'code-needed', 'not-found'],
} satisfies AnyCall

export const getJob = {
  ...lookUpJob,
  path: '/api/customer/studios/:studioId/jobs/:jobId',
  params: ofStaffJob,
} satisfies AnyCall

export const getJobPreferences = {
  method: 'GET',
  path: '/api/customer/studios/:studioId/jobs/:jobId/job-preferences',
  who: 'job',
  params: ofStaffJob,
  query: Nothing,
  body: Nothing,
  answer: JobPreferences,
  problems: ['session-unknown', 'code-needed', 'not-found'],
} satisfies AnyCall

/** The packages on offer for one order method, in the studio's order, each in its current version. */
export const listPackages = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/packages',
  who: 'job',
  params: ofJob,
  query: object({ orderMethod: optional(OrderMethod) }),
  body: Nothing,
  answer: array(Package),
  problems: ['session-unknown', 'code-needed', 'not-found'],
} satisfies AnyCall

/**
 * "This is the person I am ordering for": makes the grant that opens their pictures and fields. Who was not shown the person before
 * sends the search's `proof`; without one, nobody is there.
 */
export const confirmSubject = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/subjects',
  who: 'job',
  params: ofJob,
  query: Nothing,
  body: object({ subjectId: Id, proof: optional(size(string(), 1, 64)) }),
  answer: GrantedSubject,
  problems: ['session-unknown', 'code-needed', 'own-code-needed', 'not-found'],
} satisfies AnyCall

export const getSubject = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/subjects/:subjectId',
  who: 'job',
  params: object({ jobId: Id, subjectId: Id }),
  query: Nothing,
  body: Nothing,
  answer: GrantedSubject,
  problems: ['session-unknown', 'code-needed', 'grant-needed', 'not-found'],
} satisfies AnyCall

/** Asks for replacements too, after all others: an installed app of before them would not know the type. */
export const imagesQuery = { replacements: optional(enums(['1'])) }
export const withReplacements = { replacements: '1' } as const

/** A granted subject's own pictures and those of their groups, in order of shooting. */
export const listImages = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/subjects/:subjectId/images',
  who: 'job',
  params: object({ jobId: Id, subjectId: Id }),
  query: object(imagesQuery),
  body: Nothing,
  answer: array(Image),
  problems: ['session-unknown', 'code-needed', 'grant-needed', 'not-found'],
} satisfies AnyCall
