import { sql } from 'kysely'
import { millionthsOfCents, sumCents, timesCents } from '#domain/pricing/money.ts'
import type { Db } from '../database/database.ts'
import type { Tax, TaxRequest } from '../ports/tax.ts'

type Rate = { tax_class: string; rate_millionths: number }

/** Reads the valid rates of an address: for each class the newest rate of the longest matching ZIP prefix. */
const readRates = async (db: Db, { state, zip, at }: TaxRequest): Promise<Map<string, number>> => {
  const { rows } = await sql<Rate>`
    select distinct on (tax_class) tax_class, rate_millionths from tax_rates
     where country = 'US' and region = ${state.trim().toUpperCase()} and starts_with(${zip.trim()}, postal_prefix)
       and valid_from <= ${at.toISOString().slice(0, 10)}::date
     order by tax_class, length(postal_prefix) desc, valid_from desc`.execute(db)
  return new Map(rows.map((row) => [row.tax_class, row.rate_millionths]))
}

/** Tax by the rates table. A class without a rate is taxed as standard goods. Without a rate of its own, shipping is not taxed. */
export const taxTable = (db: Db): Tax => ({
  quote: async (request) => {
    const rates = await readRates(db, request)
    const rateOf = (taxClass: string): number => rates.get(taxClass) ?? rates.get('standard') ?? 0
    const goodsRates = request.goods.map(({ taxClass }) => rateOf(taxClass))
    const shippingRate = rates.get('shipping') ?? 0
    const products = request.goods.map(({ cents }, index) => timesCents(cents, goodsRates[index] ?? 0))
    return {
      // Rounds once, over all items.
      goodsCents: millionthsOfCents(sumCents(products), 1),
      shippingCents: millionthsOfCents(request.shippingCents, shippingRate),
      ...{ goodsRates, shippingRate },
    }
  },
})
