import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'

/** What went wrong with somebody's money, for staff to see and settle. */
export type OrderError = {
  readonly studioId: number
  readonly jobId: number
  readonly orderNumber: string | null
  readonly stage: 'payment' | 'refund'
  /** A sentence. */
  readonly message: string
  /** The attempt or the refund it is about. */
  readonly about: string
  readonly amountCents: number
}

/** Shows an error to staff, once for each sentence about the same payment or refund. */
export const reportOrderError = async (tx: Transaction, { clock }: Deps, error: OrderError): Promise<void> => {
  const { studioId, jobId, orderNumber, stage, message, about, amountCents } = error
  await sql`
    insert into order_errors (studio_id, job_id, order_number, stage, message, detail, created_at)
    select ${studioId}::bigint, ${jobId}::bigint, ${orderNumber}::text, ${stage}::text, ${message}::text,
           ${JSON.stringify({ about, amountCents })}::jsonb, ${clock()}::timestamptz
     where not exists (
       select from order_errors
        where studio_id = ${studioId}::bigint and stage = ${stage}::text and message = ${message}::text
          and detail ->> 'about' = ${about}::text)`.execute(tx)
}
