import type { JobKey } from '../access/authorization/authorize.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/** Requeues a failed packet. Idempotent. */
export const retryPacket = (
  deps: Deps,
  { studioId, jobId, packetId }: JobKey & { readonly packetId: number },
): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const packet = await tx
      .updateTable('packets')
      .set({ state: 'waiting', files_done: 0, error: null, updated_at: deps.clock() })
      .where('studio_id', '=', studioId)
      .where('job_id', '=', jobId)
      .where('id', '=', packetId)
      .where('state', '=', 'failed')
      .returning('id')
      .executeTakeFirst()
    if (packet) await deps.jobs.enqueue(tx, 'make-packet', { studioId, packetId })
  })
