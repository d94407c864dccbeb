import { recheckMilliseconds, waitingMilliseconds } from '#domain/studio/host-proof.ts'
import type { Deps } from '../deps.ts'
import { checkHost, type HostRow } from './check-host.ts'

/** Limit per run, even if each check takes the maximum time; the rest follow in the next run. */
const maxPerRun = 400
const concurrency = 8

const checkAndWarn = async (deps: Deps, row: HostRow): Promise<void> => {
  await checkHost(deps, { ...row, userId: null })
  if (row.state === 'waiting') return
  const after = await deps.db
    .selectFrom('studio_hosts')
    .select(['state', 'failing_since', 'finding'])
    .where('studio_id', '=', row.studio_id)
    .where('host_name', '=', row.host_name)
    .executeTakeFirst()
  if (!after || (after.state === 'proved' && after.failing_since === null)) return
  const { state, finding } = after
  deps.log.warn({ host: row.host_name, studioId: row.studio_id, state, finding }, 'the proof of a host name is gone')
}

/** Checks pending host names that were added within a week, and verified ones that were not checked for a day. */
export const recheckHosts = async (deps: Deps): Promise<void> => {
  const before = (milliseconds: number) => new Date(deps.clock().getTime() - milliseconds)
  const due = await deps.db
    .selectFrom('studio_hosts')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([
          eb('state', '=', 'waiting'),
          eb('waiting_since', '>', before(waitingMilliseconds)),
          eb.or([eb('checked_at', 'is', null), eb('checked_at', '<', before(recheckMilliseconds.waiting))]),
        ]),
        eb.and([eb('state', '=', 'proved'), eb('checked_at', '<', before(recheckMilliseconds.proved))]),
      ]),
    )
    .orderBy('checked_at')
    .limit(maxPerRun)
    .execute()
  for (let from = 0; from < due.length; from += concurrency) {
    await Promise.all(due.slice(from, from + concurrency).map((row) => checkAndWarn(deps, row)))
  }
}
