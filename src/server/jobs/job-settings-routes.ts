import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/job-settings.ts'
import * as workflows from '#contract/studio/workflows.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { changeGallery } from './change-gallery-settings.ts'
import { changeGeneral } from './change-general-settings.ts'
import type { JobChangeProblem } from './change-job.ts'
import { changePreorder } from './change-preorder-settings.ts'
import { changeStandard } from './change-standard-settings.ts'
import { chooseWorkflow, listWorkflows, readJobWorkflow, tickWorkflow } from './job-workflows.ts'
import { readJobSettings } from './read-job-settings.ts'
import { saveJobFields } from './save-job-fields.ts'

const readOrNotFound = async (deps: Deps, job: JobKey) => (await readJobSettings(deps, job)) ?? problem('not-found')

/** The response to a change: the settings of the job, or the problem that prevented the change. */
const changeResponse = async (deps: Deps, job: JobKey, failure: undefined | JobChangeProblem) =>
  failure ?? (await readOrNotFound(deps, job))

const readWorkflowOrNotFound = async (deps: Deps, job: JobKey) =>
  (await readJobWorkflow(deps.db, job)) ?? problem('not-found')

/** Mounts the routes of a job's settings, with one route to change each tab, and of its workflow. */
export const mountJobSettings = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.getJobSettings, ({ params }) => readOrNotFound(deps, params))
  mount(app, deps, calls.patchGeneral, async ({ params: job, body, user }) =>
    changeResponse(deps, job, await changeGeneral(deps, { job, user, version: body.version }, body)),
  )
  mount(app, deps, calls.patchStandard, async ({ params: job, body, user }) =>
    changeResponse(deps, job, await changeStandard(deps, { job, user, version: body.version }, body)),
  )
  mount(app, deps, calls.patchPreorder, async ({ params: job, body, user }) =>
    changeResponse(deps, job, await changePreorder(deps, { job, user, version: body.version }, body)),
  )
  mount(app, deps, calls.patchGallery, async ({ params: job, body, user }) =>
    changeResponse(deps, job, await changeGallery(deps, { job, user, version: body.version }, body)),
  )
  mount(app, deps, calls.putPrefields, async ({ params: job, body: { version, fields }, user }) =>
    changeResponse(deps, job, await saveJobFields(deps, { job, user, version }, fields)),
  )
  mount(app, deps, workflows.listWorkflows, ({ query }) => listWorkflows(deps.db, query))
  mount(app, deps, workflows.getJobWorkflow, ({ params }) => readWorkflowOrNotFound(deps, params))
  mount(
    app,
    deps,
    workflows.chooseWorkflow,
    async ({ params, body }) =>
      (await chooseWorkflow(deps, params, body)) ?? (await readWorkflowOrNotFound(deps, params)),
  )
  mount(
    app,
    deps,
    workflows.tickWorkflow,
    async ({ params: job, body, user }) =>
      (await tickWorkflow(deps, { job, user }, body)) ?? (await readWorkflowOrNotFound(deps, job)),
  )
}
