import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/** The message for a payment of a declined attempt. It belongs to no order, so it has to be refunded at the provider. */
export const latePaymentMessage = 'A payment went through after it was abandoned: it has no order and must be refunded'

/** A problem with a customer's money, for staff to resolve. */
export type OrderError = {
  readonly studioId: number
  readonly jobId: number
  readonly orderNumber: string | null
  readonly stage: 'payment' | 'refund'
  /** A full sentence. */
  readonly message: string
  /** The payment attempt or refund that failed. */
  readonly attemptOrRefundId: string
  readonly amountCents: number
}

/** Reports an error to staff, once per studio, stage, message and payment attempt or refund. */
export const reportOrderError = async (tx: Transaction, { clock }: Deps, error: OrderError): Promise<void> => {
  const { studioId, jobId, orderNumber, stage, message, attemptOrRefundId, amountCents } = error
  await sql`
    insert into order_errors (studio_id, job_id, order_number, stage, message, detail, created_at)
    select ${studioId}::bigint, ${jobId}::bigint, ${orderNumber}::text, ${stage}::text, ${message}::text,
           ${JSON.stringify({ about: attemptOrRefundId, amountCents })}::jsonb, ${clock()}::timestamptz
     where not exists (
       select from order_errors
        where studio_id = ${studioId}::bigint and stage = ${stage}::text and message = ${message}::text
          and detail ->> 'about' = ${attemptOrRefundId}::text)`.execute(tx)
}
