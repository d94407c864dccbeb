import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/jobs.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import type { JobChangeProblem } from './change-job.ts'
import { createJob } from './create-job.ts'
import { deleteJob } from './delete-job.ts'
import { duplicateJob } from './duplicate-job.ts'
import { mountJobSettings } from './job-settings-routes.ts'
import { hasOrganization, listJobRows } from './list-jobs.ts'
import { archiveJob, publishJob, restoreJob, unpublishJob } from './publish-job.ts'
import { readJob } from './read-job.ts'
import { readJobOverview } from './read-job-overview.ts'
import { readStudioHome } from './read-studio-home.ts'

const readOrNotFound = async (deps: Deps, job: JobKey) => (await readJob(deps, job)) ?? problem('not-found')

/** The response to a change: the job, or the problem that prevented the change. */
const changeResponse = async (deps: Deps, job: JobKey, failure: undefined | JobChangeProblem) =>
  failure ?? (await readOrNotFound(deps, job))

/** The response to a creation: the new job, or the problem that prevented it. */
const creationResponse = async <CreationProblem extends Problem>(
  deps: Deps,
  studioId: number,
  jobId: number | CreationProblem,
) => (jobId instanceof Problem ? jobId : await readOrNotFound(deps, { studioId, jobId }))

/** Mounts the routes of a studio's jobs: lists, single jobs, actions, and the studio's home. */
export const mountStudioJobs = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.getStudioHome, ({ params: { studioId } }) => readStudioHome(deps, studioId))
  mount(app, deps, calls.listJobs, ({ params, query }) => listJobRows(deps, params, query))
  mount(app, deps, calls.listOrganizationJobs, async ({ params, query }) =>
    (await hasOrganization(deps.db, params)) ? listJobRows(deps, params, query) : problem('not-found'),
  )
  mount(app, deps, calls.postJob, async ({ params: { studioId }, body, user }) => {
    const jobId = await inTransaction(deps.db, (tx) => createJob(tx, deps, { studioId, draft: body, user }))
    return await creationResponse(deps, studioId, jobId)
  })
  mount(app, deps, calls.getStaffJob, ({ params }) => readOrNotFound(deps, params))
  mount(
    app,
    deps,
    calls.getJobOverview,
    async ({ params }) => (await readJobOverview(deps, params)) ?? problem('not-found'),
  )
  mount(app, deps, calls.deleteJob, async ({ params, user }) => (await deleteJob(deps, { job: params, user })) ?? {})
  mount(app, deps, calls.publishJob, async ({ params: job, body, user }) =>
    changeResponse(deps, job, await publishJob(deps, { job, user, ...body })),
  )
  mount(app, deps, calls.unpublishJob, async ({ params: job, body, user }) =>
    changeResponse(deps, job, await unpublishJob(deps, { job, user, ...body })),
  )
  mount(app, deps, calls.archiveJob, async ({ params: job, body, user }) =>
    changeResponse(deps, job, await archiveJob(deps, { job, user, ...body })),
  )
  mount(app, deps, calls.restoreJob, async ({ params: job, body, user }) =>
    changeResponse(deps, job, await restoreJob(deps, { job, user, ...body })),
  )
  mount(app, deps, calls.duplicateJob, async ({ params: job, body: { name, eventDate = null }, user }) => {
    const input = { name, eventDate }
    const jobId = await inTransaction(deps.db, (tx) => duplicateJob(tx, deps, { job, input, user }))
    return await creationResponse(deps, job.studioId, jobId)
  })
  mountJobSettings(app, deps)
}
