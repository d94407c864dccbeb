import { describe, expect, it } from 'vitest'
import { accrueAllCommissions } from '#server/commissions/accrue-commissions.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readWithLibreOffice } from '#support/files/libre-office.ts'
import { unzip } from '#support/files/unzip.ts'
import { exportBoth, tableOf, textsOfShownTable } from './report-tables.ts'
import { createSoldStudio } from './sold-studio.ts'

const march = { startDate: '03/13/2027', endDate: '03/14/2027' }

/** The tables, worked out by hand from the two orders of `createSoldStudio`. A, B and S stand for their numbers and the studio. */
const studioTables = {
  payments: [
    'Date|Order|Customer|Amount|Type|Method|State|Card|Cash|Check|Platform fee|Job|Organization|Reference',
    '03/13/2027|A|Grace Hopper|54.54|Charge|Card|Settled|54.54|0.00|0.00|1.00|Spring|Lincoln Elementary|',
    '03/14/2027|B|Alan Turing|30.00|Charge|Cash|Settled|0.00|30.00|0.00|0.00|Rapids||',
    '03/14/2027|A|Grace Hopper|-10.00|Refund|Card|Settled|-10.00|0.00|0.00|-0.18|Spring|Lincoln Elementary|',
    'Total|||74.54||||44.54|30.00|0.00|0.82|||',
  ],
  'sales-by-job': [
    'Job|Organization|Orders|Sales|Shipping|Tax|Refunds|Net',
    'Rapids||1|30.00|0.00|0.00|0.00|30.00',
    'Spring|Lincoln Elementary|1|45.00|6.95|2.59|-10.00|44.54',
    'Total||2|75.00|6.95|2.59|-10.00|74.54',
  ],
  'sales-by-package': [
    'Package|Type|Sold|Sales|Shipping|Tax|Refunds|Net',
    'Basic|Package|2|30.00|0.00|0.00|0.00|30.00',
    'Deluxe|Package|1|36.00|0.00|2.07|-6.97|31.10',
    'Retouch|Service|1|9.00|0.00|0.52|-1.75|7.77',
    'Shipping|Shipping|0|0.00|6.95|0.00|-1.28|5.67',
    'Total||4|75.00|6.95|2.59|-10.00|74.54',
  ],
  'sales-by-product': [
    'Product|Code|Sold|Sales|Shipping|Tax|Refunds|Net',
    '5x7 print|5x7|3|48.00|0.00|1.04|-3.49|45.55',
    '8x10 print|8x10|1|18.00|0.00|1.03|-3.48|15.55',
    'Retouch||1|9.00|0.00|0.52|-1.75|7.77',
    'Shipping||0|0.00|6.95|0.00|-1.28|5.67',
    'Total||5|75.00|6.95|2.59|-10.00|74.54',
  ],
  'sales-by-promotion': [
    'Promotion|Orders|Discount given|Sales|Shipping|Tax|Refunds|Net',
    'No promotion|1|0.00|30.00|0.00|0.00|0.00|30.00',
    'SAVE10|1|5.00|45.00|6.95|2.59|-10.00|44.54',
    'Total|2|5.00|75.00|6.95|2.59|-10.00|74.54',
  ],
  refunds: [
    'Date|Order|Customer|Amount|Tax|Reason|By|State|Method|Requested|Platform fee|Job|Organization',
    '03/14/2027|A|Grace Hopper|-10.00|-0.46||Customer|Settled|Card|03/14/2027|-0.18|Spring|Lincoln Elementary',
    'Total|||-10.00|-0.46||||||-0.18||',
  ],
  taxes: [
    'State|Rate|Orders|Sales before tax|Tax|Total',
    'OH|0%|0|5.41|0.00|5.41',
    'OH|5.75%|1|37.00|2.13|39.13',
    'OR|0%|1|30.00|0.00|30.00',
    'Total||2|72.41|2.13|74.54',
  ],
  commissions: ['Date|Organization|Commission|Rate|Paid on|Order|Customer|Job', 'Total||0.00|||||'],
  unfinished: [
    'Order|Placed|Days old|State|Waiting for|Customer|Total|Paid|Job|Organization',
    'A|03/13/2027|33|Placed||Grace Hopper|54.54|44.54|Spring|Lincoln Elementary',
    'Total||||||54.54|44.54||',
  ],
  subjects: [
    'Last name|First name|Groups|Reference|Code|Images|Ordered|Orders|Spent',
    'Kay|Alan||17||0|No|0|0.00',
    'Lovelace|Ada|Grade 4||ADALVL|1|Yes|1|31.10',
    'Shipping and others|||||0||0|13.44',
    'Total|||||1||1|44.54',
  ],
  yearbook: [
    'Last name|First name|Groups|Reference|Pose|Chosen on|Chosen by|Choice',
    'Kay|Alan||17||||Not chosen',
    'Lovelace|Ada|Grade 4||ada-2.jpg|04/01/2027|Customer|Chosen',
  ],
} as const

