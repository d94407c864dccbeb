import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { hashOf } from '#server/http/hash.ts'
import type { Problem } from '#server/http/problem.ts'
import { limitNewSessions } from './session-rate-limit.ts'

export const sessionCookie = 'fieldproof_session'

/** A customer's visit. Each device that goes on with it has a cookie of its own, a key of the session. */
export type Session = { readonly id: number }

const day = 24 * 60 * 60
/** The most a browser lets a cookie live; renewed at each of the calls that set it. */
const lifeSeconds = 400 * day

/** The token of the cookie, hashed; undefined where there is none or it is none of ours. */
export const sessionTokenHash = (request: FastifyRequest): string | undefined => {
  const token = request.cookies[sessionCookie]
  return token && /^[\w-]{22}$/.test(token) ? hashOf(token) : undefined
}

/** The session a request belongs to, for calls that anyone may make; no cookie, or one that is not known: undefined. */
export const currentSession = async ({ db, clock }: Deps, request: FastifyRequest): Promise<Session | undefined> => {
  const hash = sessionTokenHash(request)
  if (!hash) return undefined
  return await db
    .selectFrom('session_keys as k')
    .innerJoin('customer_sessions as s', 's.id', 'k.session_id')
    .select('s.id')
    .where('k.token_hash', '=', hash)
    .where('k.ended_at', 'is', null)
    .where('s.expires_at', '>', clock())
    .where('s.finished_at', 'is', null)
    .executeTakeFirst()
}

/** Gives a browser the key of its visit. */
export const setSessionCookie = (deps: Deps, request: FastifyRequest, reply: FastifyReply, token: string): void => {
  const secure = request.protocol === 'https' || (deps.settings.publicUrl?.startsWith('https:') ?? false)
  reply.setCookie(sessionCookie, token, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: lifeSeconds })
}

const endOf = (now: Date): Date => new Date(now.getTime() + lifeSeconds * 1000)

/** Renews the known session of this request; undefined when there is none. */
const renewSession = async ({ db, clock }: Deps, request: FastifyRequest): Promise<Session | undefined> => {
  const hash = sessionTokenHash(request)
  if (!hash) return undefined
  const now = clock()
  return await db
    .updateTable('customer_sessions')
    .from('session_keys as k')
    .set({ seen_at: now, expires_at: endOf(now) })
    .whereRef('k.session_id', '=', 'customer_sessions.id')
    .where('k.token_hash', '=', hash)
    .where('k.ended_at', 'is', null)
    .where('customer_sessions.expires_at', '>', now)
    .where('customer_sessions.finished_at', 'is', null)
    .returning('customer_sessions.id')
    .executeTakeFirst()
}

/**
 * The session of this request, made and its cookie set where there is none that is known, renewed where there is. Only for the
 * three calls that may do so: `openSession`, redeeming a code and the order search (section 4). A fourth call, taking a hand-over,
 * gives a cookie of a session that is there. New ones are counted by address. Not inside a transaction.
 */
export const ensureSession = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<(Session & { readonly created: boolean }) | Problem<'slow-down'>> => {
  const renewed = await renewSession(deps, request)
  const known = request.cookies[sessionCookie]
  if (renewed && known) {
    setSessionCookie(deps, request, reply, known)
    return { id: renewed.id, created: false }
  }
  const refused = await limitNewSessions(deps, clientAddressOf(request))
  if (refused) return refused
  const token = Buffer.from(deps.randomBytes(16)).toString('base64url')
  const now = deps.clock()
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into customer_sessions (created_at, seen_at, expires_at) values (${now}, ${now}, ${endOf(now)}) returning id)
    insert into session_keys (session_id, token_hash, created_at) select id, ${hashOf(token)}, ${now}::timestamptz from made
    returning session_id as id`.execute(deps.db)
  const [{ id } = noRow()] = rows
  setSessionCookie(deps, request, reply, token)
  return { id, created: true }
}

const noRow = (): never => {
  throw new Error('a session was made and is not there')
}

/** Two devices that end at once wait for each other here: the second finds that none is left. */
const holdSession = async (tx: Transaction, hash: string): Promise<{ id: number; key: number } | undefined> => {
  const { rows } = await sql<{ id: number; key: number }>`
    select s.id, k.id as key from session_keys k join customer_sessions s on s.id = k.session_id
     where k.token_hash = ${hash} and k.ended_at is null for update of s`.execute(tx)
  return rows[0]
}

/**
 * Ends this device's part in its visit, if there is one, and takes its cookie back; a hand-over it began that nobody took ends with it.
 * Other devices go on. With the last one the session ends: its orders stay; its grants open nothing more.
 */
export const endSession = async ({ db, clock }: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const hash = sessionTokenHash(request)
  reply.clearCookie(sessionCookie, { path: '/' })
  if (!hash) return
  const now = clock()
  await inTransaction(db, async (tx) => {
    const held = await holdSession(tx, hash)
    if (!held) return
    await tx.updateTable('session_keys').set({ ended_at: now }).where('id', '=', held.key).execute()
    await tx.deleteFrom('hand_overs').where('made_by', '=', held.key).where('taken_by', 'is', null).execute()
    await sql`
      update customer_sessions set finished_at = ${now}
       where id = ${held.id} and finished_at is null
         and not exists (select from session_keys where session_id = ${held.id} and ended_at is null)`.execute(tx)
  })
}

/** What a session may do with a job. `studioId` is null for a job there is none of. */
export type JobAccess = { readonly session: Session; readonly studioId: number | null; readonly granted: boolean }

/**
 * Session, job and grant in one statement, because every customer call under a job asks it. A code, a public gallery or a person's
 * own code opens the job; a found order alone does not.
 */
export const readJobAccess = async (
  { db, clock }: Deps,
  request: FastifyRequest,
  jobId: number,
): Promise<JobAccess | undefined> => {
  const hash = sessionTokenHash(request)
  if (!hash) return undefined
  const now = clock()
  const { rows } = await sql<{ id: number; studio_id: number | null; granted: boolean }>`
    select s.id, l.studio_id, exists (
      select from session_grants g
       where g.studio_id = l.studio_id and g.session_id = s.id and g.job_id = l.job_id
         and g.kind in ('job', 'gallery', 'subject') and g.revoked_at is null
         and (g.expires_at is null or g.expires_at > ${now})) as granted
      from session_keys k join customer_sessions s on s.id = k.session_id left join job_links l on l.job_id = ${jobId}
     where k.token_hash = ${hash} and k.ended_at is null and s.expires_at > ${now} and s.finished_at is null`.execute(
    db,
  )
  const [row] = rows
  return row && { session: { id: row.id }, studioId: row.studio_id, granted: row.granted }
}
