import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '../../contract/studio/entry.ts'
import { hasFeature } from '../admission/features.ts'
import type { Deps } from '../deps.ts'
import type { JobKey } from '../http/admit.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { price } from '../order-store/price.ts'
import { enterOrder } from './enter-order.ts'
import { listEntered, readEntered } from './entered.ts'
import { makeSale } from './make-sale.ts'
import { listSubjects, readForm } from './read-form.ts'

const notHere = 'Order entry is not switched on for this studio'

/** Why nothing is keyed in at a job: it is not the studio's, or the studio lacks the feature (section 4). */
const closed = async (
  { db }: Deps,
  { studioId, jobId }: JobKey,
): Promise<Problem<'not-found' | 'not-allowed'> | undefined> => {
  const { rows } = await sql<{ has: boolean }>`
    select ${hasFeature('orderEntry')} as has from jobs j where j.studio_id = ${studioId} and j.id = ${jobId}`.execute(
    db,
  )
  if (!rows[0]) return problem('not-found')
  return rows[0].has ? undefined : problem('not-allowed', notHere)
}

/** Only the price is asked for: no code is used by that. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** Orders on paper, keyed in by staff (section 2, job editor). */
export const mountEntry = (app: FastifyInstance, deps: Deps): void => {
  mount(
    app,
    deps,
    calls.getEntryForm,
    async ({ params }) => (await closed(deps, params)) ?? (await readForm(deps, params)) ?? problem('not-found'),
  )
  mount(
    app,
    deps,
    calls.listEntrySubjects,
    async ({ params, query }) => (await closed(deps, params)) ?? (await listSubjects(deps, params, query)),
  )
  mount(app, deps, calls.priceEntry, async ({ params, body: draft }) => {
    const made = (await closed(deps, params)) ?? (await makeSale(deps, params, { draft, entryKey: nobody }))
    if (made instanceof Problem) return made
    return { totals: await price(deps, made.sale), faults: made.faults }
  })
  mount(
    app,
    deps,
    calls.enterOrder,
    async ({ params: job, body: form, user }) =>
      (await closed(deps, job)) ?? (await enterOrder(deps, { job, user, form })),
    { repetition: 'again' },
  )
  mount(
    app,
    deps,
    calls.listEntered,
    async ({ params, query }) => (await closed(deps, params)) ?? (await listEntered(deps.db, params, query)),
  )
  mount(app, deps, calls.getEntered, async ({ params: { orderNumber, ...job } }) => {
    const refused = await closed(deps, job)
    return refused ?? (await readEntered(deps, job, orderNumber)) ?? problem('not-found', 'Could not find this order')
  })
}
