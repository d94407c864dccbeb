import { sql } from 'kysely'
import { runInOrder } from './run-in-order.ts'

/** Credit notes of refunds. */
export const createCreditNotes = runInOrder([
  // A refund gets one when it is made. The numbers of a studio and year have no gaps, and none is given twice.
  sql`create table credit_notes (
    studio_id bigint not null,
    refund_id bigint not null,
    year integer not null,
    position integer not null check (position > 0),
    number text not null generated always as (
      'CN-' || year::text || '-' || lpad(position::text, greatest(6, length(position::text)), '0')
    ) stored,
    issued_at timestamptz not null,
    primary key (studio_id, refund_id),
    unique (studio_id, year, position),
    foreign key (studio_id, refund_id) references ledger (studio_id, id)
  )`,
])
