import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sumCents } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import type { Deps } from '#server/deps.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given, type JobKey } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import '#support/seeded-properties.ts'
import { reportClient } from './report-client.ts'
import { createPackage, type Movement, type SoldLine, sellOrder } from './sell-order.ts'

const isLong = process.env.LONG === '1'
const timeout = isLong ? 7_200_000 : 600_000

/** Zones with clock changes at midnight, at 2 am and at other times, by half an hour, and without any. */
const timeZones = ['America/New_York', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Beirut', 'Pacific/Kiritimati']

/** Around the clock changes of these zones and the ends of a month and of two years. */
const edges = [
  ...['2027-03-14T07:00:00Z', '2027-11-07T05:00:00Z', '2027-10-02T15:30:00Z', '2027-04-03T15:00:00Z'],
  ...[
    '2027-03-27T22:00:00Z',
    '2027-10-30T21:00:00Z',
    '2027-12-31T12:00:00Z',
    '2028-01-01T00:00:00Z',
    '2028-02-29T12:00:00Z',
  ],
]

const cents = fc.integer({ min: 1, max: 20_000 })
const moment = fc
  .tuple(fc.constantFrom(...edges), fc.integer({ min: -40 * 60, max: 40 * 60 }))
  .map(([edge, minutes]) => new Date(Date.parse(edge) + minutes * 60_000).toISOString())

const line = fc
  .record({ cents, quantity: fc.integer({ min: 1, max: 3 }), discount: fc.nat(100), tax: fc.nat(900), kind: fc.nat(2) })
  .map((drawn) => ({ ...drawn, discount: Math.floor((drawn.cents * drawn.quantity * drawn.discount) / 100) }))

const movement = fc.record({
  cents,
  at: moment,
  isRefund: fc.boolean(),
  state: fc.constantFrom('done', 'done', 'done', 'pending', 'failed'),
  provider: fc.constantFrom('test', 'cash', 'check'),
  fee: fc.nat(50),
})

/** An order whose payments need not agree with its lines, as after reductions, partial refunds and additions. */
const order = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  shipping: fc.constantFrom(0, 695),
  shippingTax: fc.constantFrom(0, 41),
  lateFee: fc.constantFrom(0, 250),
  isFree: fc.boolean(),
  usState: fc.constantFrom('OH', 'OR', ''),
  promotion: fc.constantFrom('SAVE10', undefined),
  placedAt: moment,
  first: cents,
  movements: fc.array(movement, { maxLength: 4 }),
})
type DrawnOrder = typeof order extends fc.Arbitrary<infer Value> ? Value : never

type Catalogue = { job: JobKey; packageId: number; subjectId: number }

const linesOf = ({ lines, isFree }: DrawnOrder, { packageId, subjectId }: Catalogue): SoldLine[] =>
  lines.map(({ kind, ...drawn }, index) => ({
    ...{ name: `Part ${index}`, cents: drawn.cents, quantity: drawn.quantity },
    ...(isFree
      ? { discountCents: drawn.cents * drawn.quantity }
      : { discountCents: drawn.discount, taxCents: drawn.tax }),
    ...(kind > 0 && { packageId, productCodes: ['a', 'b', 'c'].slice(0, kind + 1) }),
    subjectId: kind === 1 ? subjectId : null,
  }))

const movementsOf = ({ first, placedAt, movements }: DrawnOrder): Movement[] => [
  { kind: 'charge', cents: first, at: placedAt, feeCents: 3 },
  ...movements.map(({ isRefund, fee, state, provider, ...drawn }) => ({
    ...drawn,
    ...{ kind: isRefund ? ('refund' as const) : ('charge' as const), feeCents: Math.min(fee, drawn.cents) },
    ...{ state: state as 'done', provider: provider as 'test' },
  })),
]

const sell = async (deps: Deps, drawn: DrawnOrder, catalogue: Catalogue): Promise<void> => {
  await sellOrder(deps, {
    job: catalogue.job,
    ...{ placedAt: drawn.placedAt, usState: drawn.usState },
    lines: linesOf(drawn, catalogue),
    ...(!drawn.isFree && { shippingCents: drawn.shipping, shippingTaxCents: drawn.shippingTax }),
    ...(!drawn.isFree && drawn.lateFee > 0 && { lateFeeCents: drawn.lateFee, lateTaxCents: 17 }),
    ...(drawn.promotion && { promotionCode: drawn.promotion }),
    movements: movementsOf(drawn),
  })
}

/** The column of each report whose sum is charges less refunds. */
const netColumns = {
  payments: 'amount',
  'sales-by-job': 'net',
  'sales-by-package': 'net',
  'sales-by-product': 'net',
  'sales-by-promotion': 'net',
  taxes: 'net',
  subjects: 'spent',
} as const

const dayMs = 86_400_000
const firstDay = Date.parse('2027-01-01T00:00:00Z')

/** The periods between these days of the years 2027 and 2028, without a gap; the first and the last are open. */
const periodsBetween = (days: readonly number[]) => {
  const starts = [...new Set(days)].toSorted((a, b) => a - b)
  const at = (day: number) => formatDate(new Date(firstDay + day * dayMs))
  return [
    { endDate: at((starts[0] ?? 0) - 1) },
    ...starts.map((start, index) => {
      const next = starts[index + 1]
      return { startDate: at(start), ...(next !== undefined && { endDate: at(next - 1) }) }
    }),
  ]
}

const ledgerSum = async ({ db }: Deps): Promise<number> => {
  const rows = await db.selectFrom('ledger').select(['kind', 'amount_cents']).where('state', '=', 'done').execute()
  return sumCents(rows.map((row) => (row.kind === 'refund' ? -row.amount_cents : row.amount_cents)))
}

describe.each(enginesFor(import.meta.filename))('sums of reports on $name', { timeout }, (engine) => {
  const database = freshDatabase(engine)

  it('over any partition of time, in any time zone, each report adds up to the ledger', async () => {
    const case_ = fc.record({
      zone: fc.constantFrom(...timeZones),
      orders: fc.array(order, { minLength: 1, maxLength: 4 }),
      days: fc.array(fc.integer({ min: 60, max: 430 }), { minLength: 1, maxLength: 5 }),
    })
    // One app for all runs: two thousand would fill the memory.
    const deps = testDeps(database())
    const app = await testApp(deps)
    await fc.assert(
      fc.asyncProperty(case_, async ({ zone, orders, days }) => {
        await database().clear()
        const studioId = await given(deps).studio({ time_zone: zone })
        await given(deps).feature(studioId, 'reports')
        const job = await given(deps).job(studioId)
        const packageId = await createPackage(deps, studioId, 'Deluxe')
        const subjectId = await given(deps).subject(job, { name: 'Ada Lovelace' })
        for (const drawn of orders) await sell(deps, drawn, { job, packageId, subjectId })
        const { preview } = await reportClient(deps, app, studioId)
        const expected = await ledgerSum(deps)
        for (const [report, column] of Object.entries(netColumns)) {
          const sums: number[] = []
          for (const period of periodsBetween(days)) {
            const query = { ...period, ...(report === 'subjects' && { jobId: String(job.jobId) }) }
            sums.push((await preview(report, query)).totals[column])
          }
          expect([report, sumCents(sums)]).toEqual([report, expected])
        }
      }),
      { numRuns: isLong ? 2000 : 12 },
    )
  })
})
