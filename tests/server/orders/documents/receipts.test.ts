import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createTestSession } from '#support/server/test-app.ts'
import { createDocumentFixtures } from './document-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('receipts on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = () => createDocumentFixtures(database())

  it('a receipt has the studio, the customer, each line, the total and how it was paid', async () => {
    const { fetchDocument, readDocument, orderNumber } = await setUp()
    const { statusCode, headers } = await fetchDocument()
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-store',
      'content-disposition': expect.stringContaining(`attachment; filename="receipt-${orderNumber}.pdf"`),
    })
    const { pages, title, creationDate } = await readDocument()
    expect(title).toBe(`Receipt ${orderNumber}`)
    expect(creationDate).toContain('20270415100000')
    // 10:00 UTC on April 15th is the 16th in Kiritimati.
    expect(pages).toEqual([
      [
        'Riverside Portraits Riverside Żółć LLC 48 Mill Street Dayton, OH 45402 (937) 555-0100 hello@riverside.test',
        `Receipt ${orderNumber} Ordered on 04/16/2027 Paid on 04/16/2027 Spring Portraits`,
        'Customer Grace Hopper Grace@Example.com 937-555-0142',
        'Delivery Grace Hopper 1 Mill Street Dayton, OH 45402',
        '1 × Package for 25 (Ada Lovelace) $25.00 Standard Shipping $6.95 Tax $2.21 Total $34.16',
        'Paid with the card ending in 4242 on 04/16/2027 $34.16',
        'Questions? Riverside Portraits, (937) 555-0100, hello@riverside.test',
        `Receipt ${orderNumber} · Page 1 of 1`,
      ].join(' '),
    ])
  })

  it('refunds are subtracted, except those that failed', async () => {
    const { deps, readDocument, refund, settle } = await setUp()
    await refund(1_000)
    await settle()
    await refund(500)
    await refund(200)
    await deps.db.updateTable('ledger').set({ state: 'failed' }).where('amount_cents', '=', 200).execute()
    const { pages } = await readDocument()
    expect(pages[0]).toContain('Paid with the card ending in 4242 on 04/16/2027 $34.16')
    expect(pages[0]).toContain(
      'Refunded to the card ending in 4242 on 04/16/2027, credit note CN-2027-000001 -$10.00 Being refunded -$5.00',
    )
    expect(pages[0]).toContain('$2.00 is being refunded by the studio Paid after refunds $19.16')
  })

  it('a receipt of a cancelled order says so', async () => {
    const { staffRequest, orderNumber, readDocument } = await setUp()
    await staffRequest('POST', `orders/${orderNumber}/cancel`, { reason: 'Entered twice' })
    const { pages } = await readDocument()
    expect(pages[0]).toContain('This order was cancelled')
    expect(pages[0]).toContain('Paid after refunds $0.00')
  })

  it('the lines of a long order with hostile names are all on its pages', async () => {
    const { deps, readDocument, urlOf, fetchDocument } = await setUp()
    const [line] = await deps.db.selectFrom('order_lines').selectAll().where('kind', '=', 'package').execute()
    if (!line) throw new Error('the order has no line')
    const { id: _, ...columns } = line
    const json = { snapshot: JSON.stringify(line.snapshot), content: JSON.stringify(line.content) }
    const names = Array.from(
      { length: 100 },
      (_, index) => `Pack ${index} \n<script>)Tj\u202e ${'Ünïcödé '.repeat(index % 20)}李`,
    )
    const rows = names.map((name, index) => ({ ...columns, ...json, name, position: 1_000 + index, line_id: null }))
    await deps.db.insertInto('order_lines').values(rows).execute()
    const { pages } = await readDocument()
    expect(pages.length).toBeGreaterThan(2)
    const text = pages.map((page) => page.replace(/Receipt \S+ · Page \d+ of \d+$/, '')).join('')
    for (const index of names.keys()) {
      const name = `Pack ${index} <script>)Tj ${'Ünïcödé '.repeat(index % 20)}☐`
      expect(text).toContain(`1 × ${name} (Ada Lovelace) $25.00`)
    }
    expect((await fetchDocument(urlOf())).rawPayload).toEqual((await fetchDocument(urlOf())).rawPayload)
  })

  it('only sessions with a grant for the order get its receipt', async () => {
    const { deps, fixtures, urlOf, fetchDocument } = await setUp()
    const stranger = await createTestSession(deps)
    for (const [url, callerHeaders] of [
      [urlOf(), {}],
      [urlOf(), stranger.headers],
      [urlOf('receipt.pdf', fixtures.jobId + 1), undefined],
      [urlOf('receipt.pdf', fixtures.jobId, 'FP-00000000'), undefined],
      [urlOf('invoice.pdf'), undefined],
      ['/api/customer/jobs/x/orders/y/documents/receipt.pdf', undefined],
    ] as const) {
      const answer = await fetchDocument(url, callerHeaders)
      expect([url, answer.statusCode, answer.json().problem]).toEqual([url, 404, 'not-found'])
    }
  })

  it('staff get a link to the receipt, which expires and works for this document only', async () => {
    const { deps, app, staffRequest, orderNumber, time, fixtures, fetchDocument } = await setUp()
    const other = await staffRequest('GET', 'orders/FP-00000000/documents/receipt.pdf')
    expect(other).toMatchObject({ status: 404, errors: ['Could not find this order'] })
    const { data } = await staffRequest('GET', `orders/${orderNumber}/documents/receipt.pdf`)
    const { url }: { url: string } = data
    const document = await app.inject(url)
    expect(document.rawPayload).toEqual((await fetchDocument()).rawPayload)
    const statusOf = async (link: string) => (await app.inject(link)).statusCode
    expect(await statusOf(url.replace(/order-documents\/\d+/, `order-documents/${fixtures.studioId + 1}`))).toBe(404)
    expect(await statusOf(url.replace('receipt.pdf', 'invoice.pdf'))).toBe(404)
    expect(await statusOf(url.replace(/\?.*/, ''))).toBe(404)
    expect(await statusOf('/api/order-documents/x/y/receipt.pdf')).toBe(404)
    const disabled_at = deps.clock()
    await deps.db.updateTable('users').set({ disabled_at }).execute()
    expect(await statusOf(url)).toBe(404)
    await deps.db.updateTable('users').set({ disabled_at: null }).execute()
    expect(await statusOf(url)).toBe(200)
    time.advance(15 * 60 * 1000)
    expect(await statusOf(url)).toBe(404)
  })
})
