import { describe, expect, it } from 'vitest'
import { pictureDays } from '#server/demo/demo-image-drafts.ts'
import { type RenderedDemo, readDemoImage } from '#server/demo/render-demo-images.ts'
import { seedDemo } from '#server/demo/seed.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { nameMark } from '#server/images/engine/watermark.ts'
import { inspectHeader } from '#server/images/inspection/inspect-image.ts'
import { enginesFor, freshDatabase, type TestDatabase } from '#support/database/test-database.ts'
import { readWithLibreOffice } from '#support/files/libre-office.ts'
import { demoServices } from '#support/server/demo-services.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { reportClient } from './report-client.ts'
import { exportBoth, tableOf, textsOfShownTable } from './report-tables.ts'

/*
 * The orders of the demo on April 15, 2027, worked out by hand from the prices of `schoolSet`. Tax: OH 5.75 %, PA 6 %,
 * NY 4 %, TX 6.25 %, OR 0 %, rounded half up once for the goods after the discount, and once for shipping. Platform fee: 2 %
 * of card payments.
 *
 *   | goods                     | discount | goods after it | shipping | tax         | total | fee
 * A | B 38 + minis 5            |          |          43.00 |     6.95 | 2.47 + 0.40 | 52.82 | 1.06
 * B | E 24                      |          |          24.00 |     6.95 | 1.38 + 0.40 | 32.73 |
 * C | A 54                      |          |          54.00 |     6.95 | 3.24 + 0.42 | 64.61 | 1.29  (PA)
 * D | E 24 + 5×7 8              |          |          32.00 |     6.95 | 1.84 + 0.40 | 41.19 |
 * E | A 54                      |     5.40 |          48.60 |     6.95 | 2.79 + 0.40 | 58.74 | 1.17  (SAVE10)
 * F | B 38 + 5×7 8              |          |          46.00 |     6.95 | 1.84 + 0.28 | 55.07 | 1.10  (NY)
 * G | B 38 + minis 5 + E 24     |          |          67.00 |     6.95 | 3.85 + 0.40 | 78.20 | 1.56
 *   | without E: as A           |          |          43.00 |     6.95 | 2.47 + 0.40 | 52.82 |       (25.38 and 0.51 of the fee refunded)
 * H | E 24 + retouching 8       |          |          32.00 |     6.95 | 1.84 + 0.40 | 41.19 |
 * I | A 54 + minis 5            |          |          59.00 |     6.95 | 3.69 + 0.43 | 70.07 | 1.40  (TX)
 * J | all downloads 45          |          |          45.00 |          | 2.59        | 47.59 | 0.95
 * K | B 38                      |          |          38.00 |     6.95 |             | 44.95 | 0.90  (OR)
 * L | C 30 + minis 5            |          |          35.00 |     6.95 | 2.01 + 0.40 | 44.36 | 0.89  (cancelled, refunded)
 * M | one download 18           |    18.00 |           0.00 |          |             |  0.00 |       (OR, HELPER)
 * N | C 30                      |          |          30.00 |     6.95 | 1.80 + 0.42 | 39.17 |       (PA)
 * O | E 24 + F 16 + 5×7 8       |          |          48.00 |     6.95 | 2.76 + 0.40 | 58.11 | 1.16
 * P | A 54                      |          |          54.00 |     6.95 | 2.16 + 0.28 | 63.39 | 1.27  (NY)
 * Q | B 38                      |     5.00 |          33.00 |     6.95 | 1.90 + 0.40 | 42.25 |       (TAKE5)
 * R | F 16                      |          |          16.00 |     6.95 | 0.92 + 0.40 | 24.27 |
 *
 * Reports by item share the charge of G, 78.20, over what is left of it: sales 63.66, shipping 10.29, tax 4.25. Each amount of a
 * package is split evenly across its items, rounded down at each running sum. M was not taxed, so it is in no tax report.
 */
