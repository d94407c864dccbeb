import { type Selectable, sql } from 'kysely'
import { applyHostCheck, type HostCheckResult, type HostProofStatus, proofText } from '#domain/studio/host-proof.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { PlatformTables } from '../database/tables/platform-tables.ts'
import type { Deps } from '../deps.ts'

export type HostRow = Selectable<PlatformTables['studio_hosts']>

/** Which host name is checked, and for whom; `userId` is null for the background. */
type Checked = Pick<HostRow, 'studio_id' | 'host_name' | 'token'> & { readonly userId: number | null }

const standingOf = (row: HostRow): HostProofStatus => ({
  state: row.state,
  waitingSince: row.waiting_since,
  provedAt: row.proved_at,
  failingSince: row.failing_since,
})

const isAnothers = async (tx: Transaction, { host_name, studio_id }: HostRow): Promise<boolean> => {
  const other = tx.selectFrom('studio_hosts').select('studio_id').where('host_name', '=', host_name)
  return (
    (await other.where('state', '=', 'proved').where('studio_id', '<>', studio_id).executeTakeFirst()) !== undefined
  )
}

const store = async (tx: Transaction, deps: Deps, { row, found }: { row: HostRow; found: HostCheckResult }) => {
  const now = deps.clock()
  const before = standingOf(row)
  const passed = applyHostCheck(before, found, now)
  const isTaken = passed.state === 'proved' && before.state === 'waiting' && (await isAnothers(tx, row))
  const { state, waitingSince, provedAt, failingSince } = isTaken ? before : passed
  await tx
    .updateTable('studio_hosts')
    .set({
      ...{ state, waiting_since: waitingSince, proved_at: provedAt, failing_since: failingSince },
      ...{ checked_at: now, finding: isTaken ? 'taken' : found },
    })
    .where('studio_id', '=', row.studio_id)
    .where('host_name', '=', row.host_name)
    .execute()
  return state
}

/** Looks for the proof of a host name and stores what that makes of it; a name that was removed meanwhile, or replaced, stays as it is. */
export const checkHost = async (deps: Deps, { studio_id, host_name, token, userId }: Checked): Promise<void> => {
  const found = await deps.hostProof.find({ host: host_name, text: proofText(token) })
  await inTransaction(deps.db, async (tx) => {
    // Two studios must not both find it free.
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
    const state = await store(tx, deps, { row, found })
    if (state === row.state) return
    const about = { studioId: studio_id, entityId: String(studio_id), userId }
    const action = state === 'proved' ? 'studio.host-proved' : 'studio.host-lost'
    await recordAudit(tx, deps, { ...about, action, detail: { host: host_name } })
  })
}
