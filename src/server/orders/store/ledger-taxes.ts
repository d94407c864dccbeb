import { sql } from 'kysely'
import type { TaxPart } from '#domain/pricing/tax-parts.ts'
import type { Transaction } from '#server/database/database.ts'
import type { OrderKey } from './sold-lines.ts'

/** Writes the parts of a charge or refund. They add up to its amount; those of an order that was changed may be negative. */
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

/** The parts of a charge or refund. */
export const readTaxParts = async (
  tx: Transaction,
  { studioId, ledgerId }: { studioId: number; ledgerId: number },
): Promise<TaxPart[]> =>
  await tx
    .selectFrom('ledger_taxes')
    .select(['rate_millionths as rate', 'goods_cents as goodsCents', 'tax_cents as taxCents'])
    .where('studio_id', '=', studioId)
    .where('ledger_id', '=', ledgerId)
    .execute()

/**
 * The parts of what was paid for an order and is not refunded, nor going to be: what a refund of the rest consists of. A payment without parts
 * counts as untaxed.
 */
export const readPaidTaxParts = async (tx: Transaction, { studioId, orderId }: OrderKey): Promise<TaxPart[]> => {
  const { rows } = await sql<TaxPart>`
    select coalesce(t.rate_millionths, 0) as rate, sum(p.sign * coalesce(t.goods_cents, p.amount_cents))::int as "goodsCents",
           sum(p.sign * coalesce(t.tax_cents, 0))::int as "taxCents"
      from (select l.studio_id, l.id, l.amount_cents, case l.kind when 'charge' then 1 else -1 end as sign from ledger l
             where l.studio_id = ${studioId} and l.order_id = ${orderId}
               and case l.kind when 'charge' then l.state = 'done' else l.state <> 'failed' end) p
      left join ledger_taxes t on t.studio_id = p.studio_id and t.ledger_id = p.id
     group by 1 order by 1 desc`.execute(tx)
  return rows
}
