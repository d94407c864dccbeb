import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/order-entry.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { Deps } from '#server/deps.ts'
import { mount } from '#server/http/mount.ts'
import { orderNotFound, Problem, problem } from '#server/http/problem.ts'
import { jobExists } from '#server/jobs/store/job-exists.ts'
import { priceSale } from '../sale/price-sale.ts'
import { enterOrder } from './enter-order.ts'
import { listEnteredOrders, readEnteredOrder } from './entered-orders.ts'
import { buildEntrySale } from './entry-sale.ts'
import { listEntrySubjects, readEntryForm } from './read-entry-form.ts'

const isElsewhere = async ({ db }: Deps, job: JobKey): Promise<Problem<'not-found'> | undefined> =>
  (await jobExists(db, job)) ? undefined : problem('not-found')

/** Only the price is asked for: no code is used by that. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** Orders on paper, keyed in by staff (section 2, job editor). */
export const mountEntry = (app: FastifyInstance, deps: Deps): void => {
  mount(
    app,
    deps,
    calls.getEntryForm,
    async ({ params }) =>
      (await isElsewhere(deps, params)) ?? (await readEntryForm(deps, params)) ?? problem('not-found'),
  )
  mount(
    app,
    deps,
    calls.listEntrySubjects,
    async ({ params, query, user }) =>
      (await isElsewhere(deps, params)) ?? (await listEntrySubjects({ ...deps, user }, params, query)),
  )
  mount(app, deps, calls.priceEntry, async ({ params, body: draft }) => {
    const made = (await isElsewhere(deps, params)) ?? (await buildEntrySale(deps, params, { draft, entryKey: nobody }))
    if (made instanceof Problem) return made
    return { totals: await priceSale(deps, made.sale), faults: made.faults }
  })
  mount(
    app,
    deps,
    calls.enterOrder,
    async ({ params: job, body: form, user }) =>
      (await isElsewhere(deps, job)) ?? (await enterOrder(deps, { job, user, form })),
    { repetition: 'again' },
  )
  mount(
    app,
    deps,
    calls.listEnteredOrders,
    async ({ params, query }) => (await isElsewhere(deps, params)) ?? (await listEnteredOrders(deps.db, params, query)),
  )
  mount(app, deps, calls.getEnteredOrder, async ({ params: { orderNumber, ...job } }) => {
    const refused = await isElsewhere(deps, job)
    return refused ?? (await readEnteredOrder(deps, job, orderNumber)) ?? orderNotFound()
  })
}
