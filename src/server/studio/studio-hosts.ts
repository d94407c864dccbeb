import type { StudioHost } from '#contract/studio/hosts.ts'
import { hostCheckMessages, proofFilePath, proofRecordName, proofText } from '#domain/studio/host-proof.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { checkHost, type HostRow } from './check-host.ts'
import { asciiHost, unicodeHost } from './normalize-host-name.ts'
import type { StudioRequest } from './read-studio.ts'

/** The minimum seconds between two checks that a studio requests. */
const checkIntervalSeconds = 10

const toStudioHost = (row: HostRow): StudioHost => ({
  hostName: row.host_name,
  unicode: unicodeHost(row.host_name),
  state: row.state,
  recordName: proofRecordName(row.host_name),
  fileAddress: `http://${row.host_name}${proofFilePath}`,
  text: proofText(row.token),
  addedAt: row.created_at.toISOString(),
  provedAt: row.proved_at?.toISOString() ?? null,
  failingSince: row.failing_since?.toISOString() ?? null,
  checkedAt: row.checked_at?.toISOString() ?? null,
  result: row.finding && hostCheckMessages[row.finding],
})

const selectHosts = (db: Db, studioId: number) =>
  db.selectFrom('studio_hosts').selectAll().where('studio_id', '=', studioId).orderBy('created_at').orderBy('host_name')

/** Reads a studio's host names with their proofs. */
export const readStudioHosts = async (db: Db, studioId: number): Promise<StudioHost[]> =>
  (await selectHosts(db, studioId).execute()).map(toStudioHost)

/**
 * Whether a studio may check now. Updates the time of the last check in the same statement, so that one of two
 * concurrent requests is refused.
 */
const startCheck = async ({ db, clock }: Deps, studioId: number): Promise<boolean> => {
  const cutoff = new Date(clock().getTime() - checkIntervalSeconds * 1000)
  const { numUpdatedRows } = await db
    .updateTable('studios')
    .set({ host_checked_at: clock() })
    .where('id', '=', studioId)
    .where((eb) => eb.or([eb('host_checked_at', 'is', null), eb('host_checked_at', '<=', cutoff)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const notListedProblem = (): Problem<'refused'> => problem('refused', 'This host name is not in your settings anymore')

/** Checks one of a studio's host names now and returns its status. */
export const checkHostNow = async (
  deps: Deps,
  { studioId, user }: StudioRequest,
  input: string,
): Promise<StudioHost | Problem<'refused' | 'slow-down'>> => {
  const query = selectHosts(deps.db, studioId).where('host_name', '=', asciiHost(input))
  const row = await query.executeTakeFirst()
  if (!row) return notListedProblem()
  if (!(await startCheck(deps, studioId))) {
    return problem('slow-down', 'Please wait ten seconds between two checks', {
      retryAfterSeconds: checkIntervalSeconds,
    })
  }
  await checkHost(deps, { ...row, userId: user.id })
  const checked = await query.executeTakeFirst()
  return checked ? toStudioHost(checked) : notListedProblem()
}
