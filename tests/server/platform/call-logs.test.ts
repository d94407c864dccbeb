import { describe, expect, it } from 'vitest'
import { recordMail } from '#server/adapters/mail-record.ts'
import { sendReceiptEmail } from '#server/orders/emails/order-emails.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addOrder } from '../discovery/job-fixtures.ts'
import { readyToPay } from '../payments/checkout-driver.ts'

const taxUrl = '/api/admin/vertex-logs'
const mailUrl = '/api/admin/sendgrid-logs'

describe.each(enginesFor(import.meta.filename))('the logs of tax requests and emails on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const { studioId, jobId } = await given(deps).job(await given(deps).studio())
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request } = await staffClient(deps, app, studioId, { permissions })
    const receipt = {
      ...{ key: 'receipt 1', studioId, kind: 'receipt', to: { name: 'Ada', email: 'ada@example.com' } },
      ...{ subject: 'Your order', text: 'Prints of Ada', html: '<p>Prints of Ada</p>', secrets: [] },
    }
    return { deps, request, studioId, jobId, receipt }
  }

  it('a tax request is found by its order, state and time, with its personal data masked', async () => {
    const { deps, request, studioId, jobId } = await setUp()
    const checkoutId = '00000000-0000-4000-8000-000000000001'
    const orderId = await addOrder(deps, { studioId, jobId })
    const order = await deps.db
      .updateTable('orders')
      .set({ checkout_id: checkoutId })
      .where('id', '=', orderId)
      .returning('order_number')
      .executeTakeFirstOrThrow()
    const destination = { postalCode: '45402', mainDivision: 'OH', streetAddress1: '1 Main St', customerName: 'Ada' }
    const call = { studio_id: studioId, request: JSON.stringify({ customer: { destination } }) }
    const answered = {
      ...call,
      checkout_id: checkoutId,
      status: 200,
      answer: '{"data":{"apiKey":"k","tax":1}}',
    }
    const failed = { ...call, status: 503, error: 'the tax service answered 503', created_at: '2020-01-01T00:00:00Z' }
    await deps.db.insertInto('tax_log').values([answered, failed]).execute()
    const statuses = async (query: string) =>
      (await request('GET', `${taxUrl}?${query}`)).data.resultItems.map(({ status }: { status: number }) => status)
    expect(await statuses(`studioId=${studioId}`)).toEqual([200, 503])
    for (const query of ['state=failed', 'to=2020-02-01T00:00:00Z']) expect(await statuses(query)).toEqual([503])
    for (const query of ['state=answered', `filter=${order.order_number.toLowerCase()}`])
      expect(await statuses(query)).toEqual([200])
    const masked = { postalCode: '454•••', mainDivision: 'OH', streetAddress1: '•••', customerName: '•••' }
    const { data } = await request('GET', taxUrl)
    expect(data.resultItems[0]).toMatchObject({
      ...{ orderNumber: order.order_number, request: { customer: { destination: masked } } },
      answer: { data: { apiKey: '•••', tax: 1 } },
    })
  })

  it('an email is found by its recipient and state without its text, and sent again as a new one', async () => {
    const { deps, request, receipt } = await setUp()
    const { id } = await recordMail(deps, receipt, 'failed')
    const { data } = await request('GET', `${mailUrl}?filter=ADA@example.com&state=failed`)
    expect(data.resultItems).toMatchObject([{ id, kind: 'receipt', to: 'a•••@example.com', canResend: true }])
    expect(JSON.stringify(data)).not.toMatch(/Prints|ada@/)
    expect((await request('POST', `${mailUrl}/${id}/resend`, {})).status).toBe(200)
    const mails = await deps.db
      .selectFrom('mail_log')
      .select(['state', 'to_email', 'body_html'])
      .orderBy('id')
      .execute()
    const sent = { to_email: 'ada@example.com', body_html: receipt.html }
    expect(mails).toEqual([
      { ...sent, state: 'failed' },
      { ...sent, state: 'kept' },
    ])
    const audited = deps.db.selectFrom('audit_log').select(['action', 'entity_id'])
    expect(await audited.execute()).toEqual([{ action: 'mail.resent', entity_id: String(id) }])
  })

  it('the emails of an order are found by its number, and staff see them in the order', async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const { driver, submitBody, fixtures } = await readyToPay(deps, app)
    const { studioId, jobId } = fixtures
    await grantSupportAccess(deps, studioId)
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const { staffRequest: request } = await staffClient(deps, app, studioId, { permissions })
    const { orderNumber } = (await driver.submit(submitBody())).data
    const { id: orderId } = await deps.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
    await sendReceiptEmail(deps, { studioId, orderId })
    const other = {
      key: 'invitation 1',
      studioId,
      kind: 'invitation',
      to: { name: 'Grace', email: 'grace@example.com' },
    }
    await deps.mail.send({ ...other, subject: 'Join', text: 'Join', html: 'Join', secrets: [] })
    const { data } = await request('GET', `${mailUrl}?filter=${orderNumber.toLowerCase()}`)
    expect(data.resultItems).toMatchObject([{ kind: 'receipt', orderNumber, jobId, canResend: true }])
    const [{ id }] = data.resultItems
    expect((await request('POST', `${mailUrl}/${id}/resend`, {})).status).toBe(200)
    const { data: order } = await request('GET', `jobs/${jobId}/orders/${orderNumber}`)
    expect(order.emails).toMatchObject([
      { kind: 'receipt', state: 'kept' },
      { id, kind: 'receipt', state: 'kept' },
    ])
  })

  it('an email with a secret, without its text, or that the mail server refuses is not sent again', async () => {
    const { deps, request, receipt } = await setUp()
    const secret = await recordMail(deps, { ...receipt, secrets: ['Prints'] }, 'sent')
    const old = await recordMail(deps, { ...receipt, key: 'receipt 2', text: '' }, 'sent')
    for (const { id } of [secret, old]) expect((await request('POST', `${mailUrl}/${id}/resend`, {})).status).toBe(422)
    expect((await request('POST', `${mailUrl}/999/resend`, {})).status).toBe(404)
    const { data } = await request('GET', mailUrl)
    expect(data.resultItems.map(({ canResend }: { canResend: boolean }) => canResend)).toEqual([false, false])
  })
})
