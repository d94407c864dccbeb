import { array, type Infer, is, number, string, type } from 'superstruct'
import { sumCents, toCents, toDollars } from '#domain/pricing/money.ts'
import type { TaxCents } from '#domain/pricing/pricing.ts'
import type { Db, Log } from '../database/database.ts'
import type { Tax, TaxRequest } from '../ports/tax.ts'
import { type JsonService, postJson } from './json-service.ts'

/** The response of a calculation: tax per line, in decimal dollars. */
const Calculated = type({ data: type({ lineItems: array(type({ lineItemId: string(), totalTax: number() })) }) })

/** The id of the line for shipping. */
const shippingId = 'shipping'

/** A quotation in the shape of Vertex O Series' "calculate tax as a seller" (`/v2/supplies`). */
const quotation = ({ state, zip, goods, shippingCents, at }: TaxRequest) => ({
  saleMessageType: 'QUOTATION',
  documentDate: at.toISOString().slice(0, 10),
  currency: { isoCurrencyCodeAlpha: 'USD' },
  customer: { destination: { mainDivision: state.trim().toUpperCase(), postalCode: zip.trim(), country: 'US' } },
  lineItems: [
    ...goods.map(({ taxClass, cents }, at) => ({
      lineItemId: String(at),
      product: { productClass: taxClass },
      extendedPrice: toDollars(cents),
    })),
    { lineItemId: shippingId, product: { productClass: 'shipping' }, extendedPrice: toDollars(shippingCents) },
  ],
})

const taxOf = ({ data }: Infer<typeof Calculated>, { goods }: TaxRequest): TaxCents => {
  const cents = new Map(data.lineItems.map(({ lineItemId, totalTax }) => [lineItemId, toCents(totalTax)]))
  const of = (id: string): number => {
    const found = cents.get(id)
    if (found === undefined || found < 0) throw new Error('the tax service left a line out')
    return found
  }
  return { goodsCents: sumCents(goods.map((_, at) => of(String(at)))), shippingCents: of(shippingId) }
}

type Parts = { service: JsonService; table: Tax; db: Db; log: Log; now: () => number }
type Entry = { answer: unknown; status: number | null; error: string | null; since: number }

/**
 * Tax by an external service; each request is in the tax log. Where it does not answer, the rates table is the fallback, so that no order
 * waits for it.
 */
export const httpTax = ({ service, table, db, log, now }: Parts): Tax => {
  const keep = async (request: TaxRequest, { answer, status, error, since }: Entry): Promise<void> => {
    await db
      .insertInto('tax_log')
      .values({
        studio_id: request.studioId,
        checkout_id: request.checkoutId,
        request: JSON.stringify(quotation(request)),
        answer: answer === null ? null : JSON.stringify(answer),
        status,
        error,
        duration_ms: now() - since,
        created_at: new Date(since),
      })
      .execute()
  }
  return {
    quote: async (request) => {
      const since = now()
      let heard: { status: number; body: unknown } | undefined
      try {
        heard = await postJson(service, quotation(request))
        if (heard.status >= 400) throw new Error(`the tax service answered ${heard.status}`)
        if (!is(heard.body, Calculated)) throw new Error('the tax service answered something that cannot be read')
        const tax = taxOf(heard.body, request)
        await keep(request, { answer: heard.body, status: heard.status, error: null, since })
        return tax
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error)
        log.warn({ err: error }, 'the tax service did not answer; tax is by the table')
        await keep(request, { answer: heard?.body ?? null, status: heard?.status ?? null, error: words, since })
        return await table.quote(request)
      }
    },
  }
}
