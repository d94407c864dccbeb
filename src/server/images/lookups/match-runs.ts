import { type RawBuilder, sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { MatchRun, matchImages } from '#contract/studio/images/image-matching.ts'
import type { JobKey } from '#server/access/authorization/authorize.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { idsIn } from '#server/carts/store/subject-and-image-queries.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { lockJob } from '#server/jobs/store/find-job.ts'
import { isCurrent } from '../store/image-conditions.ts'

type MatchRunInput = Infer<(typeof matchImages)['body']>

/** A condition for the images `i` of a job that are not matched: the given images, or all if `imageIds` is null. */
export const isUnmatchedIn = ({ studioId, jobId }: JobKey, imageIds: readonly number[] | null): RawBuilder<unknown> =>
  sql`i.studio_id = ${studioId} and i.job_id = ${jobId} and i.subject_id is null and i.group_id is null
    and i.kind = 'hosted-individual' and i.state <> 'refused' and ${isCurrent} and ${imageIds ? sql`i.id in ${idsIn(imageIds)}` : sql`true`}`

/** A job's last match run; null if there was none. */
export const readMatchRun = async (db: Db | Transaction, { studioId, jobId }: JobKey): Promise<MatchRun | null> => {
  const rows = await db
    .selectFrom('match_runs')
    .select([
      'id',
      'match_by as by',
      'state',
      'pictures_total as total',
      'pictures_done as done',
      'matched',
      'unclear',
      'unknown',
      'created_at as startedAt',
      'finished_at as finishedAt',
    ])
    .where('studio_id', '=', studioId)
    .where('job_id', '=', jobId)
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  const [row] = rows
  return row
    ? { ...row, startedAt: row.startedAt.toISOString(), finishedAt: row.finishedAt?.toISOString() ?? null }
    : null
}

const insertMatchRun = async (tx: Transaction, { job, user, input, now }: MatchRunRequest & { now: Date }) => {
  const { studioId, jobId } = job
  const imageIds = input.imageIds ?? null
  const { rows } = await sql<{ id: number; total: number }>`
    insert into match_runs (studio_id, job_id, match_by, camera_ahead_seconds, image_ids, made_by, created_at, moved_at, pictures_total)
    select ${studioId}::bigint, ${jobId}::bigint, ${input.by}::text, ${input.cameraAheadSeconds ?? 0}::integer,
           ${imageIds && JSON.stringify(imageIds)}::jsonb, ${user.id}::bigint, ${now}::timestamptz, ${now}::timestamptz, count(*)
      from image_lookups i where ${isUnmatchedIn(job, imageIds)}
    returning id, pictures_total as total`.execute(tx)
  return rows[0]?.id
}

type MatchRunRequest = { readonly job: JobKey; readonly user: User; readonly input: MatchRunInput }

/** Whether a run has the requested parameters: method, clock offset and images, in any order. */
const hasParameters = async (
  tx: Transaction,
  { job, runId, input }: { job: JobKey; runId: number; input: MatchRunInput },
): Promise<boolean> => {
  const imageIds = input.imageIds ?? null
  const { rows } = await sql`
    select from match_runs r
     where r.studio_id = ${job.studioId} and r.id = ${runId} and r.match_by = ${input.by}
       and r.camera_ahead_seconds = ${input.cameraAheadSeconds ?? 0}::integer
       and (r.image_ids is null) = ${imageIds === null}::boolean
       and coalesce(r.image_ids, '[]') @> ${JSON.stringify(imageIds ?? [])}::jsonb
       and coalesce(r.image_ids, '[]') <@ ${JSON.stringify(imageIds ?? [])}::jsonb`.execute(tx)
  return rows.length > 0
}

/** Starts a background match run of the unmatched images, one run per job at a time. A repeated request returns the current run. */
export const startMatchRun = (
  deps: Deps,
  { job, user, input }: MatchRunRequest,
): Promise<MatchRun | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    await lockJob(tx, job)
    const lastRun = await readMatchRun(tx, job)
    if (lastRun?.state === 'running') {
      if (await hasParameters(tx, { job, runId: lastRun.id, input })) return lastRun
      return problem('refused', 'The images of this event are being matched. Wait until that’s done')
    }
    await tx.deleteFrom('match_runs').where('studio_id', '=', job.studioId).where('job_id', '=', job.jobId).execute()
    const runId = await insertMatchRun(tx, { job, user, input, now: deps.clock() })
    if (runId !== undefined) await deps.jobs.enqueue(tx, 'rematch-images', { studioId: job.studioId, runId })
    return (await readMatchRun(tx, job)) ?? problem('not-found')
  })
