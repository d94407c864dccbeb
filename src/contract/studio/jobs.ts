import { type Infer, integer, nullable, object, string, type } from 'superstruct'
import type { AnyCall } from '../call.ts'
import { Instant, Nothing } from '../primitives.ts'
import { jobPath, ofJob, readProblems, staff } from './staff-call.ts'

export const StaffJob = type({
  id: integer(),
  name: string(),
  organizationId: nullable(integer()),
  organizationName: nullable(string()),
  publishedAt: nullable(Instant),
  archivedAt: nullable(Instant),
})
export type StaffJob = Infer<typeof StaffJob>

export const getStaffJob = {
  method: 'GET',
  path: jobPath,
  who: staff,
  params: object(ofJob),
  query: Nothing,
  body: Nothing,
  answer: StaffJob,
  problems: readProblems,
} satisfies AnyCall
