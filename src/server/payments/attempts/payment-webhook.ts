import { subHours } from 'date-fns/subHours'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { sendAnswer } from '#server/http/mount.ts'
import { answerOf, problem } from '#server/http/problem.ts'
import type { ProviderEvent } from '../port/payment-provider.ts'

const findStudio = async (tx: Transaction, { account }: ProviderEvent): Promise<number | null> => {
  if (account === null) return null
  const studio = await tx
    .selectFrom('studios')
    .select('id')
    .where('payment_account_id', '=', account)
    .executeTakeFirst()
  return studio?.id ?? null
}

/** Enqueues a query of the provider about an event. The event itself is not trusted: its ids may be foreign or malformed. */
const enqueueReconciliation = async (
  tx: Transaction,
  deps: Deps,
  { studioId, event }: { studioId: number; event: ProviderEvent },
): Promise<void> => {
  const { attemptId, refundId, account, changesStatement } = event
  if (changesStatement && account !== null) await deps.jobs.enqueue(tx, 'pull-statement', { studioId, account })
  const { rows: attempts } = await sql<{ attemptId: string }>`
    select id as "attemptId" from payment_attempts
     where studio_id = ${studioId} and id::text = ${attemptId} and (settled_at is null or state = 'declined')`.execute(
    tx,
  )
  for (const attempt of attempts) await deps.jobs.enqueue(tx, 'reconcile-payment', { studioId, ...attempt })
  const refunds = await tx
    .selectFrom('ledger')
    .select('id as refundLedgerId')
    .where('studio_id', '=', studioId)
    .where('idempotency_key', '=', refundId)
    .where('state', '<>', 'failed')
    .execute()
  for (const refund of refunds) await deps.jobs.enqueue(tx, 'settle-refund', { studioId, ...refund })
}

/** Stores an event once, however often it is sent, and enqueues the query of the provider. */
const receiveEvent = (deps: Deps, event: ProviderEvent): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const { id, kind, account, attemptId, refundId } = event
    const studioId = await findStudio(tx, event)
    const now = deps.clock()
    const inserted = await tx
      .insertInto('payment_events')
      .values({
        provider: deps.payment.name,
        event_id: id,
        studio_id: studioId,
        kind,
        // Store only ids: the rest of the body contains card and address data.
        body: JSON.stringify({ account, attemptId, refundId }),
        received_at: now,
        handled_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('event_id')
      .executeTakeFirst()
    if (inserted && studioId !== null) await enqueueReconciliation(tx, deps, { studioId, event })
  })

/** Mounts the provider's webhook. A signature covers the raw body. */
export const mountPaymentWebhook = (app: FastifyInstance, deps: Deps): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/api/payment-events', async ({ body, headers }, reply) => {
      if (!deps.paymentEvents) return sendAnswer(reply, answerOf(problem('not-found')))
      const event = Buffer.isBuffer(body) ? await deps.paymentEvents.read(body, headers) : undefined
      if (!event)
        return sendAnswer(reply, answerOf(problem('bad-request', 'This is not signed by the payment provider')))
      await receiveEvent(deps, event)
      return reply.code(200).header('cache-control', 'no-store').send()
    })
  })
}

const retentionDays = 90

/** Deletes events that are so old that the provider no longer sends them again. */
export const purgePaymentEvents = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> => {
  const cutoff = subHours(clock(), retentionDays * 24)
  await db.deleteFrom('payment_events').where('received_at', '<', cutoff).execute()
}
