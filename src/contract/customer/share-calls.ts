import { array, type Infer, integer, object, size, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { customerJobProblems } from '../shapes/customer-call.ts'
import { Day, Id } from '../shapes/primitives.ts'

/** Days after which a share expires. */
export const shareDays = 14

/** The number of shares that a session can have at the same time. */
export const maxActiveShares = 20

/** Images that one share can contain. */
export const maxSharedImages = 100

/** A link to images of one subject, for anyone who has it. `viewCount`: how many browser sessions opened it. */
export const Share = type({
  id: integer(),
  imageCount: integer(),
  viewCount: integer(),
  createdOn: Day,
  expiresOn: Day,
})
export type Share = Infer<typeof Share>

/** The session's shares of a subject that are neither stopped nor expired, newest first. */
export const listShares = call({
  method: 'GET',
  path: '/api/customer/jobs/:jobId/subjects/:subjectId/shares',
  who: 'job',
  params: object({ jobId: Id, subjectId: Id }),
  answer: type({ shares: array(Share) }),
  problems: customerJobProblems,
})

/**
 * Shares images of the subject with anyone who gets the token, until the share expires or is stopped. Only images of the subject alone can
 * be shared, because others did not agree to show theirs. `token` is not stored, so it cannot be read later.
 */
export const postShare = call({
  ...listShares,
  method: 'POST',
  body: object({ imageIds: size(array(Id), 1, maxSharedImages) }),
  answer: type({ token: string(), share: Share }),
  problems: [...customerJobProblems, 'grant-needed', 'refused', 'in-flight', 'key-reused'],
})

/** Stops a share of this session: its link and its images are gone at once. */
export const deleteShare = call({
  ...listShares,
  method: 'DELETE',
  path: '/api/customer/jobs/:jobId/subjects/:subjectId/shares/:shareId',
  params: object({ jobId: Id, subjectId: Id, shareId: Id }),
})