const studioTables = {
  payments: [
    'Date|Order|Customer|Amount|Type|Method|State|Card|Cash|Check|Platform fee|Job|Organization|Reference',
    '03/02/2027|A|Nora Benson|52.82|Charge|Card|Settled|52.82|0.00|0.00|1.06|Class|Lincoln|test',
    '03/05/2027|B|Luis Fuentes|32.73|Charge|Cash|Settled|0.00|32.73|0.00|0.00|Class|Lincoln|',
    '03/08/2027|C|Megan Hart|64.61|Charge|Card|Settled|64.61|0.00|0.00|1.29|Class|Lincoln|test',
    '03/11/2027|D|Linh Nguyen|41.19|Charge|Check|Settled|0.00|0.00|41.19|0.00|Class|Lincoln|1042',
    '03/15/2027|E|Paolo Romano|58.74|Charge|Card|Settled|58.74|0.00|0.00|1.17|Class|Lincoln|test',
    '03/18/2027|F|Grace Cho|55.07|Charge|Card|Settled|55.07|0.00|0.00|1.10|Class|Lincoln|test',
    '03/21/2027|G|Denise Wells|78.20|Charge|Card|Settled|78.20|0.00|0.00|1.56|Class|Lincoln|test',
    '03/22/2027|G|Denise Wells|-25.38|Refund|Card|Settled|-25.38|0.00|0.00|-0.51|Class|Lincoln|test',
    '03/24/2027|H|Anna Berg|41.19|Charge|Cash|Settled|0.00|41.19|0.00|0.00|Class|Lincoln|',
    '03/26/2027|I|Sanjay Patel|70.07|Charge|Card|Settled|70.07|0.00|0.00|1.40|Class|Lincoln|test',
    '03/29/2027|J|Elena Moretti|47.59|Charge|Card|Settled|47.59|0.00|0.00|0.95|Class|Lincoln|test',
    '03/31/2027|K|Ruth Benson|44.95|Charge|Card|Settled|44.95|0.00|0.00|0.90|Class|Lincoln|test',
    '04/03/2027|L|Luis Fuentes|44.36|Charge|Card|Settled|44.36|0.00|0.00|0.89|Class|Lincoln|test',
    '04/04/2027|L|Luis Fuentes|-44.36|Refund|Card|Settled|-44.36|0.00|0.00|-0.89|Class|Lincoln|test',
    '04/07/2027|N|Megan Hart|39.17|Charge|Check|Settled|0.00|0.00|39.17|0.00|Class|Lincoln|1042',
    '04/09/2027|O|Grace Cho|58.11|Charge|Card|Settled|58.11|0.00|0.00|1.16|Class|Lincoln|test',
    '04/11/2027|P|Denise Wells|63.39|Charge|Card|Settled|63.39|0.00|0.00|1.27|Class|Lincoln|test',
    '04/13/2027|Q|Anna Berg|42.25|Charge|Cash|Settled|0.00|42.25|0.00|0.00|Class|Lincoln|',
    '04/15/2027|R|Sanjay Patel|24.27|Charge|Cash|Settled|0.00|24.27|0.00|0.00|Class|Lincoln|',
    'Total|||788.97||||568.17|140.44|80.36|11.35|||',
  ],
  'sales-by-job': [
    'Job|Organization|Orders|Sales|Shipping|Tax|Refunds|Net',
    'Class|Lincoln|18|701.26|114.54|42.91|-69.74|788.97',
    'Total||18|701.26|114.54|42.91|-69.74|788.97',
  ],
  'sales-by-package': [
    'Package|Type|Sold|Sales|Shipping|Tax|Refunds|Net',
    '16 Mini Billfolds|Package|4|22.41|0.00|1.32|-7.84|15.89',
    'Download All Images For Subject|Package|1|45.00|0.00|2.59|0.00|47.59',
    'Extra 5×7|Package|3|24.00|0.00|1.24|0.00|25.24',
    'Package A · The Whole Family|Package|4|210.60|0.00|11.57|0.00|222.17',
    'Package B · Classic|Package|5|203.25|0.00|8.82|-19.29|192.78',
    'Package C · Grandparents|Package|2|60.00|0.00|3.52|-31.72|31.80',
    'Package E · Keepsake|Package|4|96.00|0.00|5.52|0.00|101.52',
    'Package F · Just Billfolds|Package|2|32.00|0.00|1.84|0.00|33.84',
    'Single Digital Download|Package|1|0.00|0.00|0.00|0.00|0.00',
    'Basic retouching|Service|1|8.00|0.00|0.46|0.00|8.46',
    'Shipping|Shipping|0|0.00|114.54|6.03|-10.89|109.68',
    'Total||27|701.26|114.54|42.91|-69.74|788.97',
  ],
  'sales-by-product': [
    'Product|Code|Sold|Sales|Shipping|Tax|Refunds|Net',
    '16 mini billfolds|MiniBFs|4|22.41|0.00|1.32|-7.84|15.89',
    '5×7 print|5x7|25|249.86|0.00|12.62|-30.78|231.70',
    '8 billfolds|BFs|13|144.94|0.00|7.56|-15.41|137.09',
    '8×10 print|8x10|13|188.93|0.00|10.00|-4.82|194.11',
    'Download All Images For Subject|WholeDigDown|1|45.00|0.00|2.59|0.00|47.59',
    'Single Digital Download|SingleDigDown|5|42.12|0.00|2.33|0.00|44.45',
    'Basic retouching||1|8.00|0.00|0.46|0.00|8.46',
    'Shipping||0|0.00|114.54|6.03|-10.89|109.68',
    'Total||62|701.26|114.54|42.91|-69.74|788.97',
  ],
  'sales-by-promotion': [
    'Promotion|Orders|Discount given|Sales|Shipping|Tax|Refunds|Net',
    'No promotion|15|0.00|619.66|100.64|37.42|-69.74|687.98',
    'HELPER (Class Portraits)|1|18.00|0.00|0.00|0.00|0.00|0.00',
    'SAVE10|1|5.40|48.60|6.95|3.19|0.00|58.74',
    'TAKE5|1|5.00|33.00|6.95|2.30|0.00|42.25',
    'Total|18|28.40|701.26|114.54|42.91|-69.74|788.97',
  ],
  refunds: [
    'Date|Order|Customer|Amount|Tax|Reason|By|State|Method|Requested|Platform fee|Job|Organization',
    '03/22/2027|G|Denise Wells|-25.38|-1.38|packages removed by the customer|Customer|Settled|Card|03/22/2027|-0.51|Class|Lincoln',
    '04/04/2027|L|Luis Fuentes|-44.36|-2.41|cancelled by the customer|Customer|Settled|Card|04/04/2027|-0.89|Class|Lincoln',
    'Total|||-69.74|-3.79||||||-1.40||',
  ],
  taxes: [
    'State|Rate|Orders|Sales before tax|Tax|Total',
    'NY|4%|2|113.90|4.56|118.46',
    'OH|5.75%|11|427.15|24.56|451.71',
    'OR|0%|1|44.95|0.00|44.95',
    'PA|6%|2|97.90|5.88|103.78',
    'TX|6.25%|1|65.95|4.12|70.07',
    'Total||17|749.85|39.12|788.97',
  ],
  // A tenth of the goods after the discount. The refund of G changes nothing, because the rest is received in full.
  commissions: [
    'Date|Organization|Commission|Rate|Paid on|Order|Customer|Job',
    '03/02/2027|Lincoln|4.30|10%||A|Nora Benson|Class',
    '03/05/2027|Lincoln|2.40|10%||B|Luis Fuentes|Class',
    '03/08/2027|Lincoln|5.40|10%||C|Megan Hart|Class',
    '03/11/2027|Lincoln|3.20|10%||D|Linh Nguyen|Class',
    '03/15/2027|Lincoln|4.86|10%||E|Paolo Romano|Class',
    '03/18/2027|Lincoln|4.60|10%||F|Grace Cho|Class',
    '03/21/2027|Lincoln|4.30|10%||G|Denise Wells|Class',
    '03/22/2027|Lincoln|0.00|10%||G|Denise Wells|Class',
    '03/24/2027|Lincoln|3.20|10%||H|Anna Berg|Class',
    '03/26/2027|Lincoln|5.90|10%||I|Sanjay Patel|Class',
    '03/29/2027|Lincoln|4.50|10%||J|Elena Moretti|Class',
    '03/31/2027|Lincoln|3.80|10%||K|Ruth Benson|Class',
    '04/03/2027|Lincoln|3.50|10%||L|Luis Fuentes|Class',
    '04/04/2027|Lincoln|-3.50|10%||L|Luis Fuentes|Class',
    '04/07/2027|Lincoln|3.00|10%||N|Megan Hart|Class',
    '04/09/2027|Lincoln|4.80|10%||O|Grace Cho|Class',
    '04/11/2027|Lincoln|5.40|10%||P|Denise Wells|Class',
    '04/13/2027|Lincoln|3.30|10%||Q|Anna Berg|Class',
    '04/15/2027|Lincoln|1.60|10%||R|Sanjay Patel|Class',
    'Total||64.56|||||',
  ],
  unfinished: [
    'Order|Placed|Days old|State|Waiting for|Customer|Total|Paid|Job|Organization',
    'M|04/05/2027|10|Placed||Ruth Benson|0.00|0.00|Class|Lincoln',
    'N|04/07/2027|8|Placed||Megan Hart|39.17|39.17|Class|Lincoln',
    'O|04/09/2027|6|Placed||Grace Cho|58.11|58.11|Class|Lincoln',
    'P|04/11/2027|4|Placed||Denise Wells|63.39|63.39|Class|Lincoln',
    'Q|04/13/2027|2|Placed||Anna Berg|42.25|42.25|Class|Lincoln',
    'R|04/15/2027|0|Placed||Sanjay Patel|24.27|24.27|Class|Lincoln',
    'Total||||||227.19|227.19||',
  ],
  subjects: [
    'Last name|First name|Groups|Reference|Code|Images|Ordered|Orders|Spent',
    'Benson|Clara|Grade 2 · Mrs. Novak||CLABEN|2|Yes|3|83.47',
    'Berg|Jonas|Grade 5 · Mr. Ellis||JONBER|2|Yes|2|68.74',
    'Cho|Henry|Grade 2 · Mrs. Novak||HENCHO|2|Yes|2|98.60',
    'Fuentes|Diego|Grade 2 · Mrs. Novak||DIEFUE|2|Yes|2|25.38',
    'Hart|Emma|Grade 2 · Mrs. Novak||EMMHAR|2|Yes|2|89.04',
    'Kowalski|Maya|Grade 5 · Mr. Ellis||MAYKOW|2|No|0|0.00',
    'Moretti|Luca|Grade 5 · Mr. Ellis||LUCMOR|2|Yes|1|47.59',
    'Nguyen|Felix|Grade 2 · Mrs. Novak||FELNGU|2|Yes|1|33.84',
    'Patel|Kira|Grade 5 · Mr. Ellis||KIRPAT|2|Yes|2|79.61',
    'Romano|Gia|Grade 2 · Mrs. Novak||GIAROM|2|Yes|1|51.39',
    'Wells|Imani|Grade 5 · Mr. Ellis||IMAWEL|2|Yes|2|101.63',
    'Shipping and others|||||0||0|109.68',
    'Total|||||22||18|788.97',
  ],
  yearbook: [
    'Last name|First name|Groups|Reference|Pose|Chosen on|Chosen by|Choice',
    'Benson|Clara|Grade 2 · Mrs. Novak||IMG_4100.jpg|03/02/2027|Customer|Chosen',
    'Berg|Jonas|Grade 5 · Mr. Ellis|||||Not chosen',
    'Cho|Henry|Grade 2 · Mrs. Novak|||||Not chosen',
    'Fuentes|Diego|Grade 2 · Mrs. Novak|||||Not chosen',
    'Hart|Emma|Grade 2 · Mrs. Novak||IMG_4112.jpg|03/08/2027|Customer|Chosen',
    'Kowalski|Maya|Grade 5 · Mr. Ellis|||||Not chosen',
    'Moretti|Luca|Grade 5 · Mr. Ellis|||||Not chosen',
    'Nguyen|Felix|Grade 2 · Mrs. Novak|||||Not chosen',
    'Patel|Kira|Grade 5 · Mr. Ellis||IMG_4148.jpg|03/26/2027|Customer|Chosen',
    'Romano|Gia|Grade 2 · Mrs. Novak||IMG_4124.jpg|03/15/2027|Customer|Chosen',
    'Wells|Imani|Grade 5 · Mr. Ellis|||||Not chosen',
  ],
} as const

