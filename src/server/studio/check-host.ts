import { type Selectable, sql } from 'kysely'
import { applyHostCheck, type HostCheckResult, type HostProofStatus, proofText } from '#domain/studio/host-proof.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { PlatformTables } from '../database/tables/platform-tables.ts'
import type { Deps } from '../deps.ts'

export type HostRow = Selectable<PlatformTables['studio_hosts']>

/** The host name to check; `userId` is null for a background job. */
type HostToCheck = Pick<HostRow, 'studio_id' | 'host_name' | 'token'> & { readonly userId: number | null }

const proofStatusOf = (row: HostRow): HostProofStatus => ({
  state: row.state,
  waitingSince: row.waiting_since,
  provedAt: row.proved_at,
  failingSince: row.failing_since,
})

const isOfAnotherStudio = async (tx: Transaction, { host_name, studio_id }: HostRow): Promise<boolean> => {
  const rows = tx.selectFrom('studio_hosts').select('studio_id').where('host_name', '=', host_name)
  return (await rows.where('state', '=', 'proved').where('studio_id', '<>', studio_id).executeTakeFirst()) !== undefined
}

const storeResult = async (tx: Transaction, deps: Deps, { row, result }: { row: HostRow; result: HostCheckResult }) => {
  const now = deps.clock()
  const current = proofStatusOf(row)
  const checked = applyHostCheck(current, result, now)
  const isTaken = checked.state === 'proved' && current.state === 'waiting' && (await isOfAnotherStudio(tx, row))
  const { state, waitingSince, provedAt, failingSince } = isTaken ? current : checked
  await tx
    .updateTable('studio_hosts')
    .set({
      ...{ state, waiting_since: waitingSince, proved_at: provedAt, failing_since: failingSince },
      ...{ checked_at: now, finding: isTaken ? 'taken' : result },
    })
    .where('studio_id', '=', row.studio_id)
    .where('host_name', '=', row.host_name)
    .execute()
  return state
}

/**
 * Checks the proof of a host name and stores the result. A name that was removed or replaced meanwhile is unchanged.
 */
export const checkHost = async (deps: Deps, { studio_id, host_name, token, userId }: HostToCheck): Promise<void> => {
  const result = await deps.hostProof.find({ host: host_name, text: proofText(token) })
  await inTransaction(deps.db, async (tx) => {
    // Serializes checks of a name, so that two studios do not both find it free.
    await sql`select pg_advisory_xact_lock(hashtext(${`host name ${host_name}`}))`.execute(tx)
    const row = await tx
      .selectFrom('studio_hosts')
      .selectAll()
      .where('studio_id', '=', studio_id)
      .where('host_name', '=', host_name)
      .where('token', '=', token)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return
    const state = await storeResult(tx, deps, { row, result })
    if (state === row.state) return
    const audit = { studioId: studio_id, entityId: String(studio_id), userId }
    const action = state === 'proved' ? 'studio.host-proved' : 'studio.host-lost'
    await recordAudit(tx, deps, { ...audit, action, detail: { host: host_name } })
  })
}
