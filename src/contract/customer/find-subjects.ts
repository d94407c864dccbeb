import { array, enums, type Infer, integer, nullable, object, optional, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { jobParams } from '../shapes/customer-call.ts'
import { GrantedSubject } from '../shapes/job-structs.ts'
import { Id, OrderMethod, shortText } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'

// Calls for finding a subject. Screens after that do not load this module.

const Email = size(string(), 3, 254)

/**
 * A subject as a search result: enough data to distinguish two, without images. `proof` proves that the search returned
 * the subject, to confirm it.
 */
export const SubjectSearchResult = type({
  id: Id,
  firstName: string(),
  lastName: string(),
  groupName: nullable(string()),
  proof: string(),
})
export type SubjectSearchResult = Infer<typeof SubjectSearchResult>

/**
 * "Tell me when it opens": sends one mail to this address once orders can be placed. The response does not reveal
 * whether the address was registered before, or why ordering is closed.
 */
export const notifyMe = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/notify-me',
  who: 'anyone',
  params: jobParams,
  body: object({ email: Email, orderMethod: optional(nullable(OrderMethod)) }),
  answer: type({}),
  problems: ['not-found', 'refused', 'slow-down'],
})

/**
 * "Tell me when they are online": sends one mail to this address once an image of this subject can be seen and ordered.
 * Only for sessions that may see the subject.
 */
export const notifyMeOfImages = call({
  method: 'POST',
  path: '/api/customer/jobs/:jobId/subjects/:subjectId/notify-me',
  who: 'job',
  params: object({ jobId: Id, subjectId: Id }),
  body: object({ email: Email }),
  answer: type({}),
  problems: ['session-unknown', 'code-needed', 'grant-needed', 'not-found', 'refused', 'slow-down'],
})

/**
 * Subjects by the first letter (or more) of the first name and a whole word of the last name; at most 20, without
 * images.
 */
export const searchSubjects = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/subjects',
  who: 'job',
  params: jobParams,
  query: object({ firstName: shortText(60), lastName: shortText(60) }),
  answer: array(SubjectSearchResult),
  problems: ['session-unknown', 'code-needed', 'own-code-needed', 'not-found'],
})

/** Limits a gallery to a group, to names that begin with a letter (`#`: with none), or to subjects with or without images. */
export const galleryFilter = {
  group: optional(Id),
  letter: optional(size(string(), 1, 1)),
  images: optional(enums(['with', 'without'])),
}

/** What a public gallery can be limited to: its groups, and the first letters of its last names. */
export const GallerySections = type({
  total: integer(),
  groups: array(type({ id: integer(), name: string() })),
  letters: array(string()),
})
export type GallerySections = Infer<typeof GallerySections>

export const listGallerySections = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/gallery/sections',
  who: 'job',
  params: jobParams,
  answer: GallerySections,
  problems: ['session-unknown', 'code-needed', 'grant-needed', 'not-found'],
})

/** All subjects of a public gallery with their thumbnails, sorted by name; paged if the query requests a page. */
export const browseSubjects = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/gallery',
  who: 'job',
  params: jobParams,
  query: object({ ...pageQuery, ...galleryFilter }),
  answer: listOf(GrantedSubject),
  problems: ['session-unknown', 'code-needed', 'grant-needed', 'not-found'],
})
