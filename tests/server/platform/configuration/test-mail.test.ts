import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { smtpMail } from '#server/adapters/mail-smtp.ts'
import { readMailSender } from '#server/configuration/read-settings.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { smtpSink } from '#support/server/smtp-sink.ts'
import { testDeps } from '#support/server/test-app.ts'
import { configurationUrl, createConfigurationFixtures } from './configuration-fixtures.ts'

describe.each(enginesFor(import.meta.filename))('the test email on $name', (engine) => {
  const database = freshDatabase(engine)
  let sink: Awaited<ReturnType<typeof smtpSink>>
  beforeAll(async () => {
    sink = await smtpSink()
  })
  afterAll(() => sink.close())

  /** A product that sends by SMTP; with `isSent: false` one that only logs emails. */
  const setUp = async ({ isSent = true } = {}) => {
    Object.assign(sink.behaviour, { refuse: () => undefined, sender: undefined, broken: false })
    sink.delivered.length = 0
    const { db, settings } = testDeps(database())
    const readSender = () => readMailSender(db, { settings })
    const mail = smtpMail({ db, clock: () => new Date() }, { url: sink.url, readSender })
    onTestFinished(() => mail.close())
    const fixtures = await createConfigurationFixtures(database(), isSent ? { mail } : {})
    const { request, change } = fixtures
    await change('mail-sender-address', 'shop@pictures.test')
    const sendTest = () => request('POST', `${configurationUrl}/test-mail`, {})
    const readLog = () => db.selectFrom('mail_log').select(['kind', 'to_email', 'state', 'error']).execute()
    return { ...fixtures, sendTest, readLog }
  }

  it('goes to the administrator from the sender that is set, with the answer of the mail server', async () => {
    const { change, sendTest, readLog } = await setUp()
    await change('mail-sender-name', 'Pictures')
    const { data } = await sendTest()
    expect(data).toEqual({ to: 'alex@platform.test', state: 'sent', answer: expect.stringMatching(/^250 /) })
    expect(sink.delivered).toMatchObject([{ to: ['alex@platform.test'] }])
    expect(sink.delivered[0]?.raw).toContain('From: Pictures <shop@pictures.test>')
    expect(await readLog()).toEqual([{ kind: 'test', to_email: 'alex@platform.test', state: 'sent', error: null }])
  })

  it.each([
    ['rejects the recipient', { refuse: () => ({ code: 550, message: 'No such mailbox' }) }, /No such mailbox/],
    ['rejects the sender', { sender: { code: 530, message: 'Sign in first' } }, /Sign in first/],
    ['closes the connection', { broken: true }, /\w/],
  ])('a mail server that %s is quoted, and the failure is in the mail log', async (_, behaviour, answer) => {
    const { sendTest, readLog } = await setUp()
    Object.assign(sink.behaviour, behaviour)
    const { status, data } = await sendTest()
    expect(status).toBe(200)
    expect(data).toMatchObject({ state: 'failed', answer: expect.stringMatching(answer) })
    expect(await readLog()).toMatchObject([{ kind: 'test', state: 'failed', error: expect.stringMatching(answer) }])
  })

  it('without a mail server it is only logged, and says so', async () => {
    const { sendTest, read } = await setUp({ isSent: false })
    expect((await sendTest()).data).toEqual({ to: 'alex@platform.test', state: 'kept', answer: null })
    expect((await read()).sendsMail).toBe(false)
    expect(sink.delivered).toEqual([])
  })
})
