import { array, boolean, enums, type Infer, integer, object, optional, string, type } from 'superstruct'
import { Count, Id, shortText, WholeNumber } from '../shapes/primitives.ts'
import { resource } from '../shapes/resource.ts'
import { administrators, expectedVersion, listQuery } from '../shapes/staff-call.ts'

/** A workflow as the platform's administrators edit it. Jobs have copies of it. */
export const PlatformWorkflow = type({
  id: integer(),
  name: string(),
  steps: array(type({ name: string(), dueDays: integer() })),
  /** How many jobs have a copy of it. */
  jobCount: Count,
  /** Whether it can no longer be chosen for a job. */
  isArchived: boolean(),
  version: Count,
})
export type PlatformWorkflow = Infer<typeof PlatformWorkflow>

const draft = {
  name: shortText(),
  steps: array(object({ name: shortText(), dueDays: WholeNumber })),
}

/** The workflows of the platform (section 7, admin workflows). */
const workflows = resource({
  base: '/api/admin/workflows',
  who: administrators,
  listParams: object({}),
  itemParams: object({ id: Id }),
  query: object({ ...listQuery, type: optional(enums(['current', 'archived'])) }),
  row: PlatformWorkflow,
  item: PlatformWorkflow,
  draft: object(draft),
  replacement: object({ ...draft, ...expectedVersion, isArchived: optional(boolean()) }),
})
export const {
  get: getPlatformWorkflow,
  list: listPlatformWorkflows,
  post: postPlatformWorkflow,
  put: putPlatformWorkflow,
} = workflows

/** Deletes a workflow, or archives it if a job has a copy of it. */
export const deletePlatformWorkflow = {
  ...workflows.remove,
  answer: type({ outcome: enums(['removed', 'archived']) }),
}
