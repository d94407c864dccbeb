import { sql } from 'kysely'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { exportFolder } from '../images/store/image-file-keys.ts'
import type { ExportKey } from './exported-files.ts'

type Obstacles = { readonly isBeingMade: boolean; readonly hasRetakes: boolean }

const obstacleMessage = ({ isBeingMade, hasRetakes }: Obstacles): string | undefined => {
  if (isBeingMade) return 'The files of this export are being made. Delete it when they are ready'
  return hasRetakes ? 'Another export adds retakes to this one. Delete that export first' : undefined
}

/** Deletes an export with its files. */
export const deleteExport = (
  deps: Deps,
  { studioId, jobId, exportId }: ExportKey,
  user: User,
): Promise<Record<string, never> | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const { rows } = await sql<Obstacles & { volume: string }>`
      select e.state = 'making' as "isBeingMade", e.settings ->> 'volume' as volume, exists (
               select from image_exports l where l.studio_id = e.studio_id and l.job_id = e.job_id
                  and (l.settings ->> 'retakesOf')::bigint = e.id) as "hasRetakes"
        from image_exports e
       where e.studio_id = ${studioId} and e.job_id = ${jobId} and e.id = ${exportId} for update`.execute(tx)
    const [row] = rows
    if (!row) return problem('not-found')
    const obstacle = obstacleMessage(row)
    if (obstacle !== undefined) return problem('refused', obstacle)
    await tx.deleteFrom('image_exports').where('studio_id', '=', studioId).where('id', '=', exportId).execute()
    await deps.jobs.enqueue(tx, 'remove-files', { folders: [exportFolder({ studioId, exportId })], keys: [] })
    const audit = { entityId: String(exportId), detail: { jobId, volume: row.volume }, userId: user.id }
    await recordAudit(tx, deps, { studioId, action: 'image-export.removed', ...audit })
    return {}
  })
