import { array, boolean, type Infer, integer, nullable, object, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { slugParams } from '../shapes/customer-call.ts'
import { GrantedSubject } from '../shapes/job-structs.ts'

/** The job of a code, and the subject if it is a subject's own code. */
export const RedeemedCode = type({
  jobId: integer(),
  studioId: integer(),
  jobName: string(),
  subject: nullable(GrantedSubject),
})
export type RedeemedCode = Infer<typeof RedeemedCode>

/** Sets the session cookie if there is no valid one; `created` shows whether it did. */
export const openSession = call({
  method: 'POST',
  path: '/api/customer/session',
  who: 'anyone',
  answer: type({ created: boolean() }),
  problems: [],
})

/** Ends the session and clears the cookie, so that the next user of this device sees nothing of it. */
export const closeSession = call({
  ...openSession,
  method: 'DELETE',
  answer: type({}),
})

/** Redeems an access code: sets the session cookie if necessary and stores the access that the code gives. */
export const redeemCode = call({
  method: 'GET',
  path: '/api/customer/studios/:slug/jobs',
  who: 'anyone',
  params: slugParams,
  query: object({ code: size(string(), 1, 40) }),
  answer: RedeemedCode,
  problems: ['not-found'],
})

/** Maximum number of images in one call. */
export const maxImagesChecked = 1000

/**
 * Which images stored on a device are withdrawn from its session: because the grant ended, the subject was hidden, or
 * the image is no longer published at that address. Closing a job withdraws nothing; grants of other sessions are
 * ignored.
 */
export const checkImages = call({
  method: 'POST',
  path: '/api/customer/photos/check',
  who: 'session',
  body: object({ photos: size(array(size(string(), 1, 200)), 1, maxImagesChecked) }),
  answer: type({ withdrawn: array(string()) }),
  problems: ['session-unknown'],
})