const platformTables = {
  orders: [
    'Placed|Studio|Order|Customer|Organization|Job|Order method|State|Total|Charged|Refunds|Net',
    '03/02/2027|S|A|Nora Benson|Lincoln|Class|Gallery|Shipped|52.82|52.82|0.00|52.82',
    '03/05/2027|S|B|Luis Fuentes|Lincoln|Class|Gallery|Shipped|32.73|32.73|0.00|32.73',
    '03/08/2027|S|C|Megan Hart|Lincoln|Class|Gallery|Shipped|64.61|64.61|0.00|64.61',
    '03/11/2027|S|D|Linh Nguyen|Lincoln|Class|Gallery|Shipped|41.19|41.19|0.00|41.19',
    '03/15/2027|S|E|Paolo Romano|Lincoln|Class|Gallery|Shipped|58.74|58.74|0.00|58.74',
    '03/18/2027|S|F|Grace Cho|Lincoln|Class|Gallery|Shipped|55.07|55.07|0.00|55.07',
    '03/21/2027|S|G|Denise Wells|Lincoln|Class|Gallery|Shipped|52.82|78.20|-25.38|52.82',
    '03/24/2027|S|H|Anna Berg|Lincoln|Class|Gallery|Shipped|41.19|41.19|0.00|41.19',
    '03/26/2027|S|I|Sanjay Patel|Lincoln|Class|Gallery|Shipped|70.07|70.07|0.00|70.07',
    '03/29/2027|S|J|Elena Moretti|Lincoln|Class|Gallery|Shipped|47.59|47.59|0.00|47.59',
    '03/31/2027|S|K|Ruth Benson|Lincoln|Class|Gallery|Shipped|44.95|44.95|0.00|44.95',
    '04/03/2027|S|L|Luis Fuentes|Lincoln|Class|Gallery|Cancelled|44.36|44.36|-44.36|0.00',
    '04/05/2027|S|M|Ruth Benson|Lincoln|Class|Gallery|Placed|0.00|0.00|0.00|0.00',
    '04/07/2027|S|N|Megan Hart|Lincoln|Class|Gallery|Placed|39.17|39.17|0.00|39.17',
    '04/09/2027|S|O|Grace Cho|Lincoln|Class|Gallery|Placed|58.11|58.11|0.00|58.11',
    '04/11/2027|S|P|Denise Wells|Lincoln|Class|Gallery|Placed|63.39|63.39|0.00|63.39',
    '04/13/2027|S|Q|Anna Berg|Lincoln|Class|Gallery|Placed|42.25|42.25|0.00|42.25',
    '04/15/2027|S|R|Sanjay Patel|Lincoln|Class|Gallery|Placed|24.27|24.27|0.00|24.27',
    'Total||||||||833.33|858.71|-69.74|788.97',
  ],
  taxes: [
    'Studio|State|Rate|Orders|Sales before tax|Tax|Total',
    'S|NY|4%|2|113.90|4.56|118.46',
    'S|OH|5.75%|11|427.15|24.56|451.71',
    'S|OR|0%|1|44.95|0.00|44.95',
    'S|PA|6%|2|97.90|5.88|103.78',
    'S|TX|6.25%|1|65.95|4.12|70.07',
    'Total|||17|749.85|39.12|788.97',
  ],
  revenue: [
    'Studio|Orders|Card|Cash|Check|Refunds|Net|Platform fee|Studio’s share',
    'S|17|637.91|140.44|80.36|-69.74|788.97|11.35|777.62',
    'Total|17|637.91|140.44|80.36|-69.74|788.97|11.35|777.62',
  ],
  commissions: [
    'Studio|Charges|Charged|Fee of charges|Refunded|Fee of refunds|Platform fee',
    'S|17|858.71|12.75|-69.74|-1.40|11.35',
    'Total|17|858.71|12.75|-69.74|-1.40|11.35',
  ],
  refunds: [
    'Date|Studio|Order|Customer|Amount|Tax|Reason|By|State|Method|Requested|Platform fee|Job|Organization',
    '03/22/2027|S|G|Denise Wells|-25.38|-1.38|packages removed by the customer|Customer|Settled|Card|03/22/2027|-0.51|Class|Lincoln',
    '04/04/2027|S|L|Luis Fuentes|-44.36|-2.41|cancelled by the customer|Customer|Settled|Card|04/04/2027|-0.89|Class|Lincoln',
    'Total||||-69.74|-3.79||||||-1.40||',
  ],
} as const

