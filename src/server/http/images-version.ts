import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { isVerifiedOrPaid } from '#server/jobs/store/order-availability.ts'
import { sessionTokenHash } from '../access/sessions/sessions.ts'
import type { Deps } from '../deps.ts'

/**
 * Reads the version of all images that a session may see. It changes when a grant is created or ends, when an image of
 * one of the session's jobs is withdrawn, and when an unverified studio shows images for a paid order. Undefined
 * without a valid session.
 */
export const imagesVersion = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  request: FastifyRequest,
): Promise<string | undefined> => {
  const hash = sessionTokenHash(request)
  if (!hash) return undefined
  const now = clock()
  const viewer = { sessionId: sql<number>`g.session_id`, subjectId: sql<number>`g.subject_id` }
  const { rows } = await sql<{ state: string }>`
    select md5(coalesce((
        select string_agg(g.grant_id || ' ' || j.photos_version || case when ${isVerifiedOrPaid(now, viewer)} then '' else ' closed' end, ',' order by g.grant_id)
          from session_grants g join jobs j on j.studio_id = g.studio_id and j.id = g.job_id
          join studios s on s.id = g.studio_id
         where g.session_id = v.id and (g.kind = 'subject' or g.kind = 'gallery' and j.gallery_is_public)
           and g.revoked_at is null and (g.expires_at is null or g.expires_at > ${now}::timestamptz)), '')) as state
      from session_keys k join customer_sessions v on v.id = k.session_id
     where k.token_hash = ${hash} and k.ended_at is null and v.expires_at > ${now}::timestamptz and v.finished_at is null`.execute(
    db,
  )
  return rows[0]?.state
}
