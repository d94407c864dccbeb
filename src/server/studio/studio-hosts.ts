import type { StudioHost } from '#contract/studio/hosts.ts'
import { hostCheckMessages, proofFilePath, proofRecordName, proofText } from '#domain/studio/host-proof.ts'
import type { Db } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { checkHost, type HostRow } from './check-host.ts'
import { asciiHost, unicodeHost } from './normalize-host-name.ts'
import type { StudioRequest } from './read-studio.ts'

/** Seconds between two checks that a studio asks for. */
const pauseSeconds = 10

const hostOf = (row: HostRow): StudioHost => ({
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

const rowsOf = (db: Db, studioId: number) =>
  db.selectFrom('studio_hosts').selectAll().where('studio_id', '=', studioId).orderBy('created_at').orderBy('host_name')

/** A studio's host names, with what proves each. */
export const readStudioHosts = async (db: Db, studioId: number): Promise<StudioHost[]> =>
  (await rowsOf(db, studioId).execute()).map(hostOf)

/** Whether a studio may have a check now; counted at once, so that of two at the same time one is refused. */
const takeTurn = async ({ db, clock }: Deps, studioId: number): Promise<boolean> => {
  const before = new Date(clock().getTime() - pauseSeconds * 1000)
  const { numUpdatedRows } = await db
    .updateTable('studios')
    .set({ host_checked_at: clock() })
    .where('id', '=', studioId)
    .where((eb) => eb.or([eb('host_checked_at', 'is', null), eb('host_checked_at', '<=', before)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const notListed = (): Problem<'refused'> => problem('refused', 'This host name is not in your settings anymore')

/** Checks one of a studio's host names now, and answers how it is then. */
export const checkHostNow = async (
  deps: Deps,
  { studioId, user }: StudioRequest,
  typed: string,
): Promise<StudioHost | Problem<'refused' | 'slow-down'>> => {
  const one = rowsOf(deps.db, studioId).where('host_name', '=', asciiHost(typed))
  const row = await one.executeTakeFirst()
  if (!row) return notListed()
  if (!(await takeTurn(deps, studioId))) {
    return problem('slow-down', 'Please wait ten seconds between two checks', { retryAfterSeconds: pauseSeconds })
  }
  await checkHost(deps, { ...row, userId: user.id })
  const checked = await one.executeTakeFirst()
  return checked ? hostOf(checked) : notListed()
}
