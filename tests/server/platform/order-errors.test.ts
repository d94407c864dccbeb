import { describe, expect, it } from 'vitest'
import { recordMail } from '#server/adapters/mail-record.ts'
import { requeueStalledRefunds, settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { reconcilePayment, requeueStalledPayments } from '#server/payments/attempts/reconcile-payments.ts'
import { resolveHealedErrors } from '#server/platform/order-errors/resolve-order-errors.ts'
import { makePacket } from '#server/production/make-packet.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { createOtherTenantFixtures } from '#tests/server/access/authorization/other-tenant-fixtures.ts'

const url = '/api/admin/order-errors'
const dayMs = 24 * 60 * 60 * 1000

type ErrorRow = {
  source: string
  id: number
  studioId: number | null
  kind: string
  canRetry: boolean
  message: string
}

describe.each(enginesFor(import.meta.filename))('order errors on $name', (engine) => {
  const database = freshDatabase(engine)

  /** A studio whose payment, refund, packet, download, email and image failed. */
  const setUp = async () => {
    const { clock, advance, wait } = manualClock()
    const queue = recordingQueue()
    const sent: string[] = []
    const mailServer = { isDown: false }
    const mail = {
      send: async ({ to }: { to: { email: string } }) => {
        if (mailServer.isDown) throw new Error('the mail server does not answer')
        sent.push(to.email)
        return undefined
      },
    }
    const deps = { ...testDeps(database(), { clock, wait }), jobs: { enqueue: queue.enqueue }, mail }
    const app = await testApp(deps)
    const tenant = await createOtherTenantFixtures(deps, app)
    const { studioId, jobId } = tenant
    const permissions = ['studio.crud', 'studio.admin.crud'] as const
    const user = { email: 'admin@errors.test' }
    const { staffRequest: request } = await staffClient(deps, app, studioId, { permissions, user })

    advance(dayMs + 1)
    await requeueStalledPayments(deps)
    await requeueStalledRefunds(deps)
    const renderPrint = () => Promise.reject(new Error('no file is read'))
    const signal = new AbortController().signal
    await makePacket({ deps, key: { studioId, packetId: tenant.packetId }, renderPrint, signal })
    const download = { stage: 'download', message: 'The original of image 7 is missing and can’t be downloaded' }
    const ofOrder = { studio_id: studioId, job_id: jobId, order_number: tenant.orderNumber, created_at: clock() }
    await deps.db
      .insertInto('order_errors')
      .values({ ...ofOrder, ...download })
      .execute()
    const message = { studioId, kind: 'receipt', to: { name: 'Ada', email: 'ada@home.test' }, secrets: [] }
    const { id: mailId } = await recordMail(
      deps,
      { ...message, key: 'receipt', subject: 'Your order', text: 'Thank you', html: '' },
      'failed',
    )
    await deps.db
      .updateTable('mail_log')
      .set({ error: '550 no mailbox <ada@home.test> here' })
      .where('id', '=', mailId)
      .execute()
    const refused = { state: 'refused', refusal: 'This file is not an image' } as const
    const imageId = await given(deps).image({ studioId, jobId }, refused)

    const list = async (query = ''): Promise<ErrorRow[]> => (await request('GET', `${url}?${query}`)).data.resultItems
    const kinds = async (query = '') => (await list(query)).map(({ kind }) => kind).toSorted()
    const keyOf = async (kind: string) => {
      const [{ source, id, studioId: ofStudio } = { source: '', id: 0, studioId: null }] = await list(`kind=${kind}`)
      return { source, id, studioId: ofStudio }
    }
    const retry = async (...names: string[]) => {
      const errors = []
      for (const name of names) errors.push(await keyOf(name))
      return await request('POST', `${url}/retry`, { errors })
    }
    const queued = (name: string) => queue.jobs.filter((job) => job.name === name).map(({ payload }) => payload)
    return { deps, tenant, request, list, kinds, keyOf, retry, queued, sent, mailServer, imageId, advance }
  }

  it('all that failed is listed by cause and singly, filtered by kind, studio, time and order, with addresses masked', async () => {
    const { tenant, request, list, kinds } = await setUp()
    const all = ['download', 'email', 'image', 'packet', 'payment', 'refund']
    expect(await kinds()).toEqual(all)
    const { data } = await request('GET', `${url}/causes`)
    expect(data.totalRecords).toBe(6)
    const email = data.resultItems.find(({ kind }: { kind: string }) => kind === 'email')
    expect(email).toMatchObject({ message: '550 no mailbox <•••> here', count: 1, studioCount: 1 })
    expect(await kinds(`cause=${email.cause}`)).toEqual(['email'])
    expect(await kinds(`filter=${tenant.orderNumber.toLowerCase()}`)).toContain('download')
    expect(await kinds(`studioId=${tenant.studioId + 1}`)).toEqual([])
    expect(await kinds('to=2020-01-01T00:00:00Z')).toEqual([])
    expect(await kinds('state=resolved')).toEqual([])
    expect(JSON.stringify(await list())).not.toContain('ada@')
    expect((await request('GET', '/api/admin/home')).data.waiting.orderErrors).toBe(6)
  })

  it('errors with the same message but for its numbers have one cause', async () => {
    const { deps, tenant, request } = await setUp()
    const message = 'The original of image 12 is missing and can’t be downloaded'
    await deps.db
      .insertInto('order_errors')
      .values({ studio_id: tenant.studioId, stage: 'download', message, created_at: deps.clock() })
      .execute()
    const { data } = await request('GET', `${url}/causes?kind=download`)
    expect(data.resultItems).toMatchObject([{ count: 2 }])
  })

  it('a retry starts the work of each error again, and errors whose cause is gone leave the list', async () => {
    const { deps, tenant, kinds, retry, queued, sent, imageId, advance } = await setUp()
    const { studioId } = tenant
    const before = queued('reconcile-payment').length
    const answer = await retry('payment', 'refund', 'packet', 'download', 'email', 'image')
    expect(answer.data).toEqual({ done: 6, refusals: [], remaining: 0 })
    expect(queued('reconcile-payment')).toHaveLength(before + 1)
    expect(queued('make-packet')).toContainEqual({ studioId, packetId: tenant.packetId })
    expect(queued('make-variants')).toContainEqual({ studioId, imageId })
    expect(queued('compose-downloads')).toHaveLength(1)
    expect(sent).toEqual(['ada@home.test'])
    // A retry alone does not resolve what is not known to be repaired.
    expect(await kinds()).toEqual(['packet', 'payment', 'refund'])

    advance(1000)
    const { attemptId } = tenant.pendingAttempt
    await reconcilePayment(deps, { studioId, attemptId })
    for (const payload of queued('settle-refund')) await settleRefund(deps, payload)
    await deps.db
      .updateTable('packets')
      .set({ state: 'ready', error: null })
      .where('id', '=', tenant.packetId)
      .execute()
    await resolveHealedErrors(deps)
    expect(await kinds()).toEqual([])
    expect(await kinds('state=resolved')).toEqual(['download', 'email', 'packet', 'payment', 'refund'])
    const audited = deps.db
      .selectFrom('audit_log')
      .select('action')
      .where('action', 'in', ['order-error.retried', 'mail.resent'])
    expect(await audited.execute()).toHaveLength(6)
  })

  it('an email that fails again and money that needs a person are refused with the reason, and the others are retried', async () => {
    const { deps, tenant, kinds, retry, keyOf, request, mailServer } = await setUp()
    mailServer.isDown = true
    const payment = await keyOf('payment')
    await reconcilePayment(deps, { studioId: tenant.studioId, attemptId: tenant.pendingAttempt.attemptId })
    const answer = await retry('email', 'payment', 'image')
    expect(answer.data).toMatchObject({ done: 1, refusals: [{ source: 'email' }, { ...payment }] })
    expect(answer.data.refusals.map(({ message }: { message: string }) => message)).toEqual([
      'The mail server did not accept this email. Please try again later',
      expect.stringContaining('A retry cannot resolve this'),
    ])
    expect(await kinds()).toContain('email')
    const unknown = { source: 'order', id: 999_999, studioId: tenant.studioId }
    expect((await request('POST', `${url}/retry`, { errors: [unknown] })).data.refusals).toMatchObject([
      { message: 'This is resolved already' },
    ])
    // The key of another studio is not the error.
    const foreign = { ...(await keyOf('email')), studioId: tenant.studioId + 1 }
    expect((await request('POST', `${url}/ignore`, { errors: [foreign], reason: 'x' })).data.done).toBe(0)
  })

  it('errors are ignored with a reason, singly and all that match, and stay as resolved', async () => {
    const { deps, list, kinds, keyOf, request } = await setUp()
    const errors = [await keyOf('email'), await keyOf('download')]
    expect((await request('POST', `${url}/ignore`, { errors, reason: '  ' })).fields).toEqual({
      reason: ['This field is required'],
    })
    expect((await request('POST', `${url}/ignore`, { errors, reason: 'Called the parent' })).data.done).toBe(2)
    expect((await request('POST', `${url}/ignore`, { errors, reason: 'Called the parent' })).data).toMatchObject({
      done: 0,
    })
    expect(await list('state=resolved&kind=email')).toMatchObject([
      { resolution: 'Called the parent', resolvedBy: 'Token User', canRetry: false },
    ])
    const all = { kind: 'image' }
    expect((await request('POST', `${url}/ignore`, { all, reason: 'A test' })).data).toMatchObject({
      done: 1,
      remaining: 0,
    })
    expect(await kinds()).toEqual(['packet', 'payment', 'refund'])
    const audited = deps.db.selectFrom('audit_log').select('detail').where('action', '=', 'order-error.ignored')
    expect(await audited.execute()).toHaveLength(3)
  })
})
