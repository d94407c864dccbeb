import { recheckMs, waitingMs } from '#domain/studio/host-proof.ts'
import type { Deps } from '../deps.ts'
import { checkHost, type HostRow } from './check-host.ts'

/** The limit of checks per run, so that a run ends in time even if each check times out. The next run checks the rest. */
const maxPerRun = 400
const concurrency = 8

const checkAndWarn = async (deps: Deps, row: HostRow): Promise<void> => {
  await checkHost(deps, { ...row, userId: null })
  if (row.state === 'waiting') return
  const checked = await deps.db
    .selectFrom('studio_hosts')
    .select(['state', 'failing_since', 'finding'])
    .where('studio_id', '=', row.studio_id)
    .where('host_name', '=', row.host_name)
    .executeTakeFirst()
  if (!checked || (checked.state === 'proved' && checked.failing_since === null)) return
  const { state, finding } = checked
  deps.log.warn({ host: row.host_name, studioId: row.studio_id, state, finding }, 'the proof of a host name is gone')
}

/** Checks pending host names that were added within a week, and verified ones that were not checked for a day. */
export const recheckHosts = async (deps: Deps): Promise<void> => {
  const timeBefore = (milliseconds: number) => new Date(deps.clock().getTime() - milliseconds)
  const dueHosts = await deps.db
    .selectFrom('studio_hosts')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([
          eb('state', '=', 'waiting'),
          eb('waiting_since', '>', timeBefore(waitingMs)),
          eb.or([eb('checked_at', 'is', null), eb('checked_at', '<', timeBefore(recheckMs.waiting))]),
        ]),
        eb.and([eb('state', '=', 'proved'), eb('checked_at', '<', timeBefore(recheckMs.proved))]),
      ]),
    )
    .orderBy('checked_at')
    .limit(maxPerRun)
    .execute()
  for (let start = 0; start < dueHosts.length; start += concurrency) {
    await Promise.all(dueHosts.slice(start, start + concurrency).map((row) => checkAndWarn(deps, row)))
  }
}
