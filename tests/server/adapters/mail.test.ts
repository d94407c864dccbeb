import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailLog } from '#server/adapters/mail-record.ts'
import { type MailSender, smtpMail } from '#server/adapters/mail-smtp.ts'
import type { Message } from '#server/ports/mail.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { smtpSink } from '#support/server/smtp-sink.ts'

const message: Message = {
  key: 'receipt 7',
  studioId: 1,
  kind: 'receipt',
  to: { name: 'Grace Hopper', email: 'grace@example.com' },
  subject: 'Your order — Ada’s pictures',
  text: 'Thank you, Grace!',
  html: '<p>Thank you, Grace!</p>',
  secrets: [],
}

describe.each(enginesFor(import.meta.filename))('mail on $name', (engine) => {
  const database = freshDatabase(engine)
  let sink: Awaited<ReturnType<typeof smtpSink>>
  let smtp: ReturnType<typeof smtpMail>
  let sender: MailSender
  const displayedTexts: string[] = []
  const recorder = () => ({ db: database().db, clock: () => new Date('2027-04-01T10:00:00Z') })
  const readLog = () =>
    database()
      .db.selectFrom('mail_log')
      .select(['kind', 'to_email', 'state', 'attempts', 'error'])
      .orderBy('id')
      .execute()

  beforeAll(async () => {
    sink = await smtpSink()
  })
  beforeEach(() => {
    sink.delivered.length = 0
    displayedTexts.length = 0
    Object.assign(sink.behaviour, { refuse: () => undefined, sender: undefined, broken: false })
    smtp?.close()
    sender = { name: 'Fieldproof', address: 'orders@fieldproof.test', replyTo: '' }
    smtp = smtpMail(recorder(), { url: sink.url, readSender: async () => sender })
  })
  afterAll(async () => {
    smtp.close()
    await sink.close()
  })

  it.each([
    ['the log adapter', () => mailLog(recorder()), 'kept'],
    ['SMTP', () => smtp, 'sent'],
  ] as const)(
    'mail by %s sends a message once even if it is requested several times',
    async (_name, adapter, state) => {
      await adapter().send(message)
      await adapter().send({ ...message, text: 'Another text under the same key' })
      await adapter().send({ ...message, key: 'receipt 8' })
      expect((await readLog()).map((row) => [row.to_email, row.state])).toEqual([
        ['grace@example.com', state],
        ['grace@example.com', state],
      ])
      expect(sink.delivered).toHaveLength(state === 'sent' ? 2 : 0)
    },
  )

  it.each([
    ['the log adapter', () => mailLog(recorder(), ({ text }) => displayedTexts.push(text))],
    ['SMTP', () => smtp],
  ] as const)('mail by %s sends secrets in the message and writes none of them to the log', async (_name, adapter) => {
    const [text, html] = ['Open /setup?token=abc or /download/xyz', '<a href="/setup?token=abc">/download/xyz, abc</a>']
    await adapter().send({ ...message, text, html, secrets: ['abc', 'xyz'] })
    expect([...displayedTexts, ...sink.delivered.map(({ raw }) => raw)].join()).toContain(
      'Open /setup?token=abc or /download/xyz',
    )
    const logRows = await database().db.selectFrom('mail_log').select(['body_text', 'body_html']).execute()
    expect(logRows).toEqual([
      { body_text: 'Open /setup?token=… or /download/…', body_html: '<a href="/setup?token=…">/download/…, …</a>' },
    ])
  })

  it('a message arrives complete: names, both bodies, and a unique id', async () => {
    await smtp.send(message)
    const [mail] = sink.delivered
    expect(mail?.to).toEqual(['grace@example.com'])
    expect(mail?.raw).toContain('From: Fieldproof <orders@fieldproof.test>')
    expect(mail?.raw).toContain('To: Grace Hopper <grace@example.com>')
    expect(mail?.raw).toMatch(/Message-ID: <[0-9a-f]{32}@fieldproof\.test>/)
    expect(mail?.raw).toContain('Content-Type: text/plain')
    expect(mail?.raw).toContain('<p>Thank you, Grace!</p>')
  })

  it('the sender and the address for replies are read for each message', async () => {
    expect(await smtp.send(message)).toMatch(/^250 /)
    sender = { name: 'Pictures, Ltd.', address: 'shop@pictures.test', replyTo: 'help@pictures.test' }
    await smtp.send({ ...message, key: 'receipt 9' })
    const [before, after] = sink.delivered.map(({ raw }) => raw)
    expect(before).not.toContain('Reply-To:')
    expect(after).toContain('From: "Pictures, Ltd." <shop@pictures.test>')
    expect(after).toContain('Reply-To: help@pictures.test')
  })

  it('an address or name with special characters adds no recipient', async () => {
    const evil = { name: 'Grace\r\nBcc: evil@example.com', email: 'grace@example.com\r\nBcc: evil@example.com' }
    await smtp.send({ ...message, to: evil })
    await smtp.send({ ...message, key: 'two', to: { name: '', email: 'grace@example.com,evil@example.com' } })
    expect(sink.delivered).toEqual([])
    await smtp.send({ ...message, key: 'three', to: { ...evil, email: 'grace@example.com' } })
    expect(sink.delivered.map(({ to }) => to)).toEqual([['grace@example.com']])
    expect(sink.delivered[0]?.raw).not.toMatch(/^Bcc:/m)
    expect((await readLog()).map((row) => row.state)).toEqual(['failed', 'failed', 'sent'])
  })

  it('a message is retried while the server is down, and sent once it is back', async () => {
    sink.behaviour.broken = true
    await expect(smtp.send(message)).rejects.toThrow()
    expect(await readLog()).toMatchObject([{ state: 'failed', attempts: 1, error: expect.stringMatching(/\w/) }])
    sink.behaviour.broken = false
    await smtp.send(message)
    expect(await readLog()).toMatchObject([{ state: 'sent', attempts: 2, error: null }])
    expect(sink.delivered).toHaveLength(1)
  })

  it('a permanently refused message is logged and not retried; a temporarily refused one is retried', async () => {
    sink.behaviour.refuse = () => ({ code: 550, message: 'No such mailbox' })
    await smtp.send(message)
    expect(await readLog()).toMatchObject([
      { state: 'failed', attempts: 1, error: expect.stringContaining('No such mailbox') },
    ])
    // A wrong sender or password is our configuration: the mail waits until it is fixed.
    sink.behaviour.sender = { code: 530, message: 'Sign in first' }
    await expect(smtp.send({ ...message, key: 'sender' })).rejects.toThrow('Sign in first')
    sink.behaviour.sender = undefined
    sink.behaviour.refuse = () => ({ code: 450, message: 'Mailbox busy' })
    await expect(smtp.send({ ...message, key: 'busy' })).rejects.toThrow('Mailbox busy')
  })
})
