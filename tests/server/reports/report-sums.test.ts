import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { sumCents } from '#domain/pricing/money.ts'
import type { TaxPart } from '#domain/pricing/tax-parts.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { accrueAllCommissions } from '#server/commissions/accrue-commissions.ts'
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
  taxPermille: fc.integer({ min: 1, max: 90 }),
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

/** A part at a rate, and a part without tax. */
const partsOf = (cents: number, taxPermille: number): TaxPart[] => {
  const taxed = Math.floor(cents / 2)
  const taxCents = Math.floor((taxed * taxPermille) / 1000)
  return [
    { rate: taxPermille * 1000, goodsCents: taxed - taxCents, taxCents },
    { rate: 0, goodsCents: cents - taxed, taxCents: 0 },
  ]
}

const movementsOf = ({ first, placedAt, movements }: DrawnOrder): Movement[] => [
  { kind: 'charge', cents: first, at: placedAt, feeCents: 3 },
  ...movements.map(({ isRefund, fee, state, provider, taxPermille, ...drawn }) => ({
    ...drawn,
    taxParts: partsOf(drawn.cents, taxPermille),
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

/** The sums of the ledger: charges less refunds, refunds, the platform’s fees, tax; and the commissions of the organization. */
type Sums = { net: number; refunds: number; fees: number; tax: number; commissions: number }

/** The columns of each report, and the sum that each adds up to. */
const studioColumns: Readonly<Record<string, Readonly<Record<string, keyof Sums>>>> = {
  payments: { amount: 'net', fee: 'fees' },
  refunds: { amount: 'refunds' },
  'sales-by-job': { net: 'net' },
  'sales-by-package': { net: 'net' },
  'sales-by-product': { net: 'net' },
  'sales-by-promotion': { net: 'net' },
  taxes: { net: 'net', tax: 'tax' },
  commissions: { commission: 'commissions' },
  subjects: { spent: 'net' },
}
const platformColumns: typeof studioColumns = {
  orders: { net: 'net' },
  taxes: { net: 'net', tax: 'tax' },
  revenue: { amount: 'net', fee: 'fees' },
  commissions: { fee: 'fees' },
  refunds: { amount: 'refunds' },
}

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

const readSums = async ({ db }: Deps): Promise<Sums> => {
  const rows = await db.selectFrom('ledger').selectAll().where('state', '=', 'done').execute()
  const taxes = await db.selectFrom('ledger_taxes').selectAll().execute()
  const entries = await db.selectFrom('commission_entries').select('commission_cents').execute()
  const sum = (amountOf: (row: (typeof rows)[number]) => number) =>
    sumCents(rows.map((row) => (row.kind === 'refund' ? -amountOf(row) : amountOf(row))))
  return {
    net: sum((row) => row.amount_cents),
    refunds: sum((row) => (row.kind === 'refund' ? row.amount_cents : 0)),
    fees: sum((row) => row.platform_fee_cents),
    tax: sum(({ id }) => sumCents(taxes.filter((part) => part.ledger_id === id).map((part) => part.tax_cents))),
    commissions: sumCents(entries.map((entry) => entry.commission_cents)),
  }
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
        const organizationId = await given(deps).organization(studioId)
        const job = await given(deps).job(studioId, { organization_id: organizationId })
        const rate = { studio_id: studioId, organization_id: organizationId, starts_on: '2026-01-01' }
        await deps.db
          .insertInto('commission_rates')
          .values({ ...rate, kind: 'percent', basis_points: 1250 })
          .execute()
        const packageId = await createPackage(deps, studioId, 'Deluxe')
        const subjectId = await given(deps).subject(job, { name: 'Ada Lovelace' })
        for (const drawn of orders) await sell(deps, drawn, { job, packageId, subjectId })
        await accrueAllCommissions(deps)
        const { preview, previewPlatform } = await reportClient(deps, app, studioId)
        const expected = await readSums(deps)
        const expectSums = async (columns: typeof studioColumns, read: typeof preview) => {
          for (const [report, sums] of Object.entries(columns)) {
            const pages: { totals: Record<string, number> }[] = []
            for (const period of periodsBetween(days)) {
              const query = { ...period, ...(report === 'subjects' && { jobId: String(job.jobId) }) }
              pages.push(await read(report, query))
            }
            for (const [column, sum] of Object.entries(sums))
              expect([report, column, sumCents(pages.map(({ totals }) => totals[column] ?? 0))]).toEqual([
                ...[report, column, expected[sum]],
              ])
          }
        }
        await expectSums(studioColumns, preview)
        await expectSums(platformColumns, previewPlatform)
        // One cent in one row of the ledger is a difference: the report adds up the parts by rate. The first payment of an order is done.
        const { numAffectedRows } = await sql`update ledger set amount_cents = amount_cents + 1
          where id = (select min(id) from ledger where kind = 'charge' and state = 'done')`.execute(deps.db)
        expect(numAffectedRows).toBe(1n)
        expect((await readSums(deps)).net).toBe(expected.net + 1)
        expect((await preview('taxes')).totals.net).toBe(expected.net)
      }),
      { numRuns: isLong ? 2000 : 12 },
    )
  })
})
