import { addHours } from 'date-fns/addHours'
import { type RawBuilder, sql } from 'kysely'
import { maxActiveShares, type Share, shareDays } from '#contract/customer/share-calls.ts'
import type { JobSession } from '../access/grants/grants.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from '../http/hash.ts'
import { type Problem, problem } from '../http/problem.ts'
import { listSubjectImages } from '../images/store/list-subject-images.ts'
import { isLiveShare, isShareable, sharedImages, shareExpiryDay, shareTables } from './open-share.ts'

/** A subject of a job that a session has opened. */
export type SharedSubject = JobSession & { readonly subjectId: number }

const selectShares = (now: Date, condition: RawBuilder<boolean>): RawBuilder<Share> => sql`
  select x.id, x.view_count as "viewCount", (select count(*)::integer from ${sharedImages(now)}) as "imageCount",
         to_char(x.created_at at time zone s.time_zone, 'YYYY-MM-DD') as "createdOn", ${shareExpiryDay} as "expiresOn"
    from ${shareTables} where ${condition} and ${isLiveShare(now)}
   order by x.id desc`

/** Reads the session's shares of a subject that work. */
export const readShares = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { session, job, subjectId }: SharedSubject,
): Promise<{ shares: Share[] }> => {
  const isOwn = sql<boolean>`(x.studio_id = ${job.studioId} and x.job_id = ${job.jobId} and x.subject_id = ${subjectId}
    and x.session_id = ${session.id})`
  const { rows } = await selectShares(clock(), isOwn).execute(db)
  return { shares: rows }
}

const isSharingEnabled = async (db: Db | Transaction, studioId: number): Promise<boolean> => {
  const studio = await db
    .selectFrom('studios')
    .select('is_sharing_enabled')
    .where('id', '=', studioId)
    .executeTakeFirst()
  return studio?.is_sharing_enabled === true
}

/** Counts a session's shares that work, of all studios, after locking it, so that two requests together cannot exceed the limit. */
const countActiveShares = async (tx: Transaction, sessionId: number, now: Date): Promise<number> => {
  await sql`select id from customer_sessions where id = ${sessionId} for update`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${shareTables}
     where x.session_id = ${sessionId} and ${isLiveShare(now)}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Whether all of the images may be shown, which are then not deleted before the transaction ends. */
const areShareable = async (
  tx: Transaction,
  { job, subjectId }: SharedSubject,
  { imageIds, now }: { imageIds: readonly number[]; now: Date },
): Promise<boolean> => {
  const { rows } = await sql`
    select i.id from image_lookups i
     where i.studio_id = ${job.studioId} and i.id in (${sql.join(imageIds)}) and ${isShareable(now, sql`${subjectId}`)}
       for key share of i`.execute(tx)
  return rows.length === imageIds.length
}

const insertShare = async (
  tx: Transaction,
  { session, job, subjectId }: SharedSubject,
  { token, imageIds, now }: { token: string; imageIds: readonly number[]; now: Date },
): Promise<number> => {
  const { id } = await tx
    .insertInto('image_shares')
    .values({
      studio_id: job.studioId,
      job_id: job.jobId,
      subject_id: subjectId,
      session_id: session.id,
      token_hash: hashOf(token),
      created_at: now,
      expires_at: addHours(now, shareDays * 24),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('image_share_items')
    .values(imageIds.map((imageId) => ({ studio_id: job.studioId, share_id: id, image_id: imageId })))
    .execute()
  return id
}

type CreatedShare = { token: string; share: Share }

/**
 * Shares images of a subject that the session may see, and only those of the subject alone. The token is returned once, and only its hash
 * is stored.
 */
export const createShare = async (
  deps: Pick<Deps, 'db' | 'clock' | 'randomBytes'>,
  subject: SharedSubject,
  imageIds: readonly number[],
): Promise<CreatedShare | Problem<'refused' | 'grant-needed' | 'not-found'>> => {
  const now = deps.clock()
  const { subjectId } = subject
  const images = await listSubjectImages(deps.db, subject, { subjectId, now, replacements: false })
  if (typeof images === 'string') return problem(images)
  const ownIds = new Set(images.map(({ id }) => id))
  const chosenIds = [...new Set(imageIds)]
  const token = Buffer.from(deps.randomBytes(16)).toString('base64url')
  return await inTransaction(deps.db, async (tx) => {
    if (!(await isSharingEnabled(tx, subject.job.studioId)))
      return problem('refused', 'The studio doesn’t offer this for its photos')
    if (!chosenIds.every((id) => ownIds.has(id)) || !(await areShareable(tx, subject, { imageIds: chosenIds, now })))
      return problem('refused', 'One of these photos can’t be shown anymore. Please choose again')
    if ((await countActiveShares(tx, subject.session.id, now)) >= maxActiveShares)
      return problem('refused', `You have ${maxActiveShares} links already, for all children. Stop sharing one first`)
    const id = await insertShare(tx, subject, { token, imageIds: chosenIds, now })
    const isNew = sql<boolean>`(x.studio_id = ${subject.job.studioId} and x.id = ${id})`
    const { rows } = await selectShares(now, isNew).execute(tx)
    const [share] = rows
    return share ? { token, share } : problem('not-found')
  })
}

/** Stops a share of the session. A repeated request changes nothing. */
export const stopShare = async (
  deps: Pick<Deps, 'db' | 'clock'>,
  subject: SharedSubject,
  shareId: number,
): Promise<{ shares: Share[] } | Problem<'not-found'>> => {
  const stopped = await deps.db
    .updateTable('image_shares')
    .set(({ fn, val }) => ({ revoked_at: fn.coalesce('revoked_at', val(deps.clock())) }))
    .where('studio_id', '=', subject.job.studioId)
    .where('id', '=', shareId)
    .where('session_id', '=', subject.session.id)
    .where('subject_id', '=', subject.subjectId)
    .returning('id')
    .executeTakeFirst()
  return stopped ? await readShares(deps, subject) : problem('not-found')
}
