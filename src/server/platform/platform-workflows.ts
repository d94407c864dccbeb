import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/system/platform-workflows.ts'
import { validate } from '#domain/shared/validators.ts'
import { type WorkflowDraft, workflowRules } from '#domain/studio/workflow.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem } from '../http/problem.ts'
import {
  createResource,
  listResource,
  type PlatformResource,
  readResource,
  removeResource,
  replaceResource,
} from './platform-resource.ts'

const jobCount = sql`(select count(*) from job_workflows w where w.workflow_id = r.id)`

const workflows: PlatformResource<WorkflowDraft> = {
  table: 'workflows',
  noun: 'workflow',
  columns: sql`r.id, r.name, r.steps, ${jobCount} as "jobCount", r.archived_at is not null as "isArchived", r.version`,
  sorts: { name: sql`lower(r.name)`, jobs: sql`"jobCount"` },
  errorsOf: (draft) => validate(draft, workflowRules),
  valuesOf: ({ name, steps }) => ({ name: name.trim(), steps: JSON.stringify(steps) }),
  isUsed: sql<boolean>`exists (select from job_workflows w where w.workflow_id = r.id)`,
}

/** Mounts the calls for the workflows that jobs of all studios can have. */
export const mountPlatformWorkflows = (app: FastifyInstance, deps: Deps): void => {
  const { db } = deps
  const read = (id: number) => readResource<calls.PlatformWorkflow>(db, workflows, id)
  mount(app, deps, calls.listPlatformWorkflows, ({ query }) =>
    listResource<calls.PlatformWorkflow>(db, workflows, query),
  )
  mount(app, deps, calls.getPlatformWorkflow, ({ params: { id } }) => read(id))
  mount(app, deps, calls.postPlatformWorkflow, ({ body: draft, user, recordResponse }) =>
    inTransaction(db, async (tx) => {
      const id = await createResource(tx, deps, { resource: workflows, draft, user })
      if (id instanceof Problem) return id
      const created = await readResource<calls.PlatformWorkflow>(tx, workflows, id)
      await recordResponse(tx, created)
      return created
    }),
  )
  mount(app, deps, calls.putPlatformWorkflow, async ({ params: { id }, body, user }) => {
    return (await replaceResource(deps, { resource: workflows, id, user, body })) ?? (await read(id))
  })
  mount(app, deps, calls.deletePlatformWorkflow, ({ params: { id }, user }) =>
    removeResource(deps, { resource: workflows, id, user }),
  )
}