const reports = [
  ...Object.entries(studioTables).map(([name, lines]) => ({ path: name, lines, permissions: undefined })),
  ...Object.entries(platformTables).map(([name, lines]) => ({
    ...{ path: `/api/admin/reports/${name}`, lines, permissions: ['studio.admin.crud'] as const },
  })),
]

/** One image for all files of the demo, because rendering each takes seconds. */
const renderOneImage = async (): Promise<RenderedDemo> => {
  const bytes = await readDemoImage('ada-facing.jpg')
  const inspection = await inspectHeader(bytes)
  const variants = await createRenderer()(bytes, nameMark('demo'))
  if (!inspection.ok || !variants.ok) throw new Error('the image was rejected')
  const rendered = { bytes, image: inspection.image, variants }
  const drafts = Object.values(pictureDays).flatMap((day) => day.drafts)
  const day = new Map(drafts.map(({ imageFile }) => [imageFile, rendered]))
  return { spring: day, rapids: day, hawks: day, classPortraits: day }
}

/** Seeds the demo. `nameOf` names orders by their letters, and references of the payment provider by `test`. */
const createDemo = async (database: TestDatabase) => {
  const deps = testDeps(database)
  await seedDemo(deps, { services: demoServices(deps.settings.dataDir), images: renderOneImage() })
  const orders = await deps.db.selectFrom('orders').select(['order_number', 'job_id']).orderBy('placed_at').execute()
  const letters = new Map(orders.map(({ order_number }, index) => [order_number, String.fromCodePoint(65 + index)]))
  const { id: studioId } = await deps.db
    .selectFrom('studios')
    .select('id')
    .where('slug', '=', 'riverside')
    .executeTakeFirstOrThrow()
  const client = await reportClient(deps, await testApp(deps), studioId)
  const nameOf = (cell: string): string => letters.get(cell) ?? cell.replace(/^test_[0-9a-f-]{36}$/, 'test')
  const requestOf = (path: string) =>
    path.startsWith('/') ? { studioId } : /subjects|yearbook/.test(path) ? { jobId: orders[0]?.job_id } : {}
  return { client, requestOf, nameCells: (table: string[][]) => table.map((row) => row.map(nameOf)) }
}

