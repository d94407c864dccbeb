import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/order-entry.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { orderNotFound, Problem, problem } from '#server/http/problem.ts'
import { jobExists } from '#server/jobs/store/find-job.ts'
import { priceSale } from '../sale/price-sale.ts'
import { enterOrder } from './enter-order.ts'
import { listEnteredOrders, readEnteredOrder } from './entered-orders.ts'
import { buildEntrySale } from './entry-sale.ts'
import { listEntrySubjects, readEntryForm } from './read-entry-form.ts'

const jobNotFound = async ({ db }: Deps, job: JobKey): Promise<Problem<'not-found'> | undefined> =>
  (await jobExists(db, job)) ? undefined : problem('not-found')

/** A quote does not use up a promotion code, so it needs no key. */
const noEntryKey = '00000000-0000-0000-0000-000000000000'

/** Mounts the routes for paper orders that staff enter (section 2, job editor). */
export const mountEntry = (app: FastifyInstance, deps: Deps): void => {
  mount(
    app,
    deps,
    calls.getEntryForm,
    async ({ params }) =>
      (await jobNotFound(deps, params)) ?? (await readEntryForm(deps, params)) ?? problem('not-found'),
  )
  mount(
    app,
    deps,
    calls.listEntrySubjects,
    async ({ params, query, user }) =>
      (await jobNotFound(deps, params)) ?? (await listEntrySubjects({ ...deps, user }, params, query)),
  )
  mount(app, deps, calls.priceEntry, async ({ params, body: draft }) => {
    const entrySale =
      (await jobNotFound(deps, params)) ?? (await buildEntrySale(deps, params, { draft, entryKey: noEntryKey }))
    if (entrySale instanceof Problem) return entrySale
    return { totals: await priceSale(deps, entrySale.sale), faults: entrySale.faults }
  })
  mount(
    app,
    deps,
    calls.enterOrder,
    async ({ params: job, body: form, user }) =>
      (await jobNotFound(deps, job)) ?? (await enterOrder(deps, { job, user, form })),
    { repetition: 'rerun' },
  )
  mount(
    app,
    deps,
    calls.listEnteredOrders,
    async ({ params, query }) => (await jobNotFound(deps, params)) ?? (await listEnteredOrders(deps.db, params, query)),
  )
  mount(app, deps, calls.getEnteredOrder, async ({ params: { orderNumber, ...job } }) => {
    const notFound = await jobNotFound(deps, job)
    return notFound ?? (await readEnteredOrder(deps, job, orderNumber)) ?? orderNotFound()
  })
}
