import { sql } from 'kysely'
import { maxResolvedErrors } from '#contract/system/order-errors.ts'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { resendLoggedMail } from '../logs/call-logs.ts'
import { type ErrorKey, errorRows, isError } from './order-error-rows.ts'
import { type ErrorSelection, newestErrors, selectedErrors } from './read-order-errors.ts'

type OpenError = ErrorKey & {
  readonly kind: string
  readonly orderNumber: string | null
  readonly canRetry: boolean
  readonly detail: { readonly about?: string; readonly packetId?: number } | null
}

export type ErrorsToResolve = {
  readonly errors?: readonly ErrorKey[] | undefined
  readonly all?: ErrorSelection | undefined
}

const gone = 'This is resolved already'
const needsPerson =
  'A retry cannot resolve this: see the order, and ignore the error with a reason once it is dealt with'

const readOpenError = async (tx: Transaction, key: ErrorKey): Promise<OpenError | undefined> => {
  const { rows } = await sql<OpenError>`
    select x.source, x.id, x.studio_id as "studioId", x.kind, x.order_number as "orderNumber", x.can_retry as "canRetry", x.detail
      from ${errorRows} where ${isError(key)} and x.resolved_at is null`.execute(tx)
  return rows[0]
}

/** The errors of a request, and how many more match it. */
const readRequested = async (deps: Deps, { errors, all }: ErrorsToResolve) => {
  if (errors) return { keys: errors, remaining: 0 }
  const { rows } = await sql<ErrorKey & { total: number }>`
    select x.source, x.id, x.studio_id as "studioId", count(*) over () as total ${selectedErrors(all ?? {})}
     order by ${newestErrors} limit ${maxResolvedErrors}`.execute(deps.db)
  return { keys: rows, remaining: Math.max(0, (rows[0]?.total ?? 0) - rows.length) }
}

