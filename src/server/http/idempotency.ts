import { subHours } from 'date-fns/subHours'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { AuthorizedCaller } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import type { AnyJson } from '../database/tables/columns.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from './hash.ts'
import { type Answer, answerOf, JsonText, Problem, problem } from './problem.ts'

/**
 * The lease of a key. Without a heartbeat for this long, the process has ended, and another request may claim the key.
 */
const leaseMs = 30_000

/** Days for which keys and responses are stored (section 3). */
const retentionDays = 30

/**
 * `recorded`: a replay gets the recorded response. `rerun`: a replay runs the work again, which recognizes replays
 * itself. `unrecorded`: the same, and nothing of the request is stored, not even a hash, because it contains a
 * password.
 */
export type ReplayPolicy = 'recorded' | 'rerun' | 'unrecorded'

/** An idempotency key, its owner, and the request that it was sent with. */
export type IdempotencyClaim = {
  readonly owner: string
  readonly key: string
  readonly method: string
  readonly path: string
  readonly bodyHash: string
}

/** Converts objects to sorted lists of entries, so that equal content gives equal text. */
const toCanonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toCanonical)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([name, content]) => [name, toCanonical(content)])
}

/** The request's `Idempotency-Key`, bare or quoted; undefined without one. */
export const idempotencyKeyOf = (request: FastifyRequest): string | undefined | Problem<'bad-request'> => {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const [, quoted, unquoted] =
    /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/.exec(String(header).trim()) ?? []
  return quoted ?? unquoted ?? problem('bad-request', undefined, { fields: { 'Idempotency-Key': ['is not valid'] } })
}

/**
 * Builds the claim of a request; the content of a form is its fields and the digests of its files. Undefined for public
 * calls, which have no owner: each of them can safely be repeated.
 */
export const idempotencyClaimOf = (
  request: FastifyRequest,
  { session, user }: AuthorizedCaller,
  { key, content }: { key: string; content: unknown },
): IdempotencyClaim | undefined => {
  const owner = session ? `session:${session.id}` : user && `user:${user.id}`
  if (!owner) return undefined
  const bodyHash = hashOf(JSON.stringify(toCanonical(content ?? null)))
  return { owner, key, method: request.method, path: request.url, bodyHash }
}

/** Claims the key for this request: true when it is free, or its lease has expired. */
const claimKey = async ({ db, clock }: Deps, claim: IdempotencyClaim): Promise<boolean> => {
  const now = clock()
  const expiredBefore = new Date(now.getTime() - leaseMs)
  const { rows } = await sql`
    insert into idempotency_keys as k (owner, key, method, path, body_hash, created_at)
    values (${claim.owner}, ${claim.key}, ${claim.method}, ${claim.path}, ${claim.bodyHash}, ${now})
    on conflict (owner, key) do update set created_at = excluded.created_at
     where k.state = 'in-flight' and k.created_at < ${expiredBefore} and k.method = excluded.method
       and k.path = excluded.path and k.body_hash = excluded.body_hash
    returning key`.execute(db)
  return rows.length > 0
}

/** Reads the response for a key that is already claimed; undefined if it was released in the meantime. */
const readClaimedResponse = async ({ db }: Deps, claim: IdempotencyClaim): Promise<Answer | 'rerun' | undefined> => {
  const row = await whereOwned(db.selectFrom('idempotency_keys'), claim)
    .select(['method', 'path', 'body_hash', 'state', 'status', 'response'])
    .executeTakeFirst()
  if (!row) return undefined
  const isSameRequest = row.method === claim.method && row.path === claim.path && row.body_hash === claim.bodyHash
  if (!isSameRequest) return answerOf(problem('key-reused'))
  if (row.state === 'in-flight') return answerOf(problem('in-flight', undefined, { retryAfterSeconds: 1 }))
  if (row.response === null) return 'rerun'
  return { status: row.status ?? 200, body: row.response as Answer['body'] } // written by `recordResponse` below
}

