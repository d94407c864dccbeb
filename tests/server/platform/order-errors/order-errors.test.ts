import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { smtpMail } from '#server/adapters/mail-smtp.ts'
import type { Deps } from '#server/deps.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { printItem } from '#server/images/print/print-file.ts'
import { makeVariantsOf } from '#server/images/serving/make-variants.ts'
import { readWholeFile } from '#server/images/store/image-files.ts'
import { settleRefund } from '#server/orders/adjustments/settle-refunds.ts'
import { reconcilePayment } from '#server/payments/attempts/reconcile-payments.ts'
import { makePacket } from '#server/production/make-packet.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { defineQueue } from '#server/queue/queue.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { smtpSink } from '#support/server/smtp-sink.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'
import { cornersSvg } from '#tests/server/images/image-samples.ts'
import { readyToPay, unreliablePayment } from '#tests/server/payments/checkout-driver.ts'

const url = '/api/admin/order-errors'
const permissions = ['studio.crud', 'studio.admin.crud', 'studio.financials.read'] as const
const render = createRenderer()

type Entry = { kind: string; id: string }

describe.each(enginesFor(import.meta.filename))('order errors on $name', { timeout: 60_000 }, (engine) => {
  const database = freshDatabase(engine)

  /** An administrator, and an order that is ready to be paid. `override` replaces parts of the server. */
  const setUp = async (override: (deps: Deps) => Partial<Deps> = () => ({})) => {
    const time = manualClock()
    const { jobs, enqueue } = recordingQueue()
    const defaultDeps = testDeps(database(), { ...time, jobs: { enqueue } })
    const deps: Deps = { ...defaultDeps, ...override(defaultDeps) }
    const app = await testApp(deps)
    const checkout = await readyToPay(deps, app)
    const { studioId, jobId } = checkout.fixtures
    const { staffRequest: request } = await staffClient(deps, app, studioId, { permissions })
    await grantSupportAccess(deps, studioId)
    const errors = async (query = '') => (await request('GET', `${url}?${query}`)).data.resultItems
    const act = async (action: 'retry' | 'ignore' | 'reopen', entries: readonly Entry[], reason?: string) => {
      const which = { errors: entries.map(({ kind, id }) => ({ kind, id })) }
      return (await request('POST', `${url}/${action}`, { which, ...(reason !== undefined && { reason }) })).data
    }
    const payloads = (queue: string) => jobs.filter(({ name }) => name === queue).map(({ payload }) => payload)
    const audited = async () => {
      const rows = await deps.db.selectFrom('audit_log').select(['action', 'detail', 'user_id']).orderBy('id').execute()
      return rows.filter(({ action }) => action.startsWith('order-error.'))
    }
    return { deps, app, time, checkout, studioId, jobId, request, errors, act, payloads, audited }
  }

  const done = { done: 1, refused: [], rest: 0 }
  const gone = { done: 0, refused: [{ reason: 'It was resolved or decided meanwhile', count: 1 }], rest: 0 }

  it('a payment without an outcome is asked about again, and leaves the list when the provider answers', async () => {
    const connection = { current: unreliablePayment(testDeps(database()).payment) }
    const { checkout, errors, act, payloads, deps, audited, studioId } = await setUp(({ payment }) => {
      connection.current = unreliablePayment(payment)
      return { payment: connection.current.payment }
    })
    Object.assign(connection.current.broken, { charge: 'after', find: true })
    expect((await checkout.driver.submit(checkout.submitBody())).status).toBe(409)
    const [entry] = await errors()
    expect(entry).toMatchObject({
      ...{
        kind: 'payment',
        studioId,
        orderNumbers: [],
        amountCents: checkout.totalCents,
        canRetry: true,
        ignored: null,
      },
      message: 'The payment provider has not said what became of this payment',
    })
    expect(await act('retry', [entry])).toEqual(done)
    const key = { studioId, attemptId: entry.id }
    expect(payloads('reconcile-payment').at(-1)).toEqual(key)
    await expect(reconcilePayment(deps, key)).rejects.toThrow()
    expect(await errors('kind=payment')).toHaveLength(1)
    connection.current.broken.find = false
    await reconcilePayment(deps, key)
    expect(await errors()).toEqual([])
    expect(await audited()).toMatchObject([
      { action: 'order-error.retried', detail: { kind: 'payment', id: entry.id } },
    ])
    expect(await act('retry', [entry])).toEqual(gone)
  })

  it('a refused refund is replaced by another one, once, and is shown with its order', async () => {
    const provider = { refuses: true }
    const { checkout, errors, act, payloads, deps, request, jobId } = await setUp(({ payment }) => ({
      payment: {
        ...payment,
        refund: async (refund) =>
          provider.refuses ? { state: 'failed', message: 'The card is gone' } : await payment.refund(refund),
      },
    }))
    const { orderNumber } = (await checkout.driver.submit(checkout.submitBody())).data
    await checkout.driver.request('POST', `orders/${orderNumber}/cancel`, { body: {} })
    await settleRefund(deps, payloads('settle-refund')[0] as never)
    const [entry] = await errors(`filter=${orderNumber.toLowerCase()}`)
    expect(entry).toMatchObject({ kind: 'refund', orderNumbers: [orderNumber], message: 'The card is gone', jobId })
    const order = await request('GET', `orders/${orderNumber}`, undefined, { jobId })
    expect(order.data.errors).toMatchObject([{ kind: 'refund', message: 'The card is gone' }])
    const answers = [await act('retry', [entry]), await act('retry', [entry])]
    expect(answers).toEqual([done, gone])
    expect(await errors()).toEqual([])
    const [, second] = payloads('settle-refund')
    await settleRefund(deps, second as never)
    expect(await errors()).toMatchObject([{ kind: 'refund', message: 'The card is gone' }])
    provider.refuses = false
    await act('retry', await errors())
    await settleRefund(deps, payloads('settle-refund')[2] as never)
    expect(await errors()).toEqual([])
    const states = await deps.db
      .selectFrom('ledger')
      .select('state')
      .where('kind', '=', 'refund')
      .orderBy('id')
      .execute()
    expect(states.map(({ state }) => state)).toEqual(['failed', 'failed', 'done'])
  })

  it('a refused refund that staff made by another way is not listed any more, and cannot be made twice', async () => {
    const provider = { refuses: true }
    const { checkout, errors, act, payloads, deps, request, jobId } = await setUp(({ payment }) => ({
      payment: {
        ...payment,
        refund: async (refund) =>
          provider.refuses ? { state: 'failed', message: 'The card is gone' } : await payment.refund(refund),
      },
    }))
    const { orderNumber } = (await checkout.driver.submit(checkout.submitBody())).data
    const refund = (amountCents: number) =>
      request('POST', `orders/${orderNumber}/refunds`, { amountCents, reason: 'Late' }, { jobId })
    await refund(checkout.totalCents - 1)
    await settleRefund(deps, payloads('settle-refund')[0] as never)
    const listed = await errors()
    provider.refuses = false
    await refund(5)
    expect(await act('retry', listed)).toMatchObject({ done: 0, refused: [{ count: 1 }] })
    await refund(checkout.totalCents - 5)
    expect(await errors()).toEqual([])
  })

  it('an email that the mail server refuses is sent again under its own key', async () => {
    const sink = await smtpSink()
    onTestFinished(() => sink.close())
    sink.behaviour.refuse = () => ({ code: 550, message: 'no such mailbox' })
    const { deps, errors, act, studioId } = await setUp(({ db, clock }) => ({
      mail: smtpMail(
        { db, clock },
        {
          url: sink.url,
          readSender: async () => ({ name: 'Fieldproof', address: 'orders@fieldproof.test', replyTo: '' }),
        },
      ),
    }))
    const message = {
      ...{ key: 'receipt 1', studioId, kind: 'receipt', to: { name: 'Ada', email: 'ada@example.com' } },
      ...{ subject: 'Your order', text: 'Prints of Ada', html: '<p>Prints of Ada</p>' },
    }
    await deps.mail.send({ ...message, secrets: [] })
    await deps.mail.send({ ...message, key: 'downloads 1', kind: 'downloads', secrets: ['Prints'] })
    const entries = await errors('kind=email')
    expect(entries).toMatchObject([
      { detail: 'receipt', canRetry: true, message: expect.stringContaining('no such mailbox') },
      { detail: 'downloads', canRetry: false },
    ])
    expect(JSON.stringify(entries)).not.toContain('ada@')
    const secret = { reason: 'Its link was secret and is not stored. Send it again from where it was sent', count: 1 }
    const refusing = { reason: 'The mail server did not accept this email', count: 1 }
    expect(await act('retry', entries)).toEqual({ done: 0, refused: [refusing, secret], rest: 0 })
    sink.behaviour.refuse = () => undefined
    expect(await act('retry', entries)).toEqual({ done: 1, refused: [secret], rest: 0 })
    expect(sink.delivered).toHaveLength(1)
    expect(await errors()).toMatchObject([{ detail: 'downloads' }])
    const rows = await deps.db.selectFrom('mail_log').select(['kind', 'state']).orderBy('id').execute()
    expect(rows).toEqual([
      { kind: 'receipt', state: 'sent' },
      { kind: 'downloads', state: 'failed' },
    ])
  })

  it('an email that failed before mails were only recorded is recorded by a retry', async () => {
    const { deps, errors, act, studioId } = await setUp()
    const values = {
      kind: 'receipt',
      to_email: 'ada@example.com',
      subject: '',
      body_text: 'Prints',
      state: 'failed',
    } as const
    await deps.db
      .insertInto('mail_log')
      .values({ ...values, studio_id: studioId, provider_reference: 'receipt 1' })
      .execute()
    expect(await act('retry', await errors())).toEqual(done)
    expect(await errors()).toEqual([])
  })

  it('a broken image is made again when its file is back', async () => {
    const { deps, errors, act, payloads, checkout, studioId } = await setUp()
    const imageId = checkout.fixtures.adaImageId
    const key = `studios/${studioId}/images/broken/original`
    await deps.files.put(key, Buffer.from('this is not an image'))
    const processing = { original_key: key, state: 'processing', preview_mark: null } as const
    await deps.db.updateTable('image_lookups').set(processing).where('id', '=', imageId).execute()
    const makeVariants = () => makeVariantsOf(deps, { studioId, imageId }, { render })
    await makeVariants()
    const [entry] = await errors()
    expect(entry).toMatchObject({ kind: 'image', id: String(imageId), orderNumbers: [], canRetry: true })
    expect(await act('retry', [entry])).toEqual(done)
    expect(payloads('make-variants')).toEqual([{ studioId, imageId }])
    expect(await errors()).toEqual([])
    await makeVariants()
    expect(await errors()).toHaveLength(1)
    await deps.files.put(key, await sharp(cornersSvg(240, 300)).jpeg().toBuffer())
    await act('retry', await errors())
    await makeVariants()
    expect(await errors()).toEqual([])
    const image = deps.db.selectFrom('image_lookups').select('state').where('id', '=', imageId)
    expect(await image.executeTakeFirst()).toEqual({ state: 'ready' })
  })

  it('a failed packet is made again, and shown again if it fails after it was ignored', async () => {
    const { deps, time, errors, act, payloads, checkout, studioId, jobId, request, audited } = await setUp()
    const imageId = checkout.fixtures.adaImageId
    const key = `studios/${studioId}/images/${imageId}/original`
    await deps.files.put(key, await sharp(cornersSvg(2400, 3000)).jpeg().toBuffer())
    await deps.db.updateTable('image_lookups').set({ original_key: key }).where('id', '=', imageId).execute()
    const original = (await readWholeFile(deps.files, key)) ?? Buffer.alloc(0)
    const { orderNumber } = (await checkout.driver.submit(checkout.submitBody())).data
    await request('POST', 'orders/submit', { orderNumbers: [orderNumber] }, { jobId })
    const make = async () => {
      const [packet] = payloads('make-packet')
      await makePacket({ deps, key: packet as never, renderPrint: printItem, signal: new AbortController().signal })
    }
    await deps.files.remove(key)
    await make()
    const [entry] = await errors(`studioId=${studioId}&kind=packet`)
    expect(entry).toMatchObject({ orderNumbers: [orderNumber], detail: `Packet ${entry.id}`, studioName: 'riverside' })
    expect(await act('ignore', [entry], 'Known outage')).toEqual(done)
    expect(await errors()).toEqual([])
    const ignored = await errors('state=ignored')
    expect(ignored).toMatchObject([{ id: entry.id, ignored: { by: 'Token User', reason: 'Known outage' } }])
    expect(await act('reopen', ignored)).toEqual(done)
    expect(await errors()).toHaveLength(1)
    await act('ignore', [entry], 'Known outage')
    time.advance(1000)
    await request('POST', `packets/${entry.id}/again`, {}, { jobId })
    await make()
    expect(await errors()).toMatchObject([{ kind: 'packet', ignored: null }])
    await deps.files.put(key, original)
    expect(await act('retry', await errors())).toEqual(done)
    await make()
    expect(await errors()).toEqual([])
    const actions = (await audited()).map(({ action, detail }) => [action, detail])
    expect(actions).toEqual([
      ['order-error.ignored', { kind: 'packet', id: entry.id, reason: 'Known outage' }],
      ['order-error.reopened', { kind: 'packet', id: entry.id }],
      ['order-error.ignored', { kind: 'packet', id: entry.id, reason: 'Known outage' }],
      ['order-error.retried', { kind: 'packet', id: entry.id }],
    ])
  })

  it('background work that used all its retries runs again', async () => {
    const attempts: string[] = []
    const failing = { isBroken: true }
    const table = { 'remove-files': defineQueue<{ folders: string[]; keys: string[] }>({ retries: 0 }) }
    const jobs = await startBackgroundJobs({ database: database(), log: silentLog, queues: table, pollSeconds: 0.5 })
    onTestFinished(() => jobs.stop())
    const { deps, errors, act } = await setUp(() => ({ jobs: jobs as never }))
    await jobs.work('remove-files', 1, async ({ payload }) => {
      attempts.push(payload.keys.join())
      if (failing.isBroken) throw new Error('the disk is full')
    })
    await deps.db.transaction().execute((tx) => jobs.enqueue(tx, 'remove-files', { folders: [], keys: ['a'] }))
    await expect
      .poll(() => errors(), { timeout: 20_000 })
      .toMatchObject([{ kind: 'background-job', message: 'remove-files: the disk is full', canRetry: true }])
    failing.isBroken = false
    expect(await act('retry', await errors())).toEqual(done)
    expect(await errors()).toEqual([])
    await expect.poll(() => attempts, { timeout: 20_000 }).toEqual(['a', 'a'])
  })

  it('a dead background job about a row that another one finished is not listed', async () => {
    const { deps, errors, studioId, checkout } = await setUp()
    const add = (queue: string, data: object) =>
      sql`insert into pgboss.job (name, data, source_name, source_output)
          values ('dead-letters', ${JSON.stringify(data)}::jsonb, ${queue}, '{"message":"timeout"}')`.execute(deps.db)
    await add('make-variants', { studioId, imageId: checkout.fixtures.adaImageId })
    await add('settle-refund', { studioId, refundLedgerId: 1 })
    await add('process-upload', { studioId, uploadId: 1 })
    expect(await errors()).toEqual([])
    await add('send-receipt', { studioId, orderId: 1 })
    expect(await errors()).toMatchObject([{ message: 'send-receipt: timeout', studioId }])
    const mail = { kind: 'receipt', to_email: 'a@x.test', subject: '', body_text: '', state: 'sent' } as const
    await deps.db
      .insertInto('mail_log')
      .values({ ...mail, studio_id: studioId, provider_reference: 'receipt 1' })
      .execute()
    expect(await errors()).toEqual([])
    await add('send-invitation-email', { invitationId: 7, nonce: 'secret' })
    expect(JSON.stringify(await errors())).not.toContain('"secret"')
    await deps.db
      .insertInto('mail_log')
      .values({ ...mail, provider_reference: 'invitation 7 x', kind: 'invitation' })
      .execute()
    expect(await errors()).toEqual([])
    await add('a-queue-of-an-old-version', { studioId })
    const [entry] = await errors()
    expect((await errors()).length).toBe(1)
    expect(entry.message).toBe('a-queue-of-an-old-version: timeout')
  })

  it('a missing file of a download is composed again, and a payment without an order can only be ignored', async () => {
    const { deps, errors, act, payloads, checkout, studioId, jobId } = await setUp()
    const { orderNumber } = (await checkout.driver.submit(checkout.submitBody())).data
    const error = { studio_id: studioId, job_id: jobId, created_at: deps.clock() }
    const latePayment = 'A payment went through after it was abandoned: it has no order and must be refunded'
    await deps.db
      .insertInto('order_errors')
      .values([
        { ...error, order_number: orderNumber, stage: 'download', message: 'The original of image 7 is missing' },
        {
          ...error,
          order_number: null,
          stage: 'payment',
          message: latePayment,
          detail: '{"about":"x","amountCents":500}',
        },
        {
          ...error,
          order_number: null,
          stage: 'payment',
          message: 'The provider has not said for a day',
          detail: null,
        },
      ])
      .execute()
    const entries = await errors()
    expect(entries).toMatchObject([{ kind: 'download' }, { kind: 'late-payment', amountCents: 500, canRetry: false }])
    const refused = [{ reason: 'Refund it at the payment provider, then ignore this error with a note', count: 1 }]
    expect(await act('retry', entries)).toEqual({ done: 1, refused, rest: 0 })
    expect(payloads('compose-downloads')).toMatchObject([{ studioId }])
    expect(await act('ignore', await errors(), 'Refunded by hand')).toEqual(done)
    expect(await errors()).toEqual([])
  })

  it('errors are grouped by their cause without its numbers, and filtered by studio, kind and time', async () => {
    const { deps, time, request, errors, studioId } = await setUp()
    const otherId = await given(deps).studio({ slug: 'lakeside' })
    const other = await given(deps).job(otherId)
    const broken = { state: 'refused', refusal: 'Page 3 of this file is broken' } as const
    await given(deps).image(other, { ...broken, updated_at: deps.clock() })
    time.advance(60_000)
    await given(deps).image(other, { ...broken, refusal: 'Page 12 of this file is broken', updated_at: deps.clock() })
    const mail = { kind: 'receipt', to_email: 'a@x.test', subject: '', body_text: '', state: 'failed' } as const
    const received = { studio_id: studioId, error: '550 for a@x.test', created_at: deps.clock() }
    await deps.db
      .insertInto('mail_log')
      .values({ ...mail, ...received })
      .execute()
    await deps.db
      .insertInto('mail_log')
      .values({ ...mail, ...received, error: '551 for bob@y.test' })
      .execute()
    const groups = async (query = '') => (await request('GET', `${url}/groups?${query}`)).data.resultItems
    const [emails, images] = (await groups()).toSorted((a: Entry, b: Entry) => a.kind.localeCompare(b.kind))
    expect(emails).toMatchObject({ kind: 'email', count: 2, studioCount: 1 })
    expect(emails.message).toMatch(/^55\d for [ab]•••@[xy]\.test$/)
    expect(images).toMatchObject({
      ...{ kind: 'image', message: 'Page 12 of this file is broken', count: 2, studioCount: 1 },
      ...{ first: '2027-04-15T10:00:00.000Z', last: '2027-04-15T10:01:00.000Z' },
    })
    expect(await errors(`groupId=${images.groupId}`)).toHaveLength(2)
    expect(await groups(`studioId=${studioId}`)).toMatchObject([{ kind: 'email' }])
    expect(await groups(`kind=image&to=2027-04-15T10:00:30Z`)).toMatchObject([{ kind: 'image', count: 1 }])
    expect(await groups('from=2027-04-15T10:02:00Z')).toEqual([])
    expect((await request('GET', '/api/admin/home')).data.waiting).toMatchObject({ orderErrors: 4, failedJobs: 0 })
  })

  it('all errors that match are handled at most 200 at a time, and unknown ones are counted', async () => {
    const { deps, request, errors, act, studioId } = await setUp()
    await sql`
      insert into mail_log (studio_id, kind, to_email, subject, body_text, state, created_at)
      select ${studioId}, 'receipt', 'a@x.test', '', '', 'failed', ${deps.clock()}::timestamptz from generate_series(1, 250)`.execute(
      deps.db,
    )
    const ignore = () => request('POST', `${url}/ignore`, { which: { matching: { kind: 'email' } }, reason: 'Test' })
    expect((await ignore()).data).toEqual({ done: 200, refused: [], rest: 50 })
    expect((await ignore()).data).toEqual({ done: 50, refused: [], rest: 0 })
    expect(await errors()).toEqual([])
    for (const id of ['999', 'x', '']) expect(await act('retry', [{ kind: 'packet', id }])).toEqual(gone)
    expect((await request('POST', `${url}/ignore`, { which: { matching: {} }, reason: '' })).status).toBe(400)
  })
})
