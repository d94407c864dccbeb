import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { RowTexts } from '#server/file-responses/table-files.ts'
import { studioDefinitions } from '#server/reports/report-definitions.ts'
import { readReportRows } from '#server/reports/report-rows.ts'
import type { ReportScope } from '#server/reports/report-scope.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { sellOrder } from './sell-order.ts'
import { createSoldStudio } from './sold-studio.ts'

/** Names that need care in a file: quotes, separators, line breaks, formulas, control characters, and letters outside ASCII. */
const awkwardNames = [
  ...['Grace "Hopper"', 'Hopper, Grace', 'Grace\nHopper', 'Grace\r\nHopper', 'Grace\tHopper', "O'Hopper"],
  ...['=1+1 Hopper', '+1 Hopper', '-1 Hopper', '@sum Hopper', '\\N Hopper', '{a,NULL} Hopper', '"" Hopper'],
  ...['Grace\u001fHopper', 'Grace\u001f\u001f\u0002Hopper\u001f', 'Gräce Hoppér', 'グレース ホッパー', '👩‍🔬 Hopper'],
]

const readAll = async (...request: Parameters<typeof readReportRows>): Promise<RowTexts[]> => {
  const rows: RowTexts[] = []
  for await (const batch of readReportRows(...request)) rows.push(...batch)
  return rows
}

describe.each(enginesFor(import.meta.filename))('rows of reports on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A studio with payments and refunds of customers with awkward names, in both nights in which clocks change. */
  const setUp = async () => {
    const { deps, studioId, spring, exportFile } = await createSoldStudio(database())
    const nights = ['2027-03-14T04:59:59Z', '2027-03-14T07:00:00Z', '2027-11-07T05:30:00Z', '2027-11-07T06:30:00Z']
    for (const [index, customer] of awkwardNames.entries()) {
      const at = nights[index % nights.length] ?? ''
      await sellOrder(deps, {
        ...{ job: spring, placedAt: at, customer, lines: [{ name: customer, cents: 1_234_567 + index }] },
        movements: [
          { kind: 'charge', cents: 1_234_567 + index, at, feeCents: 3 },
          { kind: 'refund', cents: [1, 10, 99, 100][index % 4] ?? 1, at, feeCents: 0 },
        ],
      })
    }
    const scope = {
      studioId,
      jobId: null,
      startDay: null,
      endDay: null,
      timeZone: null,
      filter: null,
      now: deps.clock(),
    }
    return { deps, scope: scope satisfies ReportScope, spring, exportFile }
  }

  it.each([
    ['payments', 39],
    ['sales-by-package', 22],
    ['unfinished', 19],
    ['subjects', 3],
    ['yearbook', 2],
  ] as const)('the rows of the report %s for a file equal its columns read one by one', async (report, rowCount) => {
    const { deps, scope: studioScope, spring } = await setUp()
    const isOfJob = report === 'subjects' || report === 'yearbook'
    const scope = isOfJob ? { ...studioScope, jobId: spring.jobId } : studioScope
    const definition = studioDefinitions[report]
    const { columns, rows, order } = definition
    const read = await sql<Record<string, string | number | null>>`
      select r.* from (${rows(scope)}) r order by ${order}`.execute(deps.db)
    expect(read.rows).toHaveLength(rowCount)
    const expected = read.rows.map((row) => columns.map(({ key }) => String(row[key] ?? '')))
    expect(await readAll(deps, { definition, scope, columns })).toEqual(expected)
  })

  it('the file of the payments has each awkward name as a spreadsheet reads it, and exact amounts', async () => {
    const { exportFile } = await setUp()
    const lines = (await exportFile('payments', { startDate: '03/13/2027' })).body
    for (const name of [
      ...['"Grace ""Hopper"""', '"Hopper, Grace"', '"Grace\nHopper"', '"Grace\r\nHopper"', 'Grace\tHopper'],
      ...["'=1+1 Hopper", "'+1 Hopper", "'-1 Hopper", "'@sum Hopper", '\\N Hopper', '"{a,NULL} Hopper"'],
      ...['""""" Hopper"', 'Grace\u001fHopper', 'Gräce Hoppér'],
    ])
      expect(lines).toContain(`,${name},`)
    expect(lines).toContain(`,O'Hopper,12345.72,Charge,Card,Settled,12345.72,0.00,0.00,0.03,Spring,Lincoln Elementary,`)
    expect(lines).toContain(`,O'Hopper,-0.10,Refund,Card,Settled,-0.10,0.00,0.00,0.00,Spring,Lincoln Elementary,`)
  })

  it('a text with the mark between cells fails one export instead of moving its cells, and not the next one', async () => {
    const { deps, scope, spring } = await setUp()
    const lines = [{ name: 'Retouch', cents: 1 }]
    await sellOrder(deps, {
      job: spring,
      placedAt: '2027-05-01T00:00:00Z',
      customer: 'A\u001f\u000eB C',
      lines,
      movements: [],
    })
    const definition = studioDefinitions.unfinished
    const request = { definition, scope, columns: definition.columns }
    const readWith = (random: number) => readAll({ ...deps, randomBytes: () => new Uint8Array([random]) }, request)
    await expect(readWith(0)).rejects.toThrow('contains the mark between cells')
    expect(await readWith(1)).toHaveLength(20)
  })
})
