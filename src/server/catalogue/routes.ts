import type { FastifyInstance } from 'fastify'
import { packagesInPages } from '../../contract/customer-lists.ts'
import type { Deps } from '../deps.ts'
import { listOrPage } from '../http/list-or-page.ts'
import { mount } from '../http/mount.ts'
import { problem } from '../http/problem.ts'
import { offeredPackages } from './offered-packages.ts'

/** What a job offers to buy. */
export const mountCatalogue = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, packagesInPages, async ({ job, query }) => {
    const offered = await offeredPackages(deps.db, job, { method: query.orderMethod, now: deps.clock() })
    if (!offered) return problem('not-found')
    // By the name that customers see, and by the one the studio calls it.
    return listOrPage(offered, query, ({ name, altName }) => [altName ?? name, name])
  })
}
