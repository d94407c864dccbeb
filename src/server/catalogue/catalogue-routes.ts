import type { FastifyInstance } from 'fastify'
import { getJobServices } from '#contract/customer/job-offers.ts'
import { listGreenScreens, listJobFields, listPackages } from '#contract/customer/paged-lists.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { paginateList } from '../http/paging/paginate-list.ts'
import { problem } from '../http/problem.ts'
import { readJobFields, readJobServices } from '../jobs/store/job-services.ts'
import { listOfferedGreenScreens } from './offered-green-screens.ts'
import { offeredPackages } from './offered-packages.ts'

/** Routes of a job's offer: packages, services, backgrounds and the questions about a subject. */
export const mountCatalogue = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, listPackages, async ({ job, query }) => {
    const packages = await offeredPackages(deps.db, job, { method: query.orderMethod, now: deps.clock() })
    if (!packages) return problem('not-found')
    // Matches the name shown to customers and the studio's own name.
    return paginateList(packages, query, ({ name, altName }) => [altName ?? name, name])
  })
  mount(app, deps, getJobServices, async ({ job, params }) => {
    const services = params.studioId === job.studioId ? await readJobServices(deps.db, job) : undefined
    return services ?? problem('not-found')
  })
  mount(app, deps, listGreenScreens, async (jobCall) => {
    const greenScreens = await listOfferedGreenScreens(deps.db, jobCall, deps.clock())
    return paginateList(greenScreens, jobCall.query, ({ name }) => [name])
  })
  mount(app, deps, listJobFields, async ({ job, query }) =>
    // Matches the label shown to customers and the studio's own name.
    paginateList(await readJobFields(deps.db, job), query, ({ label, name }) => [label, name]),
  )
}