const expectedNames = new Map([
  ['S', 'Riverside Portraits'],
  ['Class', 'Class Portraits'],
  ['Lincoln', 'Lincoln Elementary'],
])
const expectedTables = reports.map(({ path, lines }) => [path, tableOf(lines, expectedNames)])

describe.each(enginesFor(import.meta.filename))('the reports of the demo on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  it('each report is the table worked out by hand, as CSV and as XLSX', async () => {
    const { client, requestOf, nameCells } = await createDemo(database())
    const csvTables: unknown[] = []
    const xlsxTables: unknown[] = []
    for (const { path, permissions } of reports) {
      const { csv, xlsx } = await exportBoth(client, path, requestOf(path), permissions)
      csvTables.push([path, nameCells(csv)])
      xlsxTables.push([path, nameCells(xlsx)])
    }
    expect(csvTables).toEqual(expectedTables)
    expect(xlsxTables).toEqual(expectedTables)
  })

  // Runs only with LONG=1, because it needs LibreOffice.
  if (process.env.LONG === '1')
    it('LibreOffice shows in each XLSX the table worked out by hand', { timeout: 300_000 }, async () => {
      const { client, requestOf, nameCells } = await createDemo(database())
      const files: Uint8Array[] = []
      for (const { path, permissions } of reports)
        files.push((await client.exportFile(path, { ...requestOf(path), format: 'xlsx' }, permissions)).rawPayload)
      const shown = (await readWithLibreOffice(files)).map((table) => nameCells(textsOfShownTable(table)))
      expect(reports.map(({ path }, index) => [path, shown[index]])).toEqual(expectedTables)
    })
})
