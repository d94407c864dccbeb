import { boolean, type Infer, integer, object, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Count } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import { administrators, listQuery, readProblems } from '../shapes/staff-call.ts'

/** A studio as a row of the platform's list. */
export const StudioRow = type({
  id: integer(),
  slug: string(),
  name: string(),
  isMillersVerified: boolean(),
  rspoEnabled: boolean(),
  jobCount: Count,
})
export type StudioRow = Infer<typeof StudioRow>

/** All studios, for the platform's administrators. */
export const listStudios = call({
  method: 'GET',
  path: '/api/admin/studios',
  who: administrators,
  query: object(listQuery),
  answer: listOf(StudioRow),
  problems: readProblems,
})
