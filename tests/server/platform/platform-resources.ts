import type { Deps } from '#server/deps.ts'
import { given } from '#support/server/given.ts'
import { addOrder } from '../discovery/job-fixtures.ts'

/** A kind of record with the generic calls (section 7), for the table test over all of them. */
export type TestedResource = {
  /** The path below `/api/admin`. */
  name: string
  draft: Record<string, unknown>
  /** A change that makes a different record. */
  change: Record<string, unknown>
  /** A change that is refused, and the field that says why. */
  invalid: readonly [change: Record<string, unknown>, field: string]
  /** The message for a second record with the values of the first, if there may be only one. */
  duplicate?: string
  /** Makes something refer to a record. */
  use?: (deps: Deps, id: number) => Promise<void>
  /** What the deletion of a record in use answers; by default it is archived. */
  whileUsed?: { status: 409; message: string }
  /** A filter of the list by kind, if there are kinds. */
  type?: string
}

/** A job of a studio that uses a record. */
const addJob = async (deps: Deps) => await given(deps).job(await given(deps).studio({ slug: 'user' }))

export const testedResources: readonly TestedResource[] = [
  {
    name: 'workflows',
    draft: { name: 'Sports', steps: [{ name: 'Print', dueDays: 7 }] },
    change: { name: 'Teams' },
    invalid: [{ name: ' ' }, 'name'],
    use: async (deps, workflow_id) => {
      const { studioId, jobId } = await addJob(deps)
      const workflow = { studio_id: studioId, job_id: jobId, workflow_id, name: 'Sports', steps: '[]' }
      await deps.db.insertInto('job_workflows').values(workflow).execute()
    },
    type: 'current',
  },
  {
    name: 'taxes',
    draft: { region: 'IL', postalPrefix: '', taxClass: 'standard', rateMillionths: 62_500, validFrom: '2027-01-01' },
    change: { postalPrefix: '606' },
    invalid: [{ region: 'ZZ' }, 'region'],
    duplicate: 'There is already a rate for this place from this day on',
  },
  {
    name: 'shipping-options',
    draft: {
      ...{ code: 'courier', label: 'Courier', description: 'By bike', shipsTo: 'home' },
      ...{ priceCents: 1995, eachMoreCents: 100, position: 4 },
    },
    change: { code: 'van', label: 'Van' },
    invalid: [{ code: 'By bike' }, 'code'],
    duplicate: 'Another shipping option has this code',
    use: async (deps, id) => {
      const orderId = await addOrder(deps, await addJob(deps))
      const { code } = await deps.db
        .selectFrom('shipping_options')
        .select('code')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await deps.db.updateTable('orders').set({ shipping_option_code: code }).where('id', '=', orderId).execute()
    },
    type: 'current',
  },
]
