import { array, type Infer, is, max, min, number, optional, string, type } from 'superstruct'
import { sumCents, toCents, toDollars } from '#domain/pricing/money.ts'
import type { CalculatedTax } from '#domain/pricing/pricing.ts'
import type { Db, Log } from '../database/database.ts'
import type { Tax, TaxRequest } from '../ports/tax.ts'
import { type JsonService, postJson } from './json-service.ts'

/** The response of a calculation: tax per line, in decimal dollars; `effectiveRate` is a fraction, one for each jurisdiction. */
const TaxLine = type({
  lineItemId: string(),
  totalTax: number(),
  taxes: optional(array(type({ effectiveRate: max(min(number(), 0), 1) }))),
})
const TaxResponse = type({ data: type({ lineItems: array(TaxLine) }) })

/** The id of the line for shipping. */
const shippingLineId = 'shipping'

/** Builds a quotation request in the shape of Vertex O Series' "calculate tax as a seller" (`/v2/supplies`). */
const buildQuotation = ({ state, zip, goods, shippingCents, at }: TaxRequest) => ({
  saleMessageType: 'QUOTATION',
  documentDate: at.toISOString().slice(0, 10),
  currency: { isoCurrencyCodeAlpha: 'USD' },
  customer: { destination: { mainDivision: state.trim().toUpperCase(), postalCode: zip.trim(), country: 'US' } },
  lineItems: [
    ...goods.map(({ taxClass, cents }, index) => ({
      lineItemId: String(index),
      product: { productClass: taxClass },
      extendedPrice: toDollars(cents),
    })),
    { lineItemId: shippingLineId, product: { productClass: 'shipping' }, extendedPrice: toDollars(shippingCents) },
  ],
})

type TaxedAmount = { readonly cents: number; readonly taxCents: number }

/** The rate of amounts in millionths, to a hundredth of a percent, at most 100 %: a rounded cent of a small amount may be more. */
const rateOf = (amounts: readonly TaxedAmount[]): number => {
  const cents = sumCents(amounts.map((amount) => amount.cents))
  const taxCents = sumCents(amounts.map((amount) => amount.taxCents))
  return cents === 0 ? 0 : Math.min(1_000_000, Math.round((taxCents * 10_000) / cents) * 100)
}

/** The sum of the rates of all jurisdictions in millionths; undefined if the response has none. */
const statedRate = ({ taxes }: Infer<typeof TaxLine>): number | undefined =>
  taxes && taxes.length > 0
    ? Math.round(taxes.reduce((sum, { effectiveRate }) => sum + effectiveRate, 0) * 1_000_000)
    : undefined

const readTax = ({ data }: Infer<typeof TaxResponse>, { goods, shippingCents }: TaxRequest): CalculatedTax => {
  const lineOf = (id: string, cents: number) => {
    const line = data.lineItems.find(({ lineItemId }) => lineItemId === id)
    if (!line || line.totalTax < 0) throw new Error('the response of the tax service lacks a line')
    return { cents, taxCents: toCents(line.totalTax), rate: statedRate(line) }
  }
  const lines = goods.map(({ taxClass, cents }, index) => ({ taxClass, ...lineOf(String(index), cents) }))
  const shipping = lineOf(shippingLineId, shippingCents)
  return {
    goodsCents: sumCents(lines.map(({ taxCents }) => taxCents)),
    shippingCents: shipping.taxCents,
    // Without stated rates, one for each class, because a single line has too few cents of tax to tell its rate.
    goodsRates: lines.map(({ taxClass, rate }) => rate ?? rateOf(lines.filter((line) => line.taxClass === taxClass))),
    shippingRate: shipping.rate ?? rateOf([shipping]),
  }
}

type HttpTaxOptions = { service: JsonService; table: Tax; db: Db; log: Log; now: () => number }
type LogEntry = { answer: unknown; status: number | null; error: string | null; startedAt: number }

/**
 * Tax by an external service; each request is stored in the tax log. If the service fails, the rates table is the
 * fallback, so that no order waits for it.
 */
export const httpTax = ({ service, table, db, log, now }: HttpTaxOptions): Tax => {
  const logRequest = async (request: TaxRequest, { answer, status, error, startedAt }: LogEntry): Promise<void> => {
    await db
      .insertInto('tax_log')
      .values({
        studio_id: request.studioId,
        checkout_id: request.checkoutId,
        repeats_id: request.repeatsId ?? null,
        request: JSON.stringify(buildQuotation(request)),
        answer: answer === null ? null : JSON.stringify(answer),
        status,
        error,
        duration_ms: now() - startedAt,
        created_at: new Date(startedAt),
      })
      .execute()
  }
  return {
    quote: async (request) => {
      const startedAt = now()
      let response: { status: number; body: unknown } | undefined
      try {
        response = await postJson(service, buildQuotation(request))
        if (response.status >= 400) throw new Error(`the tax service answered ${response.status}`)
        if (!is(response.body, TaxResponse)) throw new Error('the response of the tax service is not valid')
        const tax = readTax(response.body, request)
        await logRequest(request, { answer: response.body, status: response.status, error: null, startedAt })
        return tax
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        log.warn({ err: error }, 'the tax service failed; the tax is from the rates table')
        await logRequest(request, {
          answer: response?.body ?? null,
          status: response?.status ?? null,
          error: message,
          startedAt,
        })
        return await table.quote(request)
      }
    },
  }
}
