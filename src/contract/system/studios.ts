import { array, boolean, enums, type Infer, integer, nullable, object, optional, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Bytes, Count, Id, Instant, shortText, WholeNumber } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { administrators, expectedVersion, listQuery, readProblems, writeProblems } from '../shapes/staff-call.ts'
import { studioRoles } from './auth.ts'

const studioFields = {
  id: integer(),
  slug: string(),
  name: string(),
  /** The contact; empty if not set. */
  email: string(),
  phone: string(),
  platformFeeBasisPoints: Count,
  isMillersVerified: boolean(),
  /** False while the studio is disabled. */
  rspoEnabled: boolean(),
  /** When everything of the studio is deleted; null if no deletion is scheduled. */
  deletesAt: nullable(Instant),
  /** The account number of the request for verification that waits for a decision. */
  waitingAccountNumber: nullable(string()),
  jobCount: Count,
  version: Count,
}

/** A studio as a row of the platform's list. */
export const StudioRow = type(studioFields)
export type StudioRow = Infer<typeof StudioRow>

/** What can be listed alone. */
export const studioListTypes = ['enabled', 'disabled', 'waiting', 'verified', 'deleting'] as const

/** All studios, for the platform's administrators. */
export const listStudios = call({
  method: 'GET',
  path: '/api/admin/studios',
  who: administrators,
  query: object({ ...listQuery, type: optional(enums(studioListTypes)) }),
  answer: listOf(StudioRow),
  problems: readProblems,
})

/** A studio with what it stores, and its users who may sign in: owners first. */
export const PlatformStudio = type({
  ...studioFields,
  usage: type({ jobs: Count, subjects: Count, images: Count, bytes: Bytes, orders: Count }),
  users: array(type({ id: integer(), name: string(), email: string(), role: enums(studioRoles) })),
})
export type PlatformStudio = Infer<typeof PlatformStudio>

const studioCall = { who: administrators, params: object({ id: Id }), answer: PlatformStudio, problems: writeProblems }
const studioPath = '/api/admin/studios/:id'

export const getPlatformStudio = call({ ...studioCall, method: 'GET', path: studioPath, problems: readProblems })

const draft = {
  name: shortText(120),
  slug: shortText(63),
  email: shortText(254),
  phone: shortText(40),
  platformFeeBasisPoints: WholeNumber,
}

/** Creates a studio, and invites its owner by email. */
export const postPlatformStudio = call({
  ...studioCall,
  method: 'POST',
  path: '/api/admin/studios',
  params: object({}),
  body: object({ ...draft, ownerName: shortText(100), ownerEmail: shortText(254) }),
})

/** Changes a studio. Links with its former slug still work. */
export const putPlatformStudio = call({
  ...studioCall,
  method: 'PUT',
  path: studioPath,
  body: object({ ...draft, ...expectedVersion }),
})

/** Disables a studio or enables it again, from the next request on. Its owners are emailed the reason. */
export const setStudioEnabled = call({
  ...studioCall,
  method: 'POST',
  path: `${studioPath}/enabled`,
  body: object({ isEnabled: boolean(), reason: shortText(500) }),
})

/** Decides the request for verification that waits. Its owners are emailed the decision, and the reason for a refusal. */
export const decideVerification = call({
  ...studioCall,
  method: 'POST',
  path: `${studioPath}/verification`,
  body: object({ isVerified: boolean(), reason: shortText(500) }),
})

/**
 * Schedules the deletion of a studio and everything it stores, in 30 days. Until then no customer can order from it, its staff can
 * work in it, and the deletion can be cancelled. Its owners are emailed the reason.
 */
export const scheduleStudioDeletion = call({
  ...studioCall,
  method: 'POST',
  path: `${studioPath}/deletion`,
  body: object({ reason: shortText(500) }),
})

/** Cancels the scheduled deletion of a studio, which opens as it was before. */
export const cancelStudioDeletion = call({ ...studioCall, method: 'DELETE', path: `${studioPath}/deletion` })

/**
 * Makes a user the only owner of their studio. Those who owned it stay as staff, and are emailed the reason. Refused to an administrator who is
 * inside the studio, and while its deletion is scheduled.
 */
export const transferOwnership = call({
  ...studioCall,
  method: 'POST',
  path: `${studioPath}/owner`,
  body: object({ userId: Id, reason: shortText(500) }),
})