const platformTables = {
  orders: [
    'Placed|Studio|Order|Customer|Organization|Job|Order method|State|Total|Charged|Refunds|Net',
    '03/13/2027|S|A|Grace Hopper|Lincoln Elementary|Spring|Gallery|Placed|54.54|54.54|-10.00|44.54',
    '03/14/2027|S|B|Alan Turing||Rapids|Gallery|Shipped|30.00|30.00|0.00|30.00',
    'Total||||||||84.54|84.54|-10.00|74.54',
  ],
  taxes: [
    'Studio|State|Rate|Orders|Sales before tax|Tax|Total',
    'S|OH|0%|0|5.41|0.00|5.41',
    'S|OH|5.75%|1|37.00|2.13|39.13',
    'S|OR|0%|1|30.00|0.00|30.00',
    'Total|||2|72.41|2.13|74.54',
  ],
  revenue: [
    'Studio|Orders|Card|Cash|Check|Refunds|Net|Platform fee|Studio’s share',
    'S|2|54.54|30.00|0.00|-10.00|74.54|0.82|73.72',
    'Total|2|54.54|30.00|0.00|-10.00|74.54|0.82|73.72',
  ],
  commissions: [
    'Studio|Charges|Charged|Fee of charges|Refunded|Fee of refunds|Platform fee',
    'S|2|84.54|1.00|-10.00|-0.18|0.82',
    'Total|2|84.54|1.00|-10.00|-0.18|0.82',
  ],
  refunds: [
    'Date|Studio|Order|Customer|Amount|Tax|Reason|By|State|Method|Requested|Platform fee|Job|Organization',
    '03/14/2027|S|A|Grace Hopper|-10.00|-0.46||Customer|Settled|Card|03/14/2027|-0.18|Spring|Lincoln Elementary',
    'Total||||-10.00|-0.46||||||-0.18||',
  ],
} as const

type Numbers = { adaNumber: string; cashNumber: string }

const namesOf = ({ adaNumber, cashNumber }: Numbers): ReadonlyMap<string, string> =>
  new Map([
    ['A', adaNumber],
    ['B', cashNumber],
    ['S', 'riverside'],
  ])

const isLong = process.env.LONG === '1'

