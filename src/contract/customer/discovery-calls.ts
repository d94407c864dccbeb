import { array, boolean, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { organizationTypes } from '#domain/catalogue/catalogue.ts'
import { call } from '../shapes/call.ts'
import { Package } from '../shapes/catalogue-structs.ts'
import { customerJobProblems, jobParams, slugParams } from '../shapes/customer-call.ts'
import { Grant, Image, LogoShape } from '../shapes/image-structs.ts'
import { GrantedSubject, JobPreferences } from '../shapes/job-structs.ts'
import { Day, Id, Instant, OrderMethod } from '../shapes/primitives.ts'

/** A studio's public data: name, logo and contact details. */
export const CustomerStudio = type({
  id: integer(),
  slug: string(),
  name: string(),
  /** Address of the logo, or null if the studio has none. */
  logo: nullable(string()),
  logoShape: nullable(LogoShape),
  /** `#rrggbb`; the studio's own, before contrast is checked. */
  accent: nullable(string()),
  phone: nullable(string()),
  email: nullable(string()),
  rspoEnabled: boolean(),
  hasLegacyJobs: boolean(),
  hasRSPOJobs: boolean(),
  isMillersVerified: boolean(),
  /** Whether customers can show images to others by a link. */
  isSharingEnabled: optional(boolean()),
})
export type CustomerStudio = Infer<typeof CustomerStudio>

export const Feature = type({ identifier: string() })

/** A session that neither redeemed a code nor found an order gets an empty name and no hours (null). */
export const JobAvailability = type({
  jobId: integer(),
  studioSlug: string(),
  studioName: string(),
  jobName: string(),
  published: boolean(),
  archived: boolean(),
  prepay: type({ available: boolean(), opens: nullable(Instant), closes: nullable(Instant) }),
  gallery: type({ available: boolean(), opens: nullable(Instant), closes: nullable(Instant) }),
  /** False if this session has not redeemed the job's code; the search screen asks for it. */
  codeGiven: boolean(),
  /** Live grants of this session in this job; a device deletes all other images. */
  grants: array(Grant),
})
export type JobAvailability = Infer<typeof JobAvailability>

/** The contact at a job's checkout, as named by the studio; missing parts are empty or null. */
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
  /** What else parents must know about the dates of their order, in whole sentences. */
  orderNotes: array(string()),
  galleryExpires: nullable(Day),
  version: type({ major: integer(), minor: integer() }),
  rspoJob: boolean(),
  importedData: boolean(),
  publicGallery: boolean(),
  hasPublishedImages: boolean(),
  /** Whether only a subject's own code gives access to the subject. */
  ownCodeOnly: boolean(),
  prepaySettings: type({ importedData: boolean() }),
  gallerySettings: type({
    enableYearBookPoseSelection: boolean(),
    isYearBookPoseSelectionExpired: boolean(),
    /** In the studio's time zone, as it is displayed. */
    yearBookPoseDeadline: nullable(string()),
  }),
  checkoutContact: nullable(JobContact),
  /** Whether the studio accepts cards. */
  acceptsCards: boolean(),
})
export type CustomerJob = Infer<typeof CustomerJob>

const studioJobParams = object({ studioId: Id, jobId: Id })

export const getStudio = call({
  method: 'GET',
  path: '/api/customer/studios/:slug',
  who: 'anyone',
  params: slugParams,
  answer: CustomerStudio,
  problems: ['not-found'],
})

/**
 * The features of a studio (section 4). The customer screens do not need this call: data of disabled features is left
 * out of every response, and calls that use one are rejected, so that a change takes effect with the next response.
 */
export const getStudioFeatures = call({
  method: 'GET',
  path: '/api/customer/studios/:slug/features',
  who: 'anyone',
  params: slugParams,
  answer: array(Feature),
  problems: ['not-found'],
})

export const getAvailability = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/availability',
  who: 'anyone',
  params: jobParams,
  answer: JobAvailability,
  problems: ['not-found'],
})

/** The job lookup: for a session that redeemed the job's code, or found an order in it. */
export const lookUpJob = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId',
  who: 'session',
  params: jobParams,
  answer: CustomerJob,
  problems: customerJobProblems,
})

export const getJob = call({
  ...lookUpJob,
  path: '/api/customer/studios/:studioId/jobs/:jobId',
  params: studioJobParams,
})

export const getJobPreferences = call({
  method: 'GET',
  path: '/api/customer/studios/:studioId/jobs/:jobId/job-preferences',
  who: 'job',
  params: studioJobParams,
  answer: JobPreferences,
  problems: customerJobProblems,
})

/** The packages on offer for one order method, in the studio's order, each in its current version. */
export const listPackages = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/packages',
  who: 'job',
  params: jobParams,
  query: object({ orderMethod: optional(OrderMethod) }),
  answer: array(Package),
  problems: customerJobProblems,
})

/**
 * "This is the person I am ordering for": creates the grant for the subject's images and fields. A session that has not
 * seen the subject before sends the search's `proof`; without it the subject is not found.
 */
export const confirmSubject = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/subjects',
  who: 'job',
  params: jobParams,
  body: object({ subjectId: Id, proof: optional(size(string(), 1, 64)) }),
  answer: GrantedSubject,
  problems: ['session-unknown', 'code-needed', 'own-code-needed', 'not-found'],
})

export const getSubject = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/subjects/:subjectId',
  who: 'job',
  params: object({ jobId: Id, subjectId: Id }),
  answer: GrantedSubject,
  problems: ['session-unknown', 'code-needed', 'grant-needed', 'not-found'],
})

/** Requests replacements too, after all other images. Optional, because older installed apps do not know this type. */
export const imagesQuery = { replacements: optional(enums(['1'])) }
export const withReplacements = { replacements: '1' } as const

/** A granted subject's own images and those of its groups, in order of shooting. */
export const listImages = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/subjects/:subjectId/images',
  who: 'job',
  params: object({ jobId: Id, subjectId: Id }),
  query: object(imagesQuery),
  answer: array(Image),
  problems: ['session-unknown', 'code-needed', 'grant-needed', 'not-found'],
})
