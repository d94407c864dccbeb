import { sql } from 'kysely'
import type { TaxPart } from '#domain/pricing/tax-parts.ts'
import type { Transaction } from '#server/database/database.ts'
import type { OrderKey } from './sold-lines.ts'

/** Writes the parts of a charge or refund, which must add up to its amount. */
export const insertLedgerTaxes = async (
  tx: Transaction,
  { studioId, ledgerId }: { studioId: number; ledgerId: number },
  parts: readonly TaxPart[],
): Promise<void> => {
  const rows = parts.map(({ rate, goodsCents, taxCents }) => ({
    ...{ studio_id: studioId, ledger_id: ledgerId },
    ...{ rate_millionths: rate, goods_cents: goodsCents, tax_cents: taxCents },
  }))
  if (rows.length > 0) await tx.insertInto('ledger_taxes').values(rows).execute()
}

/** The parts of what was paid for an order and is not refunded, nor going to be: what a refund of the rest consists of. */
export const readPaidTaxParts = async (tx: Transaction, { studioId, orderId }: OrderKey): Promise<TaxPart[]> => {
  const { rows } = await sql<TaxPart>`
    select t.rate_millionths as rate, sum(p.sign * t.goods_cents)::int as "goodsCents", sum(p.sign * t.tax_cents)::int as "taxCents"
      from (select l.studio_id, l.id, case l.kind when 'charge' then 1 else -1 end as sign from ledger l
             where l.studio_id = ${studioId} and l.order_id = ${orderId}
               and case l.kind when 'charge' then l.state = 'done' else l.state <> 'failed' end) p
      join ledger_taxes t on t.studio_id = p.studio_id and t.ledger_id = p.id
     group by t.rate_millionths order by t.rate_millionths desc`.execute(tx)
  return rows
}
