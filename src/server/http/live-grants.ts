import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { JobKey } from './admit.ts'
import type { Session } from './sessions.ts'

/** A word for the grants to photos that a visit holds in a job now: another one as soon as one is given or withdrawn. */
export const liveGrants = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { session, job }: { readonly session: Session; readonly job: JobKey },
): Promise<string> => {
  const { rows } = await sql<{ word: string }>`
    select md5(coalesce(string_agg(g.grant_id, ',' order by g.grant_id), '')) as word from session_grants g
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId}
       and g.kind in ('subject', 'gallery') and g.revoked_at is null
       and (g.expires_at is null or g.expires_at > ${clock()}::timestamptz)`.execute(db)
  return rows[0]?.word ?? ''
}
