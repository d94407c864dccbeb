import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { LiveCart } from '#contract/customer/cart-calls.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import { reusableStatement } from '#server/database/reusable-statement.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { hashOf } from '#server/http/hash.ts'
import type { Problem } from '#server/http/problem.ts'
import { changesOfJob } from '#server/jobs/store/job-changes.ts'
import { imagesVersionOf } from '#server/jobs/store/order-availability.ts'
import { limitNewSessions } from './session-rate-limit.ts'

export const sessionCookie = 'fieldproof_session'

/** A customer's session. Each of its devices has its own cookie, which is a key of the session. */
export type Session = { readonly id: number }

const day = 24 * 60 * 60
/** The longest lifetime a browser allows for a cookie; renewed by each call that sets it. */
const lifeSeconds = 400 * day

/** The hash of the cookie's token; undefined without a cookie, or if the token is malformed. */
export const sessionTokenHash = (request: FastifyRequest): string | undefined => {
  const token = request.cookies[sessionCookie]
  return token && /^[\w-]{22}$/.test(token) ? hashOf(token) : undefined
}

/**
 * The session of a request; undefined if its cookie is missing or unknown, or if the session is over for this device.
 */
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

/** The options of a cookie that only the server reads. */
export const cookieOptions = (deps: Deps, request: FastifyRequest) => {
  const secure = request.protocol === 'https' || (deps.settings.publicUrl?.startsWith('https:') ?? false)
  return { httpOnly: true, sameSite: 'lax', secure } as const
}

/** Sets the session cookie. */
export const setSessionCookie = (deps: Deps, request: FastifyRequest, reply: FastifyReply, token: string): void => {
  reply.setCookie(sessionCookie, token, { ...cookieOptions(deps, request), path: '/', maxAge: lifeSeconds })
}

const endOf = (now: Date): Date => new Date(now.getTime() + lifeSeconds * 1000)

/** Renews the session of this request; undefined when it has none. */
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
 * Renews the session of this request, or creates one and sets its cookie. Only for the three calls that may create one: `openSession`,
 * redeeming a code and the order search (section 4). A fourth, accepting a hand-over, sets a cookie for an existing session. New sessions
 * are rate-limited by address. Not inside a transaction.
 */
export const ensureSession = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<(Session & { readonly created: boolean }) | Problem<'slow-down'>> => {
  const renewed = await renewSession(deps, request)
  const currentToken = request.cookies[sessionCookie]
  if (renewed && currentToken) {
    setSessionCookie(deps, request, reply, currentToken)
    return { id: renewed.id, created: false }
  }
  const rejection = await limitNewSessions(deps, clientAddressOf(request))
  if (rejection) return rejection
  const token = Buffer.from(deps.randomBytes(16)).toString('base64url')
  const now = deps.clock()
  const { rows } = await sql<{ id: number }>`
    with new_session as (
      insert into customer_sessions (created_at, seen_at, expires_at) values (${now}, ${now}, ${endOf(now)}) returning id)
    insert into session_keys (session_id, token_hash, created_at) select id, ${hashOf(token)}, ${now}::timestamptz from new_session
    returning session_id as id`.execute(deps.db)
  const [{ id } = throwMissingRow()] = rows
  setSessionCookie(deps, request, reply, token)
  return { id, created: true }
}

const throwMissingRow = (): never => {
  throw new Error('the new session was not returned')
}

/** Locks the session, so that the second of two devices that leave at the same time sees that it is the last. */
const lockSession = async (tx: Transaction, hash: string): Promise<{ id: number; key: number } | undefined> => {
  const { rows } = await sql<{ id: number; key: number }>`
    select s.id, k.id as key from session_keys k join customer_sessions s on s.id = k.session_id
     where k.token_hash = ${hash} and k.ended_at is null for update of s`.execute(tx)
  return rows[0]
}

/**
 * Removes this device from its session and clears its cookie; a pending hand-over that it started is cancelled. Other
 * devices stay in the session. When the last device leaves, the session ends: its orders remain, and its grants no
 * longer give access.
 */
export const endSession = async ({ db, clock }: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const hash = sessionTokenHash(request)
  reply.clearCookie(sessionCookie, { path: '/' })
  if (!hash) return
  const now = clock()
  await inTransaction(db, async (tx) => {
    const sessionKey = await lockSession(tx, hash)
    if (!sessionKey) return
    await tx.updateTable('session_keys').set({ ended_at: now }).where('id', '=', sessionKey.key).execute()
    await tx.deleteFrom('hand_overs').where('made_by', '=', sessionKey.key).where('taken_by', 'is', null).execute()
    await sql`
      update customer_sessions set finished_at = ${now}
       where id = ${sessionKey.id} and finished_at is null
         and not exists (select from session_keys where session_id = ${sessionKey.id} and ended_at is null)`.execute(tx)
  })
}

/** A session's access to a job. `studioId` is null where the job does not exist. */
export type JobAccess = {
  readonly session: Session
  readonly studioId: number | null
  readonly granted: boolean
  /** The version of all images that the session may see; see `imagesVersionOf`. */
  readonly imagesVersion: string
  /** The number of changes to what carts of the job show; see `changesOfJob`. */
  readonly changes: number
  readonly carts: readonly LiveCart[]
  /** The instant for which the access was decided. */
  readonly at: Date
}

type JobAccessRow = Omit<JobAccess, 'session' | 'at'> & { readonly id: number }

const readJobAccessRows = reusableStatement<{ hash: string; jobId: number; now: Date }, JobAccessRow>(
  ({ hash, jobId, now }) => sql`
    select v.id, l.studio_id as "studioId", exists (
      select from session_grants g
       where g.studio_id = l.studio_id and g.session_id = v.id and g.job_id = l.job_id
         and g.kind in ('job', 'gallery', 'subject') and g.revoked_at is null
         and (g.expires_at is null or g.expires_at > ${now})) as granted,
      ${imagesVersionOf(now)} as "imagesVersion", ${changesOfJob(sql`l.studio_id`, sql`l.job_id`)} as changes,
      (select coalesce(json_agg(json_build_object('orderMethod', c.order_method, 'id', c.id, 'version', c.version) order by c.order_method), '[]')
         from carts c
        where c.studio_id = l.studio_id and c.session_id = v.id and c.job_id = l.job_id and c.state <> 'ordered') as carts
      from session_keys k join customer_sessions v on v.id = k.session_id left join job_links l on l.job_id = ${jobId}
     where k.token_hash = ${hash} and k.ended_at is null and v.expires_at > ${now} and v.finished_at is null`,
)

/**
 * Reads session, job, grant and the state of the session's carts in one statement, because every customer call under a job needs
 * them. A code, a public gallery or a subject's own code opens the job; an order that was found does not.
 */
export const readJobAccess = async (
  { db, clock }: Deps,
  request: FastifyRequest,
  jobId: number,
): Promise<JobAccess | undefined> => {
  const hash = sessionTokenHash(request)
  if (!hash) return undefined
  const now = clock()
  const [row] = await readJobAccessRows(db, { hash, jobId, now })
  if (!row) return undefined
  const { id, ...access } = row
  return { session: { id }, ...access, at: now }
}