type OwnedQuery = { where(column: 'owner' | 'key', is: '=', value: string): OwnedQuery }
const whereOwned = <Query>(query: Query, { owner, key }: IdempotencyClaim): Query =>
  (query as OwnedQuery).where('owner', '=', owner).where('key', '=', key) as Query // select, update and delete all have `where`

const toJson = (body: Answer['body']): string =>
  body instanceof JsonText ? body.text : JSON.stringify(body as AnyJson)

const recordResponse = async (
  db: Db | Transaction,
  now: Date,
  claim: IdempotencyClaim,
  response: Answer,
  policy: ReplayPolicy,
): Promise<void> => {
  await whereOwned(db.updateTable('idempotency_keys'), claim)
    .set({
      state: 'recorded',
      status: response.status,
      response: policy === 'recorded' ? toJson(response.body) : null,
      recorded_at: now,
    })
    .where('state', '=', 'in-flight')
    .execute()
}

const releaseKey = async ({ db }: Deps, claim: IdempotencyClaim): Promise<void> => {
  await whereOwned(db.deleteFrom('idempotency_keys'), claim).where('state', '=', 'in-flight').execute()
}

/** Renews the lease every few seconds, until the returned function is called. */
const startHeartbeat = ({ db, clock, log }: Deps, claim: IdempotencyClaim): (() => void) => {
  const renewLease = () =>
    whereOwned(db.updateTable('idempotency_keys'), claim)
      .set({ created_at: clock() })
      .where('state', '=', 'in-flight')
      .execute()
      .catch((error: unknown) => log.warn({ err: error }, 'the lease of an idempotency key could not be renewed'))
  const timer = setInterval(renewLease, leaseMs / 3)
  return () => clearInterval(timer)
}

/** Only final responses are recorded: a success, or a rejection by a domain rule. */
const isFinal = ({ status }: Answer): boolean => status < 300 || status === 422

/** Records a response in the handler's transaction, so that the work cannot run twice after a crash. */
export type RecordResponse = (tx: Transaction, data: unknown) => Promise<void>

type Work = (recordResponse: RecordResponse) => Promise<unknown>

const runClaimed = async (deps: Deps, claim: IdempotencyClaim, policy: ReplayPolicy, work: Work): Promise<Answer> => {
  let isRecorded = false
  const stopHeartbeat = startHeartbeat(deps, claim)
  try {
    const result = await work(async (tx, data) => {
      await recordResponse(tx, deps.clock(), claim, answerOf(data), policy)
      isRecorded = true
    })
    const response = answerOf(result)
    if (!isFinal(response)) await releaseKey(deps, claim)
    else if (!isRecorded || result instanceof Problem)
      await recordResponse(deps.db, deps.clock(), claim, response, policy)
    return response
  } catch (error) {
    await releaseKey(deps, claim)
    throw error
  } finally {
    stopHeartbeat()
  }
}

/** Runs the work of a key once: the first request runs it, and a replay gets the recorded response (section 3). */
export const runOnce = async (
  deps: Deps,
  claim: IdempotencyClaim,
  policy: ReplayPolicy,
  work: Work,
): Promise<Answer> => {
  if (await claimKey(deps, claim)) return await runClaimed(deps, claim, policy, work)
  const claimedResponse = await readClaimedResponse(deps, claim)
  if (claimedResponse === 'rerun') return answerOf(await work(async () => {}))
  return claimedResponse ?? answerOf(problem('in-flight', undefined, { retryAfterSeconds: 1 }))
}

/**
 * Deletes the keys of requests that were in flight when the previous process ended. Call it only before listening, and
 * only on the embedded database, which has a single server.
 */
export const releaseAbandonedKeys = async (db: Db): Promise<void> => {
  await db.deleteFrom('idempotency_keys').where('state', '=', 'in-flight').execute()
}

/** Deletes keys and responses after `retentionDays`. */
export const purgeIdempotencyKeys = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const cutoff = subHours(clock(), retentionDays * 24)
  await db.deleteFrom('idempotency_keys').where('created_at', '<', cutoff).execute()
}
