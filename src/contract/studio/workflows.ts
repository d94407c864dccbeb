import { array, boolean, type Infer, integer, nullable, object, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Count, Day, Id, Instant } from '../shapes/primitives.ts'
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

/** A named list of steps for jobs; `dueDays` counts from the event's day, negative before it. */
export const Workflow = type({
  id: integer(),
  name: string(),
  steps: array(type({ name: string(), dueDays: integer() })),
})
export type Workflow = Infer<typeof Workflow>

const needs = { feature: 'workflows' } as const

export const listWorkflows = call({
  method: 'GET',
  path: '/api/v3/workflows',
  who: staff,
  needs,
  query: object(listQuery),
  answer: listOf(Workflow),
  problems: readProblems,
})

/** A job's own copy of a workflow, with who did which step and when. `version` is 0 if it has none. */
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
      /** The name of the user who did it; null until it is done. */
      doneBy: nullable(string()),
    }),
  ),
})
export type JobWorkflow = Infer<typeof JobWorkflow>

export const getJobWorkflow = call({
  method: 'GET',
  path: `${jobPath}/workflow`,
  who: staff,
  needs,
  params: object(studioJobParams),
  answer: JobWorkflow,
  problems: readProblems,
})

/** Sets a job's workflow and starts it from the beginning; null removes it. */
export const chooseWorkflow = call({
  ...getJobWorkflow,
  method: 'PUT',
  body: object({ ...expectedVersion, workflowId: nullable(Id) }),
  problems: writeProblems,
})

/** Marks a step, counted from 0, as done or not done. */
export const tickWorkflow = call({
  ...chooseWorkflow,
  method: 'PATCH',
  body: object({ ...expectedVersion, step: Count, done: boolean() }),
})
