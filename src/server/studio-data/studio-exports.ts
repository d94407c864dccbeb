import { addHours } from 'date-fns/addHours'
import { sql } from 'kysely'
import type { StudioExport } from '#contract/studio/studio-export.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import type { Deps } from '../deps.ts'
import { problem, studioNotFound } from '../http/problem.ts'
import { studioExists } from '../studio/store/find-studio.ts'

/** The folder of the tables of an export, with a slash at the end. */
export const exportTablesFolder = ({ studioId, folder }: { studioId: number; folder: string }): string =>
  `studios/${studioId}/data-export/${folder}/`

/** The export of a studio; undefined if there is none. */
export const readStudioExport = async (db: Db | Transaction, studioId: number): Promise<StudioExport | undefined> => {
  const { rows } = await sql<StudioExport>`
    select e.state, ${isoTimestamp(sql`e.created_at`)} as "startedAt", u.name as "startedBy",
           ${isoTimestamp(sql`e.expires_at`)} as "expiresAt"
      from studio_exports e left join users u on u.id = e.made_by where e.studio_id = ${studioId}`.execute(db)
  return rows[0]
}

/** After this time without an end, a new export may be started. */
const stalledHours = 6

/** Starts the export of everything that a studio stores, unless one is being made, and removes the files of the last one. */
export const startExport = (deps: Deps, { studioId, user }: { studioId: number; user: User }) =>
  inTransaction(deps.db, async (tx) => {
    const studio = tx.selectFrom('studios').select('id').where('id', '=', studioId)
    if (!(await studio.forUpdate().executeTakeFirst())) return studioNotFound()
    const now = deps.clock()
    const last = await tx
      .selectFrom('studio_exports')
      .select(['state', 'folder', 'created_at as startedAt'])
      .where('studio_id', '=', studioId)
      .executeTakeFirst()
    if (last?.state !== 'making' || addHours(last.startedAt, stalledHours) < now) {
      const folder = deps.newId()
      if (last) {
        const folders = [exportTablesFolder({ studioId, folder: last.folder })]
        await deps.jobs.enqueue(tx, 'remove-files', { folders, keys: [] })
      }
      const columns = { folder, state: 'making', made_by: user.id, created_at: now, expires_at: null } as const
      await tx
        .insertInto('studio_exports')
        .values({ ...columns, studio_id: studioId })
        .onConflict((conflict) => conflict.column('studio_id').doUpdateSet(columns))
        .execute()
      await deps.jobs.enqueue(tx, 'make-studio-export', { studioId, folder })
      const entry = { studioId, action: 'studio-export.begun', entityId: String(studioId), userId: user.id } as const
      await recordAudit(tx, deps, { ...entry, detail: {} })
    }
    return { export: (await readStudioExport(tx, studioId)) ?? null }
  })

/** The export of a studio that exists; a problem if there is no such studio. */
export const readExportAnswer = async ({ db }: Pick<Deps, 'db'>, studioId: number) =>
  (await studioExists(db, studioId)) ? { export: (await readStudioExport(db, studioId)) ?? null } : problem('not-found')
