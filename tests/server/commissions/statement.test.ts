import papaparse from 'papaparse'
import { describe, expect, it } from 'vitest'
import { addDaysTo } from '#domain/shared/wall-clock.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { readPdf } from '#support/files/read-pdf.ts'
import { commissionSetUp } from './commission-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('the commission statement on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)
  const setUpStudio = commissionSetUp(database)

  /** Orders of two months, one of them refunded in the second, and a payment in between. */
  const setUp = async () => {
    const studio = await setUpStudio('2027-04-30T16:00:00Z')
    const { addRate, order, settle, jobId, pay, fixtures, path, time } = studio
    await addRate({ startsOn: '2027-04-01' })
    const april = await order(jobId, { goodsCents: 4_000, placedAt: '2027-04-15T17:00:00Z' })
    const chargeId = await settle(april, 4_000, '2027-04-15T17:00:00Z')
    // 23:30 on April 30th in Chicago.
    await settle(
      await order(jobId, { goodsCents: 1_000, placedAt: '2027-05-01T04:30:00Z' }),
      1_000,
      '2027-05-01T04:30:00Z',
    )
    time.advance(6 * 86_400_000)
    await pay({ throughDay: '2027-04-30', paidOn: '2027-05-03', amountCents: 500, note: '=Check 1024' })
    await settle(april, 2_000, '2027-05-10T17:00:00Z', chargeId)
    await addRate({ startsOn: '2027-05-08', kind: 'order', basisPoints: null, amountCents: 150 })
    await settle(await order(jobId, { goodsCents: 700, placedAt: '2027-05-09T17:00:00Z' }), 700, '2027-05-10T17:00:00Z')
    const download = (startDay: string, endDay: string, format: 'pdf' | 'csv') =>
      fixtures.inject('POST', `${path}/statement`, { payload: { startDay, endDay, format } })
    return { ...studio, download }
  }

  it('the PDF file has the orders of each job and rate, the payments, and what is owed before and after', async () => {
    const { download, fixtures } = await setUp()
    const april = await download('2027-04-01', '2027-04-30', 'pdf')
    expect(april.headers['content-type']).toBe('application/pdf')
    expect(decodeURIComponent(String(april.headers['content-disposition']))).toContain(
      'Commissions from 2027-04-01 to 2027-04-30.pdf',
    )
    const { pages } = await readPdf(april.rawPayload)
    expect(pages[0]).toContain('04/01/2027 to 04/30/2027')
    expect(pages[0]).toMatch(
      /Owed before 04\/01\/2027 \$0\.00 .*: 2 orders, 10% of each sale \$5\.00 Owed after 04\/30\/2027 \$5\.00/,
    )
    const may = await readPdf((await download('2027-05-01', '2027-05-31', 'pdf')).rawPayload)
    expect(may.pages[0]).toMatch(
      /Owed before 05\/01\/2027 \$5\.00 .*: 1 refunded order, 10% of each sale -\$2\.00 .*: 1 order, \$1\.50 for each order \$1\.50 Paid on 05\/03\/2027: =Check 1024 -\$5\.00 Owed after 05\/31\/2027 -\$0\.50/,
    )
    expect((await fixtures.auditEntries()).at(-1)).toMatchObject({
      action: 'report.exported',
      detail: { format: 'pdf', startDay: '2027-05-01', endDay: '2027-05-31' },
    })
  })

  it('a period without orders says so', async () => {
    const { download } = await setUp()
    const { pages } = await readPdf((await download('2027-01-01', '2027-01-31', 'pdf')).rawPayload)
    expect(pages[0]).toContain('No orders were paid in this period')
  })

  it('the CSV file has a row for each commission and payment, and its amounts add up to what is owed', async () => {
    const { download } = await setUp()
    const readRows = async (startDay: string, endDay: string) => {
      const { body } = await download(startDay, endDay, 'csv')
      const { data } = papaparse.parse<string[]>(body.replace(/^\uFEFF/, ''), { skipEmptyLines: true })
      return data.map(([date, text, , rate, amount]) => [date, text, rate, amount])
    }
    const rows = await readRows('2027-05-01', '2027-05-31')
    expect(rows[0]).toEqual(['Date', 'Description', 'Rate', 'Amount'])
    expect(rows[1]).toEqual(['', 'Owed before 05/01/2027', '', '5.00'])
    expect(rows[2]).toEqual(['05/03/2027', 'Paid: =Check 1024', '', '-5.00'])
    expect(rows.slice(3).map(([date, , rate, amount]) => [date, rate, amount])).toEqual([
      ['05/10/2027', '10% of each sale', '-2.00'],
      ['05/10/2027', '$1.50 for each order', '1.50'],
      ['', '', '-0.50'],
    ])
  })

  it('each statement begins with what the one before ended with', async () => {
    const { download, read } = await setUp()
    const days = ['2027-04-01', '2027-04-15', '2027-04-16', '2027-04-30', '2027-05-03', '2027-05-10', '2027-06-30']
    let owed = '0.00'
    for (const [index, endDay] of days.entries()) {
      const startDay = index === 0 ? '2027-01-01' : addDaysTo(days[index - 1] ?? '', 1)
      const { body } = await download(startDay, endDay, 'csv')
      const { data } = papaparse.parse<string[]>(body, { skipEmptyLines: true })
      expect([startDay, data[1]?.at(-1)]).toEqual([startDay, owed])
      owed = data.at(-1)?.at(-1) ?? ''
    }
    expect(owed).toBe(((await read()).owedCents / 100).toFixed(2))
  })

  it('reversed days are refused', async () => {
    const { download } = await setUp()
    const answer = await download('2027-05-02', '2027-05-01', 'csv')
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ fields: { endDay: ['The last day is before the first day'] } })
  })
})