describe.each(enginesFor(import.meta.filename))('exported reports on $name', (engine) => {
  const database = freshDatabase(engine)

  it.each(Object.keys(studioTables) as (keyof typeof studioTables)[])(
    'the report %s of a studio is the table worked out by hand, as CSV and as XLSX',
    async (report) => {
      const { spring, ...studio } = await createSoldStudio(database())
      const request = report === 'subjects' || report === 'yearbook' ? { jobId: spring.jobId } : march
      const expected = tableOf(studioTables[report], namesOf(studio))
      expect(await exportBoth(studio, report, request)).toEqual({ csv: expected, xlsx: expected })
    },
  )

  it.each(Object.keys(platformTables) as (keyof typeof platformTables)[])(
    'the platform’s report %s of one studio is the table worked out by hand, as CSV and as XLSX',
    async (report) => {
      const { studioId, ...studio } = await createSoldStudio(database())
      const request = [`/api/admin/reports/${report}`, { ...march, studioId }, ['studio.admin.crud']] as const
      const expected = tableOf(platformTables[report], namesOf(studio))
      expect(await exportBoth(studio, ...request)).toEqual({ csv: expected, xlsx: expected })
    },
  )

  it('the headings of a spreadsheet stay visible while it scrolls', async () => {
    const { exportFile } = await createSoldStudio(database())
    const { rawPayload } = await exportFile('payments', { format: 'xlsx' })
    const sheet = (await unzip(rawPayload)).get('xl/worksheets/sheet1.xml')?.toString() ?? ''
    expect(sheet).toMatch(/<pane [^>]*ySplit="1"[^>]*state="frozen"/)
  })

  it('the commissions of organizations are listed with their rates and payments, less those of refunds', async () => {
    const { deps, exportCsv, studioId, adaNumber, spring } = await createSoldStudio(database())
    const { organization_id: organizationId } = await deps.db
      .selectFrom('jobs')
      .select('organization_id')
      .where('id', '=', spring.jobId)
      .executeTakeFirstOrThrow()
    await deps.db
      .insertInto('commission_rates')
      .values({
        ...{ studio_id: studioId, organization_id: Number(organizationId), kind: 'percent' },
        ...{ basis_points: 1000, starts_on: '2027-01-01' },
      })
      .execute()
    await accrueAllCommissions(deps)
    expect(await exportCsv('commissions', march)).toEqual([
      ['Date', 'Organization', 'Commission', 'Rate', 'Paid on', 'Order', 'Customer', 'Job'],
      ['03/13/2027', 'Lincoln Elementary', '4.50', '10%', '', adaNumber, 'Grace Hopper', 'Spring'],
      ['03/14/2027', 'Lincoln Elementary', '-0.82', '10%', '', adaNumber, 'Grace Hopper', 'Spring'],
      ['Total', '', '3.68', '', '', '', '', ''],
    ])
  })

  // Runs only with LONG=1, because it needs LibreOffice.
  if (isLong)
    it('LibreOffice shows in each XLSX the table worked out by hand', { timeout: 300_000 }, async () => {
      const { exportFile, studioId, spring, ...numbers } = await createSoldStudio(database())
      const ofStudio = Object.entries(studioTables).map(([report, lines]) => {
        const filter = report === 'subjects' || report === 'yearbook' ? { jobId: spring.jobId } : march
        return { report, lines, filter, permissions: undefined }
      })
      const ofPlatform = Object.entries(platformTables).map(([name, lines]) => {
        const report = `/api/admin/reports/${name}`
        return { report, lines, filter: { ...march, studioId }, permissions: ['studio.admin.crud'] as const }
      })
      const reports = [...ofStudio, ...ofPlatform]
      const files: Uint8Array[] = []
      for (const { report, filter, permissions } of reports)
        files.push((await exportFile(report, { ...filter, format: 'xlsx' }, permissions)).rawPayload)
      const tables = await readWithLibreOffice(files)
      const shown = tables.map(textsOfShownTable)
      expect(reports.map(({ report }, index) => [report, shown[index]])).toEqual(
        reports.map(({ report, lines }) => [report, tableOf(lines, namesOf(numbers))]),
      )
    })

  it('the platform’s reports contain all studios, each with the days of its own time zone', async () => {
    const { exportCsv } = await createSoldStudio(database())
    const rows = await exportCsv('/api/admin/reports/revenue', march, ['studio.admin.crud'])
    expect(rows.map(([studio, orders, , , , , net]) => [studio, orders, net])).toEqual([
      ['Studio', 'Orders', 'Net'],
      ['riverside', '2', '74.54'],
      ['summit', '1', '7.00'],
      ['Total', '3', '81.54'],
    ])
  })
})
