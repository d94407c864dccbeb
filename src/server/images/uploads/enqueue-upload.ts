import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { UploadRef } from './process-upload.ts'

/**
 * Assigns an upload its turn: one after the last waiting upload of its studio, and after the turn that was processed
 * last. This way, studios take turns, however many files one of them has sent. (Files of one studio that arrive at the
 * same moment may share a turn.)
 */
const assignTurn = async (tx: Transaction, { studioId, uploadId }: UploadRef): Promise<number> => {
  const { rows } = await sql<{ turn: number }>`
    update uploads u
       set turn = 1 + greatest(
             (select coalesce(max(w.turn), 0) from uploads w
               where w.studio_id = ${studioId} and w.state = 'received' and w.id <> ${uploadId}),
             coalesce((select e.turn from uploads e where e.state in ('processed', 'refused') and e.turn > 0
                        order by e.updated_at desc limit 1), 0))
     where u.studio_id = ${studioId} and u.id = ${uploadId}
    returning u.turn`.execute(tx)
  return rows[0]?.turn ?? 0
}

/** Queues a completely received file for processing, with the priority of its turn. */
export const enqueueUpload = async (
  tx: Transaction,
  { jobs }: Pick<Deps, 'jobs'>,
  upload: UploadRef,
): Promise<void> => {
  const turn = await assignTurn(tx, upload)
  await jobs.enqueue(tx, 'process-upload', upload, { priority: -turn })
}
