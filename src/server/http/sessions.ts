import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { hashOf } from './hash.ts'

export const sessionCookie = 'fieldproof_session'

/** A customer's visit on one device. */
export type Session = { readonly id: number }

const day = 24 * 60 * 60
/** The most a browser lets a cookie live; renewed at each of the calls that set it. */
const lifeSeconds = 400 * day

/** The token of the cookie, hashed; undefined where there is none or it is none of ours. */
export const sessionHashOf = (request: FastifyRequest): string | undefined => {
  const token = request.cookies[sessionCookie]
  return token && /^[\w-]{22}$/.test(token) ? hashOf(token) : undefined
}

/** The session a request belongs to, for calls that anyone may make; no cookie, or one that is not known: undefined. */
export const currentSession = async ({ db, clock }: Deps, request: FastifyRequest): Promise<Session | undefined> => {
  const hash = sessionHashOf(request)
  if (!hash) return undefined
  return await db
    .selectFrom('customer_sessions')
    .select('id')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', clock())
    .where('finished_at', 'is', null)
    .executeTakeFirst()
}

const setCookie = (deps: Deps, request: FastifyRequest, reply: FastifyReply, token: string): void => {
  const secure = request.protocol === 'https' || (deps.settings.publicUrl?.startsWith('https:') ?? false)
  reply.setCookie(sessionCookie, token, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: lifeSeconds })
}

const endOf = (now: Date): Date => new Date(now.getTime() + lifeSeconds * 1000)

/** Renews the known session of this request; undefined when there is none. */
const renewSession = async ({ db, clock }: Deps, request: FastifyRequest): Promise<Session | undefined> => {
  const hash = sessionHashOf(request)
  if (!hash) return undefined
  const now = clock()
  return await db
    .updateTable('customer_sessions')
    .set({ seen_at: now, expires_at: endOf(now) })
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .where('finished_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
}

/**
 * The session of this request, made and its cookie set where there is none that is known, renewed where there is. Only for the
 * three calls that may do so: `openSession`, redeeming a code and the order search (section 4). Not inside a transaction.
 */
export const ensureSession = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session & { readonly created: boolean }> => {
  const renewed = await renewSession(deps, request)
  const known = request.cookies[sessionCookie]
  if (renewed && known) {
    setCookie(deps, request, reply, known)
    return { id: renewed.id, created: false }
  }
  const token = Buffer.from(deps.randomBytes(16)).toString('base64url')
  const now = deps.clock()
  const { id } = await deps.db
    .insertInto('customer_sessions')
    .values({ token_hash: hashOf(token), created_at: now, seen_at: now, expires_at: endOf(now) })
    .returning('id')
    .executeTakeFirstOrThrow()
  setCookie(deps, request, reply, token)
  return { id, created: true }
}

/** Ends the session of this request, if there is one, and takes its cookie back. Its orders stay; its grants open nothing more. */
export const endSession = async ({ db, clock }: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const hash = sessionHashOf(request)
  reply.clearCookie(sessionCookie, { path: '/' })
  if (!hash) return
  await db
    .updateTable('customer_sessions')
    .set({ finished_at: clock() })
    .where('token_hash', '=', hash)
    .where('finished_at', 'is', null)
    .execute()
}

/** What a session may do with a job. `studioId` is null for a job there is none of. */
export type JobStanding = { readonly session: Session; readonly studioId: number | null; readonly granted: boolean }

/**
 * Session, job and grant in one statement, because every customer call under a job asks it. A code, a public gallery or a person's
 * own code opens the job; a found order alone does not.
 */
export const jobStanding = async (
  { db, clock }: Deps,
  request: FastifyRequest,
  jobId: number,
): Promise<JobStanding | undefined> => {
  const hash = sessionHashOf(request)
  if (!hash) return undefined
  const now = clock()
  const { rows } = await sql<{ id: number; studio_id: number | null; granted: boolean }>`
    select s.id, l.studio_id, exists (
      select from session_grants g
       where g.studio_id = l.studio_id and g.session_id = s.id and g.job_id = l.job_id
         and g.kind in ('job', 'gallery', 'subject') and g.revoked_at is null
         and (g.expires_at is null or g.expires_at > ${now})) as granted
      from customer_sessions s left join job_links l on l.job_id = ${jobId}
     where s.token_hash = ${hash} and s.expires_at > ${now} and s.finished_at is null`.execute(db)
  const [row] = rows
  return row && { session: { id: row.id }, studioId: row.studio_id, granted: row.granted }
}
