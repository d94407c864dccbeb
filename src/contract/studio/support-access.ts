import { array, boolean, enums, type Infer, integer, nullable, object, string, type } from 'superstruct'
import { consentHours, supportAccessStates } from '#domain/studio/support-access.ts'
import { call } from '../shapes/call.ts'
import { Id, Instant } from '../shapes/primitives.ts'
import { owners, readProblems, studioParams, studioPath, writeProblems } from '../shapes/staff-call.ts'

/** An administrator's access to a studio: by the consent of an owner, or by a reason without consent. */
export const SupportAccess = type({
  id: integer(),
  administratorId: integer(),
  administratorName: string(),
  /** Why the administrator asked or entered; empty if an owner let them in unasked. */
  reason: string(),
  state: enums(supportAccessStates),
  askedAt: Instant,
  /** The owner who consented; null without consent. */
  consentedBy: nullable(string()),
  /** Null until an owner consents. */
  startsAt: nullable(Instant),
  endsAt: nullable(Instant),
  mayChange: boolean(),
  /** Whether photos of children are shown as they are; otherwise they are blurred. */
  hasSharpPhotos: boolean(),
  /** Who refused or ended it before its time, and when. */
  endedAt: nullable(Instant),
  endedBy: nullable(string()),
})
export type SupportAccess = Infer<typeof SupportAccess>

const supportPath = `${studioPath}/support-accesses` as const

/** The administrators who have or had access to the studio or ask for it, the latest first, and those who could be let in. */
export const listSupportAccesses = call({
  method: 'GET',
  path: supportPath,
  who: owners,
  isExempt: true,
  params: object(studioParams),
  answer: type({
    accesses: array(SupportAccess),
    administrators: array(type({ id: integer(), name: string() })),
  }),
  problems: readProblems,
})

/** Consents: lets an administrator in for some hours, whether they asked or not. It replaces the access that they have. */
export const postSupportAccess = call({
  method: 'POST',
  path: supportPath,
  who: owners,
  isExempt: true,
  params: object(studioParams),
  body: object({
    administratorId: Id,
    hours: enums(consentHours),
    mayChange: boolean(),
    hasSharpPhotos: boolean(),
  }),
  answer: SupportAccess,
  problems: writeProblems,
})

/** Ends an access from the next request on, or refuses it if the administrator still asks. */
export const endSupportAccess = call({
  method: 'DELETE',
  path: `${supportPath}/:id`,
  who: owners,
  isExempt: true,
  params: object({ ...studioParams, id: Id }),
  answer: SupportAccess,
  problems: writeProblems,
})
