import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/system/platform-workflows.ts'
import { type WorkflowDraft, workflowRules } from '#domain/studio/workflow.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { type PlatformResource, resourceHandlers } from './platform-resource.ts'

const jobCount = sql`(select count(*) from job_workflows w where w.workflow_id = r.id)`

const workflows: PlatformResource<WorkflowDraft> = {
  table: 'workflows',
  noun: 'workflow',
  columns: sql`r.id, r.name, r.steps, ${jobCount} as "jobCount", r.archived_at is not null as "isArchived", r.version`,
  name: sql`r.name`,
  sorts: { name: sql`lower(r.name)`, jobs: sql`"jobCount"` },
  rules: workflowRules,
  valuesOf: ({ name, steps }) => ({ name: name.trim(), steps: JSON.stringify(steps) }),
  isUsed: sql<boolean>`exists (select from job_workflows w where w.workflow_id = r.id)`,
}

/** Mounts the calls for the workflows that jobs of all studios can have. */
export const mountPlatformWorkflows = (app: FastifyInstance, deps: Deps): void => {
  const { list, get, post, put, remove } = resourceHandlers<calls.PlatformWorkflow, WorkflowDraft>(deps, workflows)
  mount(app, deps, calls.listPlatformWorkflows, list)
  mount(app, deps, calls.getPlatformWorkflow, get)
  mount(app, deps, calls.postPlatformWorkflow, post)
  mount(app, deps, calls.putPlatformWorkflow, put)
  mount(app, deps, calls.deletePlatformWorkflow, remove)
}
