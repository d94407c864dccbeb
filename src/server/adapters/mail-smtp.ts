import { createHash } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { email } from '#domain/shared/validators.ts'
import type { Mail, Message } from '../ports/mail.ts'
import { type MailRecorder, recordMail } from './mail-record.ts'

/** `url`: `smtp://` or `smtps://`, with user and password where the server wants them. `from`: an address, or `Name <address>`. */
export type SmtpSettings = { readonly url: string; readonly from: string }

/** Milliseconds for the connection, the greeting and each response; after a timeout the job retries later. */
const patienceMs = 15_000

const isAddress = email<{ to: string }>()

/** A message has the same id however often it is sent, so that a mailbox shows it once. */
const messageIdOf = ({ studioId, key }: Message, from: string): string => {
  const [, host = 'localhost'] = /@([\w.-]+)/.exec(from) ?? []
  return `<${createHash('sha256').update(`${studioId} ${key}`).digest('hex').slice(0, 32)}@${host}>`
}

/**
 * Whether the server permanently refused this message for its recipient or its content (RFC 5321, 4.2.1: 5yz). A wrong password or sender
 * is our configuration: the mail waits until it is fixed.
 */
const isFinal = (error: unknown): boolean =>
  error instanceof Error &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500 &&
  'command' in error &&
  (error.command === 'RCPT TO' || error.command === 'DATA')

/** Exactly one address: with a line break or a comma it would be two. */
const isOne = (to: string): boolean => isAddress(to, { to }) === null

/**
 * Sends mail by SMTP and logs the result of each message. A server that is down or busy makes it reject, so that the queue retries; a
 * permanent refusal is logged as failed and not retried.
 */
export const smtpMail = (recorder: MailRecorder, { url, from }: SmtpSettings): Mail & { close(): void } => {
  const patience = { connectionTimeout: patienceMs, greetingTimeout: patienceMs, socketTimeout: patienceMs }
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...patience,
  })

  const note = async (id: number, state: 'sent' | 'failed', error: string | null): Promise<void> => {
    await recorder.db
      .updateTable('mail_log')
      .set(({ eb }) => ({
        state,
        error,
        attempts: eb('attempts', '+', 1),
        sent_at: state === 'sent' ? recorder.clock() : null,
      }))
      .where('id', '=', id)
      .execute()
  }

  const send = async (message: Message): Promise<void> => {
    const { to, subject, text, html } = message
    const { id, state } = await recordMail(recorder, message, 'waiting')
    if (state === 'sent') return
    if (!isOne(to.email)) return await note(id, 'failed', 'This is not an e-mail address')
    try {
      const recipient = { name: to.name, address: to.email }
      await transport.sendMail({ from, to: recipient, subject, text, html, messageId: messageIdOf(message, from) })
    } catch (error) {
      await note(id, 'failed', error instanceof Error ? error.message : String(error))
      if (isFinal(error)) return
      throw error
    }
    await note(id, 'sent', null)
  }

  return { send, close: () => transport.close() }
}
