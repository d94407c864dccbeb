import type { LightMyRequestResponse } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { readPdf } from '#support/files/read-pdf.ts'
import { createStaffOrderFixtures } from '../staff/staff-order-fixtures.ts'

/** An order of a studio in the earliest time zone, and a customer and staff who read its documents. */
export const createDocumentFixtures = async (database: Parameters<typeof createStaffOrderFixtures>[0]) => {
  const staffOrders = await createStaffOrderFixtures(database)
  const { deps, app, fixtures, staffRequest, queued } = staffOrders
  await deps.db
    .updateTable('studios')
    .set({
      ...{ name: 'Riverside Portraits', legal_name: 'Riverside Żółć LLC', time_zone: 'Pacific/Kiritimati' },
      ...{ contact_email: 'hello@riverside.test', contact_phone: '(937) 555-0100' },
      address: JSON.stringify({ address1: '48 Mill Street', city: 'Dayton', state: 'OH', zip: '45402' }),
    })
    .where('id', '=', fixtures.studioId)
    .execute()
  const orderNumber = await staffOrders.order()
  const { headers } = await fixtures.enter()
  await app.inject({
    url: `/api/customer/cart/search/?orderNumber=${orderNumber}&email=grace@example.com`,
    headers,
  })
  const urlOf = (documentName = 'receipt.pdf', jobId = fixtures.jobId, number = orderNumber) =>
    `/api/customer/jobs/${jobId}/orders/${number}/documents/${documentName}`
  const fetchDocument = (
    url = urlOf(),
    callerHeaders: Record<string, string> = headers,
  ): Promise<LightMyRequestResponse> => app.inject({ url, headers: callerHeaders })
  const readDocument = async (url?: string) => await readPdf((await fetchDocument(url)).rawPayload)
  const refund = async (amountCents: number) => {
    await staffRequest('POST', `orders/${orderNumber}/refunds`, { amountCents, reason: 'A bent print' })
  }
  /** Settles every refund in the queue, those that were settled before included. */
  const settle = async (settlingDeps: Deps = deps) => {
    for (const payload of queued('settle-refund')) await settleRefund(settlingDeps, payload)
  }
  return { ...staffOrders, orderNumber, headers, urlOf, fetchDocument, readDocument, refund, settle }
}
