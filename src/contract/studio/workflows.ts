import { array, boolean, type Infer, integer, nullable, object, string, type } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Count, Day, Id, Instant, Nothing } from '../shapes/primitives.ts'
import { listOf } from '../shapes/responses.ts'
import {
  expectedVersion,
  jobPath,
  listQuery,
  readProblems,
  staff,
  studioJobParams,
  writeProblems,
} from '../shapes/staff-call.ts'

/** A named list of steps that a job goes through; `dueDays` counts from the event's day, below nothing before it. */
export const Workflow = type({
  id: integer(),
  name: string(),
  steps: array(type({ name: string(), dueDays: integer() })),
})
export type Workflow = Infer<typeof Workflow>

const needs = { feature: 'workflows' } as const

export const listWorkflows = {
  method: 'GET',
  path: '/api/v3/workflows',
  who: staff,
  needs,
  params: Nothing,
  query: object(listQuery),
  body: Nothing,
  answer: listOf(Workflow),
  problems: readProblems,
} satisfies AnyCall

/** A job's own copy of a workflow: who did which step when. `version` is 0 while it has none. */
export const JobWorkflow = type({
  workflowId: nullable(integer()),
  name: nullable(string()),
  version: Count,
  steps: array(
    type({
      name: string(),
      dueDays: integer(),
      dueOn: nullable(Day),
      done: boolean(),
      doneAt: nullable(Instant),
      /** The name of who did it; null for somebody who is gone, too. */
      doneBy: nullable(string()),
    }),
  ),
})
export type JobWorkflow = Infer<typeof JobWorkflow>

export const getJobWorkflow = {
  method: 'GET',
  path: `${jobPath}/workflow`,
  who: staff,
  needs,
  params: object(studioJobParams),
  query: Nothing,
  body: Nothing,
  answer: JobWorkflow,
  problems: readProblems,
} satisfies AnyCall

/** Chooses a job's workflow, whose steps are begun anew; null takes it away. */
export const chooseWorkflow = {
  ...getJobWorkflow,
  method: 'PUT',
  body: object({ ...expectedVersion, workflowId: nullable(Id) }),
  problems: writeProblems,
} as const satisfies AnyCall

/** Says that a step, counted from 0, is done, or is not. */
export const tickWorkflow = {
  ...chooseWorkflow,
  method: 'PATCH',
  body: object({ ...expectedVersion, step: Count, done: boolean() }),
} satisfies AnyCall
