import { array, type Infer, nullable, object, optional, size, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Id, Nothing, OrderMethod, shortText } from '../shapes/primitives.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import { GrantedSubject } from './discovery-calls.ts'

// What is asked on the way to a person, and on no screen after that.

const ofJob = object({ jobId: Id })
const Email = size(string(), 3, 254)

/** A person as the search shows them: enough to tell two apart, no picture. `proof` shows that they were found, to confirm them. */
export const SubjectSearchResult = type({
  id: Id,
  firstName: string(),
  lastName: string(),
  groupName: nullable(string()),
  /** Missing from a server, or an answer kept on the device, of before there were proofs. */
  proof: optional(string()),
})
export type SubjectSearchResult = Infer<typeof SubjectSearchResult>

/**
 * "Tell me when it opens": one mail to this address once orders can be placed. Answered alike whether the address asked before, and
 * whatever stands against ordering now.
 */
export const notifyMe = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/notify-me',
  who: 'anyone',
  params: ofJob,
  query: Nothing,
  body: object({ email: Email, orderMethod: optional(nullable(OrderMethod)) }),
  answer: type({}),
  problems: ['not-found', 'refused', 'slow-down'],
} satisfies AnyCall

/**
 * "Tell me when they are online": one mail to this address once a photo of this person's own can be seen and ordered. Only a session
 * that may see the person can ask.
 */
export const tellMeOfPhotos = {
  method: 'POST',
  path: '/api/customer/jobs/:jobId/subjects/:subjectId/notify-me',
  who: 'job',
  params: object({ jobId: Id, subjectId: Id }),
  query: Nothing,
  body: object({ email: Email }),
  answer: type({}),
  problems: ['session-unknown', 'code-needed', 'grant-needed', 'not-found', 'refused', 'slow-down'],
} satisfies AnyCall

/** People by the first letter (or more) of the first name and a whole word of the last; at most 20, without pictures. */
export const searchSubjects = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/subjects',
  who: 'job',
  params: ofJob,
  query: object({ firstName: shortText(60), lastName: shortText(60) }),
  body: Nothing,
  answer: array(SubjectSearchResult),
  problems: ['session-unknown', 'code-needed', 'own-code-needed', 'not-found'],
} satisfies AnyCall

/** Everybody in a public gallery, with pictures, by name; in pages where the query asks for one. */
export const browseSubjects = {
  method: 'GET',
  path: '/api/customer/jobs/:jobId/gallery',
  who: 'job',
  params: ofJob,
  query: object(pageQuery),
  body: Nothing,
  answer: listOf(GrantedSubject),
  problems: ['session-unknown', 'code-needed', 'grant-needed', 'not-found'],
} satisfies AnyCall
