import { describe, expect, it } from 'vitest'
import { inTransaction } from '#server/database/database.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { issueCreditNote } from '#server/orders/store/issue-credit-note.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { createDocumentFixtures } from './document-fixtures.ts'

const numbersTo = (count: number) =>
  Array.from({ length: count }, (_, index) => `CN-2027-${String(index + 1).padStart(6, '0')}`)

describe.each(enginesFor(import.meta.filename))('credit notes on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const documents = await createDocumentFixtures(database())
    const { deps, app, fixtures, headers, orderNumber } = documents
    const creditNotes = () =>
      deps.db.selectFrom('credit_notes').select(['refund_id', 'number']).orderBy('year').orderBy('position').execute()
    const numbers = async () => (await creditNotes()).map(({ number }) => number)
    const customerRefunds = async () =>
      (await app.inject({ url: `/api/customer/jobs/${fixtures.jobId}/orders/${orderNumber}`, headers })).json().data
        .refunds
    return { ...documents, creditNotes, numbers, customerRefunds }
  }

  it('parallel and repeated settlements give each refund one number, without gaps', async () => {
    const { deps, refund, queued, creditNotes } = await setUp()
    for (let count = 0; count < 12; count++) await refund(1)
    const jobs = queued('settle-refund')
    await Promise.all([...jobs, ...jobs].map((payload) => settleRefund(deps, payload)))
    const notes = await creditNotes()
    expect(notes.map(({ number }) => number)).toEqual(numbersTo(12))
    expect(new Set(notes.map(({ refund_id }) => refund_id)).size).toBe(12)
  })

  it('a number that was rolled back is given to the next refund', async () => {
    const { deps, refund, settle, numbers, fixtures } = await setUp()
    await refund(100)
    const { id: refundId } = await deps.db
      .selectFrom('ledger')
      .select('id')
      .where('kind', '=', 'refund')
      .executeTakeFirstOrThrow()
    const rolledBack = inTransaction(deps.db, async (tx) => {
      await issueCreditNote(tx, { studioId: fixtures.studioId, refundId, issuedAt: deps.clock() })
      throw new Error('the server stopped')
    })
    await expect(rolledBack).rejects.toThrow('the server stopped')
    await settle()
    expect(await numbers()).toEqual(numbersTo(1))
  })

  it('numbers start at one in each year, in the studio’s time zone', async () => {
    const { refund, settle, numbers, time, deps } = await setUp()
    await refund(100)
    await settle()
    await refund(100)
    // 10:00 UTC on December 31st is the first day of the next year in Kiritimati.
    time.advance(Date.parse('2027-12-31T10:00:00Z') - deps.clock().getTime())
    await settle()
    expect(await numbers()).toEqual(['CN-2027-000001', 'CN-2028-000001'])
  })

  it('refunds that are pending or were never made have no number', async () => {
    const { deps, refund, settle, numbers, customerRefunds } = await setUp()
    await refund(100)
    expect(await customerRefunds()).toMatchObject([{ state: 'pending', creditNote: null }])
    const refuse = async () => ({ state: 'failed', message: 'The card is gone' }) as const
    await settle({ ...deps, payment: { ...deps.payment, refund: refuse } })
    expect(await customerRefunds()).toMatchObject([{ state: 'failed', creditNote: null }])
    expect(await numbers()).toEqual([])
  })

  it('a refund of cash has its number at once', async () => {
    const { deps, refund, readDocument, urlOf, numbers } = await setUp()
    await deps.db.updateTable('ledger').set({ provider: 'cash' }).execute()
    await refund(100)
    await refund(200)
    expect(await numbers()).toEqual(numbersTo(2))
    const { pages } = await readDocument(urlOf('CN-2027-000002.pdf'))
    expect(pages[0]).toContain('Refund at the studio $2.00 Includes sales tax of $0.13 Reason: A bent print')
  })

  it('customers and staff see the number of a refund, and its document', async () => {
    const { app, refund, settle, staffRequest, orderNumber, customerRefunds, urlOf, fetchDocument, readDocument } =
      await setUp()
    await refund(1_000)
    await settle()
    expect(await customerRefunds()).toMatchObject([{ amountCents: 1_000, creditNote: 'CN-2027-000001' }])
    const { data: order } = await staffRequest('GET', `orders/${orderNumber}`)
    expect(order.ledger).toMatchObject([{ creditNote: null }, { kind: 'refund', creditNote: 'CN-2027-000001' }])
    const { pages, title } = await readDocument(urlOf('CN-2027-000001.pdf'))
    expect(title).toBe('Credit note CN-2027-000001')
    expect(pages).toEqual([
      [
        'Riverside Portraits Riverside Żółć LLC 48 Mill Street Dayton, OH 45402 (937) 555-0100 hello@riverside.test',
        `Credit note CN-2027-000001 Issued on 04/16/2027 Order ${orderNumber} Spring Portraits`,
        'Customer Grace Hopper Grace@Example.com 937-555-0142',
        'Refund to the card ending in 4242 $10.00 Includes sales tax of $0.65 Reason: A bent print Total refunded $10.00',
        'Questions? Riverside Portraits, (937) 555-0100, hello@riverside.test',
        'Credit note CN-2027-000001 · Page 1 of 1',
      ].join(' '),
    ])
    const { data: link } = await staffRequest('GET', `orders/${orderNumber}/documents/CN-2027-000001.pdf`)
    const document = await app.inject(link.url)
    expect(document.rawPayload).toEqual((await fetchDocument(urlOf('CN-2027-000001.pdf'))).rawPayload)
  })

  it('the credit note of a refund that fails afterwards is void, and its number is not given again', async () => {
    const { deps, refund, settle, numbers, readDocument, urlOf, customerRefunds } = await setUp()
    await refund(1_000)
    await settle()
    const refuse = async () => ({ state: 'failed', message: 'The account was closed' }) as const
    await settle({ ...deps, payment: { ...deps.payment, refund: refuse } })
    expect(await customerRefunds()).toMatchObject([{ state: 'failed', creditNote: 'CN-2027-000001' }])
    const { pages } = await readDocument(urlOf('CN-2027-000001.pdf'))
    expect(pages[0]).toContain('Void: this refund could not be made')
    expect(pages[0]).toContain('Total refunded $0.00')
    expect(pages[0]).not.toContain('sales tax')
    await refund(1_000)
    await settle()
    expect(await numbers()).toEqual(numbersTo(2))
  })

  it('another order’s credit note and an unknown number are not found', async () => {
    const { order, refund, settle, urlOf, fetchDocument, fixtures, app, headers } = await setUp()
    await refund(100)
    await settle()
    const otherNumber = await order()
    await app.inject({ url: `/api/customer/cart/search/?orderNumber=${otherNumber}&email=grace@example.com`, headers })
    const statusOf = async (url: string) => (await fetchDocument(url)).statusCode
    expect(await statusOf(urlOf('CN-2027-000001.pdf', fixtures.jobId, otherNumber))).toBe(404)
    expect(await statusOf(urlOf('receipt.pdf', fixtures.jobId, otherNumber))).toBe(200)
    expect(await statusOf(urlOf('CN-2027-000002.pdf'))).toBe(404)
    expect(await statusOf(urlOf('CN-2027-000001.pdf'))).toBe(200)
  })
})
