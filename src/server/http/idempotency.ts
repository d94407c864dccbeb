import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { AuthorizedCaller } from '../access/authorization/authorize.ts'
import type { Db, Transaction } from '../database/database.ts'
import type { AnyJson } from '../database/tables/columns.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from './hash.ts'
import { type Answer, answerOf, Problem, problem } from './problem.ts'

/** Work without a heartbeat for this long has died with its process, and its key may be taken over. */
const leaseMilliseconds = 30_000

/** Days for which answers are stored (section 3). */
const keptDays = 30

/**
 * `recorded`: a repetition gets the recorded answer. `rerun`: the work recognizes repetitions by itself and is run again. `unrecorded`:
 * the same, and nothing of the request is stored, not even a hash, because it contains a password.
 */
export type ReplayPolicy = 'kept' | 'again' | 'unkept'

/** A key of an owner, and the request it was sent with. */
export type IdempotencyClaim = {
  readonly owner: string
  readonly key: string
  readonly method: string
  readonly path: string
  readonly bodyHash: string
}

/** Sorts the keys of an object, so that equal content gives equal text. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([name, content]) => [name, canonical(content)])
}

/** The request's `Idempotency-Key`, bare or quoted; undefined without one. */
export const idempotencyKeyOf = (request: FastifyRequest): string | undefined | Problem<'bad-request'> => {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  const [, quoted, bare] = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/.exec(String(given).trim()) ?? []
  return quoted ?? bare ?? problem('bad-request', undefined, { fields: { 'Idempotency-Key': ['is not valid'] } })
}

/**
 * The owner of a key and the content it stands for: for a form, its fields and the digests of its files. Public calls have no owner to
 * store an answer for: each of those can safely be repeated.
 */
export const idempotencyClaimOf = (
  request: FastifyRequest,
  { session, user }: AuthorizedCaller,
  { key, content }: { key: string; content: unknown },
): IdempotencyClaim | undefined => {
  const owner = session ? `session:${session.id}` : user && `user:${user.id}`
  if (!owner) return undefined
  const bodyHash = hashOf(JSON.stringify(canonical(content ?? null)))
  return { owner, key, method: request.method, path: request.url, bodyHash }
}

/** Claims the key for this request: true when it is free, or its lease has expired. */
const take = async ({ db, clock }: Deps, claim: IdempotencyClaim): Promise<boolean> => {
  const now = clock()
  const abandoned = new Date(now.getTime() - leaseMilliseconds)
  const { rows } = await sql`
    insert into idempotency_keys as k (owner, key, method, path, body_hash, created_at)
    values (${claim.owner}, ${claim.key}, ${claim.method}, ${claim.path}, ${claim.bodyHash}, ${now})
    on conflict (owner, key) do update set created_at = excluded.created_at
     where k.state = 'in-flight' and k.created_at < ${abandoned} and k.method = excluded.method
       and k.path = excluded.path and k.body_hash = excluded.body_hash
    returning key`.execute(db)
  return rows.length > 0
}

/** The response to a key that is taken; undefined when it was released in the meantime. */
const answerTaken = async ({ db }: Deps, claim: IdempotencyClaim): Promise<Answer | 'again' | undefined> => {
  const found = await mine(db.selectFrom('idempotency_keys'), claim)
    .select(['method', 'path', 'body_hash', 'state', 'status', 'answer'])
    .executeTakeFirst()
  if (!found) return undefined
  const same = found.method === claim.method && found.path === claim.path && found.body_hash === claim.bodyHash
  if (!same) return answerOf(problem('key-reused'))
  if (found.state === 'in-flight') return answerOf(problem('in-flight', undefined, { retryAfterSeconds: 1 }))
  if (found.answer === null) return 'again'
  return { status: found.status ?? 200, body: found.answer as Answer['body'] } // written by `record` below
}

type Owned = { where(column: 'owner' | 'key', is: '=', value: string): Owned }
const mine = <Query>(query: Query, { owner, key }: IdempotencyClaim): Query =>
  (query as Owned).where('owner', '=', owner).where('key', '=', key) as Query // select, update and delete all have `where`

const record = async (
  db: Db | Transaction,
  now: Date,
  claim: IdempotencyClaim,
  answer: Answer,
  kept: ReplayPolicy,
): Promise<void> => {
  await mine(db.updateTable('idempotency_keys'), claim)
    .set({
      state: 'recorded',
      status: answer.status,
      answer: kept === 'kept' ? JSON.stringify(answer.body as AnyJson) : null,
      recorded_at: now,
    })
    .where('state', '=', 'in-flight')
    .execute()
}

const giveBack = async ({ db }: Deps, claim: IdempotencyClaim): Promise<void> => {
  await mine(db.deleteFrom('idempotency_keys'), claim).where('state', '=', 'in-flight').execute()
}

/** Renews the lease every few seconds, until the returned function is called. */
const beat = ({ db, clock, log }: Deps, claim: IdempotencyClaim): (() => void) => {
  const touch = () =>
    mine(db.updateTable('idempotency_keys'), claim)
      .set({ created_at: clock() })
      .where('state', '=', 'in-flight')
      .execute()
      .catch((error: unknown) => log.warn({ err: error }, 'an idempotency key could not be kept alive'))
  const timer = setInterval(touch, leaseMilliseconds / 3)
  return () => clearInterval(timer)
}

/** Only final answers are recorded: a success, or a rejection by a domain rule. */
const isFinal = ({ status }: Answer): boolean => status < 300 || status === 422

/** Records the handler's answer in its own transaction, so that a crash between the two cannot do the work twice. */
export type RecordAnswer = (tx: Transaction, data: unknown) => Promise<void>

type Work = (recordIn: RecordAnswer) => Promise<unknown>

const run = async (deps: Deps, claim: IdempotencyClaim, kept: ReplayPolicy, work: Work): Promise<Answer> => {
  let recorded = false
  const stopBeating = beat(deps, claim)
  try {
    const result = await work(async (tx, data) => {
      await record(tx, deps.clock(), claim, answerOf(data), kept)
      recorded = true
    })
    const answer = answerOf(result)
    if (!isFinal(answer)) await giveBack(deps, claim)
    else if (!recorded || result instanceof Problem) await record(deps.db, deps.clock(), claim, answer, kept)
    return answer
  } catch (error) {
    await giveBack(deps, claim)
    throw error
  } finally {
    stopBeating()
  }
}

/** Does the work of a key once: the first request runs it, a replay gets the recorded answer (section 3). */
export const runOnce = async (deps: Deps, claim: IdempotencyClaim, kept: ReplayPolicy, work: Work): Promise<Answer> => {
  if (await take(deps, claim)) return await run(deps, claim, kept, work)
  const taken = await answerTaken(deps, claim)
  if (taken === 'again') return answerOf(await work(async () => {}))
  return taken ?? answerOf(problem('in-flight', undefined, { retryAfterSeconds: 1 }))
}

/** The embedded database has one server: requests in flight at its start died with the previous process. Call it before listening only. */
export const releaseAbandonedKeys = async (db: Db): Promise<void> => {
  await db.deleteFrom('idempotency_keys').where('state', '=', 'in-flight').execute()
}

/** Deletes answers older than their storage time. */
export const purgeIdempotencyKeys = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const before = new Date(clock().getTime() - keptDays * 24 * 60 * 60 * 1000)
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
