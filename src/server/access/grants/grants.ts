import { addHours } from 'date-fns/addHours'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { endOfDay, galleryEnd } from '#server/jobs/store/order-availability.ts'
import type { JobKey } from '../authorization/authorize.ts'
import type { Session } from '../sessions/sessions.ts'

/**
 * The stored fields of subject `u` of job `j`, as one JSON list. A public gallery shows every subject to everyone, so
 * answers to the job's questions, current or former, are shown only to the session that typed the subject in.
 */
export const visibleSubjectFields = ({ session }: JobSession): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'value', f.value, 'hasOptions', f.has_options,
                                             'templateId', f.template_id, 'optionId', f.option_id) order by f.id), '[]')
    from subject_fields f where f.studio_id = u.studio_id and f.subject_id = u.id
     and (not j.gallery_is_public or u.person_session_id is not distinct from ${session.id}::bigint or not f.is_answer))`

/** A session and a job it has opened. */
export type JobSession = { readonly session: Session; readonly job: JobKey }

/**
 * What is granted. `job`: its search and packages. `gallery`: every subject of a public gallery. `subject`: one subject's images and
 * fields. `order`: one order that was found by number and e-mail.
 */
export type GrantTarget =
  | { readonly kind: 'job' | 'gallery' }
  | { readonly kind: 'subject'; readonly subjectId: number }
  | { readonly kind: 'order'; readonly orderId: number }

const maxLifeDays = 400

/**
 * The end of a grant. Grants to images end with the gallery, if its end is set and in the future; other grants last
 * `maxLifeDays`.
 */
const endOf = ({ job }: JobSession, { kind }: GrantTarget, now: Date): RawBuilder<Date> => {
  const latest = addHours(now, maxLifeDays * 24)
  if (kind === 'job' || kind === 'order') return sql`${latest}::timestamptz`
  return sql`(select case when ${galleryEnd} > ${now}::timestamptz then least(${galleryEnd}, ${latest}::timestamptz)
                          else ${latest}::timestamptz end
                from jobs j join studios s on s.id = j.studio_id
               where j.studio_id = ${job.studioId} and j.id = ${job.jobId})`
}

/**
 * Creates a grant or renews the live one and returns its id. A renewed grant keeps its id, and therefore the URLs of
 * its images. The caller decides whether access may be granted (section 4, grants).
 */
export const grantAccess = async (
  tx: Transaction,
  { clock, randomBytes }: Pick<Deps, 'clock' | 'randomBytes'>,
  jobSession: JobSession,
  target: GrantTarget,
): Promise<string> => {
  const now = clock()
  const grantId = Buffer.from(randomBytes(16)).toString('base64url')
  const { studioId, jobId } = jobSession.job
  const { rows } = await sql<{ grant_id: string }>`
    insert into session_grants (studio_id, session_id, job_id, kind, subject_id, order_id, grant_id, created_at, expires_at)
    values (${studioId}, ${jobSession.session.id}, ${jobId}, ${target.kind},
            ${target.kind === 'subject' ? target.subjectId : null}, ${target.kind === 'order' ? target.orderId : null},
            ${grantId}, ${now}, ${endOf(jobSession, target, now)})
    on conflict (studio_id, session_id, job_id, kind, subject_id, order_id) where revoked_at is null
    do update set expires_at = excluded.expires_at
    returning grant_id`.execute(tx)
  const liveGrantId = rows[0]?.grant_id ?? grantId
  if (liveGrantId === grantId)
    await tx.insertInto('grant_links').values({ grant_id: grantId, studio_id: studioId }).execute()
  return liveGrantId
}

/** SQL for whether grant `g` is valid at an instant. */
export const isLiveGrant = (now: Date): RawBuilder<boolean> => sql`
  (g.revoked_at is null and (g.expires_at is null or g.expires_at > ${now}::timestamptz))`

/**
 * Moves the end of a job's grants to images to the gallery's new last day. `before` is the previous last day: grants
 * that expired with it become valid again if the new day is in the future.
 */
export const moveGrantEnds = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { studioId, jobId, before }: JobKey & { readonly before: string | null },
): Promise<void> => {
  const now = clock()
  const latest = addHours(now, maxLifeDays * 24)
  await sql`
    update session_grants g set expires_at = least(${galleryEnd}, ${latest}::timestamptz)
      from jobs j join studios s on s.id = j.studio_id
     where j.studio_id = ${studioId} and j.id = ${jobId} and g.studio_id = j.studio_id and g.job_id = j.id
       and g.kind in ('subject', 'gallery') and g.revoked_at is null
       and (g.expires_at is null or g.expires_at > ${now}::timestamptz or g.expires_at = ${endOfDay(sql`${before}::date`)})`.execute(
    tx,
  )
}

/**
 * The session's live grant that shows subject `u` of job `j`, as a lateral `(grant_id)`: the grant of the subject, else
 * that of a public gallery. A hidden subject is shown to no one; a typed-in subject only to the session that added it.
 */
export const grantToSubject = ({ session, job }: JobSession, now: Date): RawBuilder<unknown> => sql`lateral (
  select g.grant_id from session_grants g
   where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId} and ${isLiveGrant(now)}
     and ((g.kind = 'subject' and g.subject_id = u.id) or (g.kind = 'gallery' and j.gallery_is_public))
     and u.hidden_at is null and (u.state = 'listed' or u.person_session_id = g.session_id)
   order by g.kind desc limit 1)`

/** The id of a session's newest live grant that shows images in job `j`, and with them the job's backgrounds. */
export const grantToImages = ({ session, job }: JobSession, now: Date): RawBuilder<string | null> => sql`(
  select g.grant_id from session_grants g
   where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId} and ${isLiveGrant(now)}
     and (g.kind = 'subject' or g.kind = 'gallery' and j.gallery_is_public)
   order by g.id desc limit 1)`
