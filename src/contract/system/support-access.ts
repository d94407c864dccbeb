import { type Infer, nullable, object, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Id, shortText } from '../shapes/primitives.ts'
import { administrators, readProblems, writeProblems } from '../shapes/staff-call.ts'
import { SupportAccess } from '../studio/support-access.ts'

/** An administrator's own access to a studio. */
export const OwnSupportAccess = type({
  studioName: string(),
  /** The access that they may use now. */
  open: nullable(SupportAccess),
  /** The request that waits for an owner. */
  asked: nullable(SupportAccess),
  /** The last access that is over. */
  last: nullable(SupportAccess),
})
export type OwnSupportAccess = Infer<typeof OwnSupportAccess>

const accessCall = {
  who: administrators,
  params: object({ id: Id }),
  answer: OwnSupportAccess,
  problems: writeProblems,
}
const accessPath = '/api/admin/studios/:id/support-access'
const reasoned = { body: object({ reason: shortText(500) }) }

export const getOwnSupportAccess = call({ ...accessCall, method: 'GET', path: accessPath, problems: readProblems })

/** Asks the owners for their consent. They get an email and a notice on their screens. */
export const askForSupportAccess = call({ ...accessCall, ...reasoned, method: 'POST', path: `${accessPath}/ask` })

/** Enters the studio for an hour without consent, to read only. The owners get the reason by email and on their screens. */
export const openSupportAccess = call({ ...accessCall, ...reasoned, method: 'POST', path: `${accessPath}/open` })

/** Leaves the studio: ends the access, and withdraws the request that waits. */
export const leaveSupportAccess = call({ ...accessCall, method: 'DELETE', path: accessPath })
