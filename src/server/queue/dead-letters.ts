import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { deadLetters } from './prepare-queues.ts'
import { queues } from './queues.ts'

const isQueue = (name: string): name is keyof typeof queues => Object.hasOwn(queues, name)

/**
 * Enqueues background jobs `d` that failed for good again. Returns their number; those of queues that this version does not have stay. The
 * payload was stored by the same queue.
 */
export const redriveDeadLetters = async (
  tx: Transaction,
  { jobs }: Pick<Deps, 'jobs'>,
  condition: RawBuilder<unknown>,
): Promise<number> => {
  const names = Object.keys(queues)
  const { rows } = await sql<{ queue: string; payload: object }>`
    delete from pgboss.job d
     where d.name = ${deadLetters} and d.state = 'created' and d.source_name in (${sql.join(names)}) and ${condition}
    returning d.source_name as queue, d.data as payload`.execute(tx)
  for (const { queue, payload } of rows) {
    if (isQueue(queue)) await jobs.enqueue(tx, queue, payload as never) // stored by the same queue
  }
  return rows.length
}
