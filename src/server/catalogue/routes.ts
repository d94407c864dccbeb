import type { FastifyInstance } from 'fastify'
import { listPackages } from '../../contract/customer-find.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { offeredPackages } from './offered-packages.ts'

/** What a job offers to buy. */
export const mountCatalogue = (app: FastifyInstance, deps: Deps): void => {
  mount(
    app,
    deps,
    listPackages,
    async ({ job, query }) =>
      (await offeredPackages(deps.db, job, { method: query.orderMethod, now: deps.clock() })) ?? problem('not-found'),
  )
}