/** Marks an error as resolved. `userId` is null if it was resolved by a retry. */
const markResolved = async (
  tx: Transaction,
  deps: Deps,
  { error: { source, id, studioId }, userId, reason }: { error: ErrorKey; userId: number; reason: string },
): Promise<void> => {
  const now = deps.clock()
  if (source === 'order')
    await tx
      .updateTable('order_errors')
      .set({ resolved_at: now, resolved_by: userId, resolution: reason })
      .where('id', '=', id)
      .where('resolved_at', 'is', null)
      .execute()
  else
    await tx
      .insertInto('ignored_errors')
      .values({ source, source_id: id, studio_id: studioId, ignored_by: userId, reason, ignored_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

const audit = (
  tx: Transaction,
  deps: Deps,
  {
    action,
    error,
    user,
    detail = {},
  }: { action: 'retried' | 'ignored'; error: OpenError; user: User; detail?: object },
): Promise<void> =>
  recordAudit(tx, deps, {
    studioId: error.studioId,
    action: `order-error.${action}`,
    entityId: `${error.source} ${error.id}`,
    detail: { kind: error.kind, orderNumber: error.orderNumber, ...detail },
    userId: user.id,
  })

type Retry = (tx: Transaction, deps: Deps, error: OpenError & { studioId: number }) => Promise<void>

/** How the work behind an error is started again, by the kind of error. Emails are sent outside of a transaction. */
const retries: Readonly<Record<string, Retry>> = {
  payment: (tx, { jobs }, { studioId, detail }) =>
    jobs.enqueue(tx, 'reconcile-payment', { studioId, attemptId: detail?.about ?? '' }),
  refund: async (tx, { jobs }, { studioId, detail }) => {
    const refund = await tx
      .selectFrom('ledger')
      .select('id')
      .where('studio_id', '=', studioId)
      .where('idempotency_key', '=', detail?.about ?? '')
      .executeTakeFirstOrThrow()
    await jobs.enqueue(tx, 'settle-refund', { studioId, refundLedgerId: refund.id })
  },
  packet: (tx, { jobs }, { studioId, detail }) =>
    jobs.enqueue(tx, 'make-packet', { studioId, packetId: detail?.packetId ?? 0 }),
  download: async (tx, { jobs }, { studioId, orderNumber }) => {
    const order = await tx
      .selectFrom('orders')
      .select('id')
      .where('studio_id', '=', studioId)
      .where('order_number', '=', orderNumber ?? '')
      .executeTakeFirstOrThrow()
    await jobs.enqueue(tx, 'compose-downloads', { studioId, orderId: order.id })
  },
  image: async (tx, { jobs, clock }, { studioId, id }) => {
    await tx
      .updateTable('image_lookups')
      .set({ state: 'processing', refusal: null, updated_at: clock() })
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .where('state', '=', 'refused')
      .execute()
    await jobs.enqueue(tx, 'make-variants', { studioId, imageId: id })
  },
}

/** Sends an email again. The log has the new email; the failed one is resolved by it. */
const retryEmail = async (deps: Deps, error: OpenError, user: User): Promise<string | undefined> => {
  const sent = await resendLoggedMail(deps, { id: error.id, user })
  if (sent instanceof Problem) return sent.details.messages.join(' ')
  await inTransaction(deps.db, (tx) => markResolved(tx, deps, { error, userId: user.id, reason: 'Sent again' }))
  return undefined
}

const retryOne = async (deps: Deps, key: ErrorKey, user: User): Promise<string | undefined> => {
  const error = await inTransaction(deps.db, (tx) => readOpenError(tx, key))
  if (!error) return gone
  if (!error.canRetry) return needsPerson
  if (error.kind === 'email') return await retryEmail(deps, error, user)
  const retry = retries[error.kind]
  const { studioId } = error
  if (!retry || studioId === null) return needsPerson
  await inTransaction(deps.db, async (tx) => {
    await retry(tx, deps, { ...error, studioId })
    // A download that fails again is reported again.
    if (error.kind === 'download') await markResolved(tx, deps, { error, userId: user.id, reason: 'Retried' })
    await audit(tx, deps, { action: 'retried', error, user })
  })
  return undefined
}

/** Resolves each of the requested errors; one that cannot be resolved does not prevent the others. */
const resolveEach = async (
  deps: Deps,
  requested: ErrorsToResolve,
  resolveOne: (key: ErrorKey) => Promise<string | undefined>,
) => {
  const { keys, remaining } = await readRequested(deps, requested)
  const refusals: (ErrorKey & { message: string })[] = []
  for (const { source, id, studioId } of keys) {
    const key = { source, id, studioId }
    const message = await resolveOne(key)
    if (message !== undefined) refusals.push({ ...key, message })
  }
  return { done: keys.length - refusals.length, refusals, remaining }
}

/** Starts the failed work of each error again. */
export const retryErrors = (deps: Deps, requested: ErrorsToResolve, user: User) =>
  resolveEach(deps, requested, (key) => retryOne(deps, key, user))

/** Ignores errors for a reason. */
export const ignoreErrors = async (
  deps: Deps,
  { reason, ...requested }: ErrorsToResolve & { readonly reason: string },
  user: User,
) => {
  const trimmed = reason.trim()
  if (!trimmed) return problem('refused', fixFieldsMessage, { fields: { reason: [validationMessages.required] } })
  return await resolveEach(deps, requested, (key) =>
    inTransaction(deps.db, async (tx) => {
      const error = await readOpenError(tx, key)
      if (!error) return gone
      await markResolved(tx, deps, { error, userId: user.id, reason: trimmed })
      await audit(tx, deps, { action: 'ignored', error, user, detail: { reason: trimmed } })
      return undefined
    }),
  )
}

/**
 * Resolves the errors whose cause is gone: the outcome of the payment is known, the refund was made, the packet is ready, was recalled or has
 * failed for another reason since.
 */
export const resolveHealedErrors = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  await sql`
    update order_errors e set resolved_at = ${clock()}, resolution = 'Resolved by itself'
     where e.resolved_at is null and case e.stage
       when 'payment' then exists (
         select from payment_attempts a
          where a.studio_id = e.studio_id and a.id::text = e.detail ->> 'about' and a.settled_at > e.created_at)
       when 'refund' then exists (
         select from ledger r
          where r.studio_id = e.studio_id and r.idempotency_key = e.detail ->> 'about' and r.state = 'done')
       when 'packet' then not exists (
         select from packets p
          where p.studio_id = e.studio_id and p.id = (e.detail ->> 'packetId')::bigint and p.state not in ('ready', 'sent'))
         or exists (
         select from order_errors l
          where l.studio_id = e.studio_id and l.stage = 'packet' and l.id > e.id
            and l.detail ->> 'packetId' = e.detail ->> 'packetId')
       else false end`.execute(db)
}
