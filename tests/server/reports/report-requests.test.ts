import { describe, expect, it, onTestFinished } from 'vitest'
import { tableFiles } from '#server/file-responses/table-files.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { newUuid } from '../carts/cart-fixtures.ts'
import { sellOrder } from './sell-order.ts'
import { createSoldStudio } from './sold-studio.ts'

const march = { startDate: '03/13/2027', endDate: '03/14/2027' }
const amounts = (rows: readonly string[][]) => rows.slice(1, -1).map((row) => row[3])

describe.each(enginesFor(import.meta.filename))('requests for reports on $name', (engine) => {
  const database = freshDatabase(engine)

  it('both days are included, in the time zone of the studio or in the given one', async () => {
    const { exportCsv } = await createSoldStudio(database())
    const dayOf = async (day: string, options = {}) =>
      amounts(await exportCsv('payments', { startDate: day, endDate: day, ...options }))
    expect(await dayOf('03/13/2027')).toEqual(['54.54'])
    expect(await dayOf('03/14/2027')).toEqual(['30.00', '-10.00'])
    expect(await dayOf('03/14/2027', { timeZone: 'UTC' })).toEqual(['54.54', '30.00'])
    expect(await dayOf('03/15/2027', { timeZone: 'UTC' })).toEqual(['-10.00'])
    expect(amounts(await exportCsv('payments', { endDate: '03/13/2027' }))).toEqual(['54.54'])
    expect(amounts(await exportCsv('payments'))).toEqual(['54.54', '30.00', '-10.00'])
  })

  it.each([
    ['orderNumber', 'A', ['54.54', '-10.00']],
    ['customer', 'turing', ['30.00']],
    ['customer', '%', []],
    ['job', 'rap', ['30.00']],
    ['organization', 'lincoln', ['54.54', '-10.00']],
    ['paymentState', 'pending', ['-5.00']],
    ['paymentState', 'failed', []],
  ] as const)('a report filtered by %s “%s” contains only these rows', async (filterType, text, expected) => {
    const { exportCsv, adaNumber } = await createSoldStudio(database())
    const filter = text === 'A' ? adaNumber.toLowerCase() : text
    expect(amounts(await exportCsv('payments', { filterType, filter }))).toEqual(expected)
  })

  it('a report of a job contains its orders only, and a job of another studio is not found', async () => {
    const { deps, exportCsv, exportFile, rapids, otherStudioId } = await createSoldStudio(database())
    expect(amounts(await exportCsv('payments', { jobId: rapids.jobId }))).toEqual(['30.00'])
    const { jobId } = await given(deps).job(otherStudioId)
    expect((await exportFile('payments', { jobId })).statusCode).toBe(404)
  })

  it('an XLSX file with more rows than a worksheet is refused, and a CSV file is not', async () => {
    const { exportFile, exportCsv, exportXlsx } = await createSoldStudio(database())
    const { maxRows } = tableFiles.xlsx
    // With the headings and the totals: all rows that Excel opens.
    expect(maxRows + 2).toBe(2 ** 20)
    onTestFinished(() => void Object.assign(tableFiles.xlsx, { maxRows }))
    Object.assign(tableFiles.xlsx, { maxRows: 2 })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const answer = await exportFile('payments', { format: 'xlsx' })
      expect([answer.statusCode, answer.json().errors]).toEqual([
        422,
        ['This report has more rows than an Excel worksheet can hold. Download it as CSV, or choose a shorter period'],
      ])
    }
    expect(await exportCsv('payments')).toHaveLength(5)
    Object.assign(tableFiles.xlsx, { maxRows: 3 })
    expect(await exportXlsx('payments')).toHaveLength(5)
  })

  it.each([
    ['payments', { startDate: '02/30/2027' }, 400, 'startDate'],
    ['payments', { startDate: '2027-03-13' }, 400, 'startDate'],
    ['payments', { startDate: '03/14/2027', endDate: '03/13/2027' }, 422, 'endDate'],
    ['payments', { timeZone: 'Mars/Olympus' }, 422, 'timeZone'],
    ['payments', { filter: 'x' }, 422, 'filterType'],
    ['payments', { filter: 'x', filterType: 'paymentState' }, 422, 'filter'],
    ['taxes', { filter: 'pending', filterType: 'paymentState' }, 422, 'filterType'],
    ['subjects', {}, 422, 'jobId'],
  ])('the report %s refuses %j', async (report, payload, status, field) => {
    const { exportFile } = await createSoldStudio(database())
    const answer = await exportFile(report, payload)
    expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([status, [field]])
  })

  it('a file has the chosen columns in the chosen order, and an unknown column is refused', async () => {
    const { exportCsv, exportFile } = await createSoldStudio(database())
    expect(await exportCsv('payments', { ...march, columns: ['amount', 'day'] })).toEqual([
      ['Amount', 'Date'],
      ['54.54', '03/13/2027'],
      ['30.00', '03/14/2027'],
      ['-10.00', '03/14/2027'],
      ['74.54', ''],
    ])
    expect((await exportFile('payments', { columns: ['password_hash'] })).statusCode).toBe(422)
  })

  it('the name of a file says studio, report and days, and each export is recorded with its user', async () => {
    const { deps, id, exportFile, studioId } = await createSoldStudio(database())
    await deps.db.updateTable('studios').set({ name: 'Ríverside/"1"' }).where('id', '=', studioId).execute()
    const { headers, rawPayload } = await exportFile('payments', march)
    expect(headers['content-disposition']).toContain(
      `filename*=UTF-8''${encodeURIComponent('Ríverside__1_ – Payments – from 2027-03-13 to 2027-03-14.csv')}`,
    )
    expect([headers['content-type'], headers['cache-control']]).toEqual(['text/csv; charset=utf-8', 'no-store'])
    expect([...rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const entries = await deps.db
      .selectFrom('audit_log')
      .select(['studio_id', 'user_id', 'entity_id', 'detail'])
      .where('action', '=', 'report.exported')
      .execute()
    expect(entries).toEqual([
      {
        ...{ studio_id: studioId, user_id: id, entity_id: 'payments' },
        detail: { format: 'csv', startDay: '2027-03-13', endDay: '2027-03-14', jobId: null, filter: null },
      },
    ])
  })

  it('a page has the rows, the newest first, the totals of all pages and the points of the chart', async () => {
    const { preview, adaNumber } = await createSoldStudio(database())
    const page = await preview('payments', { currentPage: '3', pageSize: '1', ...march })
    expect(page).toMatchObject({ currentPage: 3, pageSize: 1, totalRecords: 3 })
    expect(page.resultItems).toMatchObject([{ day: '2027-03-13', orderNumber: adaNumber, amount: 5454 }])
    expect(page.totals).toEqual({ card: 4454, cash: 3000, check: 0, amount: 7454, fee: 82 })
    expect(page.chart).toEqual({
      heading: 'Amount',
      by: 'time',
      points: [
        { label: '2027-03-13', cents: 5454 },
        { label: '2027-03-14', cents: 2000 },
      ],
    })
    expect((await preview('payments')).chart.points).toEqual([{ label: '2027-03', cents: 7454 }])
    expect((await preview('sales-by-job', march)).chart.points).toEqual([
      { label: 'Spring', cents: 4454 },
      { label: 'Rapids', cents: 3000 },
    ])
    expect((await preview('refunds', march)).chart).toMatchObject({ points: [{ label: '2027-03-14', cents: 1000 }] })
    expect((await preview('unfinished')).chart).toEqual({
      ...{ heading: 'Paid', by: 'range' },
      points: [{ label: 'More than 30 days', cents: 4454 }],
    })
  })

  it('an order that costs nothing counts on the day it was placed, with what was given away', async () => {
    const { deps, preview, spring } = await createSoldStudio(database())
    const free = { job: spring, placedAt: '2027-03-14T12:00:00Z', promotionCode: 'FREE', movements: [] }
    const lines = [{ name: 'Basic', cents: 1500, discountCents: 1500 }]
    await sellOrder(deps, { ...free, lines })
    await sellOrder(deps, { ...free, lines, state: 'cancelled' })
    const rowOf = async (report: string, name: string) =>
      (await preview(report, march)).resultItems.find((row: object) => Object.values(row)[0] === name)
    expect(await rowOf('sales-by-promotion', 'FREE')).toMatchObject({ orders: 1, discount: 1500, net: 0 })
    expect(await rowOf('sales-by-job', 'Spring')).toMatchObject({ orders: 2 })
    expect((await preview('payments', march)).totalRecords).toBe(3)
  })

  it('the single-use codes of a promotion are one row, and equal codes of two jobs are two', async () => {
    const { deps, preview, spring, rapids, studioId } = await createSoldStudio(database())
    const promotion = async (code: string, jobId: number | null) =>
      await deps.db
        .insertInto('promotions')
        .values({ studio_id: studioId, job_id: jobId, code, kind: 'percent', basis_points: 1000 })
        .returning('id')
        .executeTakeFirstOrThrow()
    const sellWith = async (job: typeof spring, promotionCode: string, promotionId: number) => {
      const number = await sellOrder(deps, {
        ...{ job, promotionCode, placedAt: '2027-03-14T12:00:00Z', lines: [{ name: 'Basic', cents: 1500 }] },
        movements: [{ kind: 'charge', cents: 1500, at: '2027-03-14T12:00:00Z' }],
      })
      const { id } = await deps.db
        .selectFrom('orders')
        .select('id')
        .where('order_number', '=', number)
        .executeTakeFirstOrThrow()
      await deps.db
        .insertInto('promotion_uses')
        .values({
          ...{ studio_id: studioId, promotion_id: promotionId, order_id: id, checkout_id: newUuid() },
          ...{ email_key: 'grace@example.com', amount_cents: 150, state: 'used' },
        })
        .execute()
    }
    const many = await promotion('MANY', null)
    await sellWith(spring, 'MANY-1', many.id)
    await sellWith(spring, 'MANY-2', many.id)
    await sellWith(spring, 'TEAM', (await promotion('TEAM', spring.jobId)).id)
    await sellWith(rapids, 'TEAM', (await promotion('TEAM', rapids.jobId)).id)
    const { resultItems } = await preview('sales-by-promotion', march)
    expect(resultItems.map(({ promotion: name, orders }: Record<string, unknown>) => [name, orders])).toEqual([
      // The largest first.
      ['SAVE10', 1],
      ['MANY', 2],
      ['TEAM (Rapids)', 1],
      ['TEAM (Spring)', 1],
      ['No promotion', 1],
    ])
  })

  it('staff without the permission and studios without the feature are refused', async () => {
    const { deps, exportFile, staffRequest, studioId } = await createSoldStudio(database())
    expect((await exportFile('payments', {}, ['studio.crud'])).statusCode).toBe(403)
    expect(await staffRequest('GET', 'reports/payments', undefined, { permissions: ['studio.crud'] })).toMatchObject({
      status: 403,
    })
    await deps.db.deleteFrom('studio_features').where('studio_id', '=', studioId).execute()
    const answer = await exportFile('payments', {})
    expect([answer.statusCode, answer.json().errors]).toEqual([403, ['Reports are not switched on for this studio']])
  })

  it('texts that a spreadsheet would take for formulas stay texts, and quotes and line ends stay in their cells', async () => {
    const { deps, exportCsv, exportFile, exportXlsx, rapids } = await createSoldStudio(database())
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '"Ada", \n"Bob"', 'a\u0001b <&> Ünïcode 日本']
    for (const name of names)
      await sellOrder(deps, {
        job: rapids,
        placedAt: '2027-05-01T12:00:00Z',
        lines: [{ name, cents: 100 }],
        movements: [{ kind: 'charge', cents: 100, at: '2027-05-01T12:00:00Z' }],
      })
    const request = { startDate: '05/01/2027', columns: ['name', 'net'] }
    const cells = (await exportCsv('sales-by-package', request)).slice(1, -1).map(([name]) => name)
    const safe = names.map((name) => (/^[=+\-@\t\r]/.test(name) ? `'${name}` : name))
    expect(cells.toSorted()).toEqual([...safe, 'Shipping'].toSorted())
    expect((await exportFile('sales-by-package', request)).body).toContain('"\'\r=1",1.00\r\n')
    const sheetCells = (await exportXlsx('sales-by-package', request)).slice(1, -1).map(([name]) => String(name).trim())
    const printable = names.map((name) => name.replace('\u0001', '').trim())
    expect(sheetCells.toSorted()).toEqual([...printable, 'Shipping'].toSorted())
  })
})
