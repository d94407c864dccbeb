import { array, boolean, type Infer, integer, nullable, object, optional, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Id } from '../shapes/primitives.ts'
import { hiddenCode, jobPath, readProblems, staff, studioJobParams } from '../shapes/staff-call.ts'

/** A subject on a printed sheet; `opens` is the address of its own code. */
const RosterSubject = type({
  id: integer(),
  firstName: string(),
  lastName: string(),
  reference: nullable(string()),
  groups: array(string()),
  code: nullable(string()),
  opens: nullable(string()),
  hasOrdered: boolean(),
})
export type RosterSubject = Infer<typeof RosterSubject>

/** The subjects of a job or one of its groups, by last name, for printing: not paged. */
export const getRoster = call({
  method: 'GET',
  path: `${jobPath}/roster`,
  who: staff,
  params: object(studioJobParams),
  query: object({ groupId: optional(Id) }),
  answer: type({ people: array(RosterSubject) }),
  codes: { code: hiddenCode, opens: null },
  problems: readProblems,
})
