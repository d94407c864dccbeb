import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import { type getHandOver, handOverMinutes } from '#contract/customer/hand-over.ts'
import type { JobSession } from '../access/grants/grants.ts'
import type { CartRef } from '../carts/store/read-cart.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from '../http/hash.ts'
import { handOverRetryCutoff } from './accept-hand-over.ts'

export type NewHandOver = { id: string; token: string; studioSlug: string; expiresAt: Date }

/**
 * Creates a hand-over, which lets one device join this session within ten minutes. It replaces an earlier hand-over that was not accepted.
 * `madeBy` is the hash of the requesting device's key. Undefined if that key was revoked meanwhile.
 */
export const createHandOver = async (
  { db, clock, newId, randomBytes }: Deps,
  { session, job, orderMethod }: CartRef,
  madeBy: string,
): Promise<NewHandOver | undefined> => {
  const id = newId()
  const token = Buffer.from(randomBytes(16)).toString('base64url')
  const now = clock()
  const expiresAt = new Date(now.getTime() + handOverMinutes * 60_000)
  const { rows } = await sql<{ slug: string }>`
    with expired as (
      delete from hand_overs where session_id = ${session.id} and taken_by is not null and expires_at <= ${handOverRetryCutoff(now)}),
    created as (
      insert into hand_overs (session_id, id, job_id, order_method, token_hash, made_by, expires_at)
      select k.session_id, ${id}, ${job.jobId}, ${orderMethod}, ${hashOf(token)}, k.id, ${expiresAt} from session_keys k
       where k.session_id = ${session.id} and k.token_hash = ${madeBy} and k.ended_at is null
      on conflict (session_id) where taken_by is null do update set id = excluded.id, job_id = excluded.job_id,
        order_method = excluded.order_method, token_hash = excluded.token_hash, made_by = excluded.made_by,
        expires_at = excluded.expires_at
      returning id)
    select s.slug from studios s, created where s.id = ${job.studioId}`.execute(db)
  const [row] = rows
  return row && { id, token, studioSlug: row.slug, expiresAt }
}

type HandOverStatus = Infer<(typeof getHandOver)['answer']>

/** Reads the status of the session's latest hand-over of this job; undefined if there is none. */
export const readHandOverStatus = async (
  { db, clock }: Deps,
  { session, job }: JobSession,
): Promise<HandOverStatus | undefined> => {
  const { rows } = await sql<HandOverStatus>`
    select id, case when taken_by is not null then 'taken' when expires_at > ${clock()} then 'waiting' else 'over' end as state
      from hand_overs where session_id = ${session.id} and job_id = ${job.jobId}
     order by taken_by is null desc, expires_at desc limit 1`.execute(db)
  return rows[0]
}
