import { createHash } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { email } from '#domain/shared/validators.ts'
import type { Mail, Message } from '../ports/mail.ts'
import { type MailRecorder, recordMail } from './mail-record.ts'

/** The sender of an email. Replies go to `replyTo`, or to the sender if it is empty. */
export type MailSender = { readonly name: string; readonly address: string; readonly replyTo: string }

/**
 * `url`: `smtp://` or `smtps://`, with user and password where the server requires them. `readSender` is called for each
 * email, because administrators can change the sender.
 */
export type SmtpSettings = { readonly url: string; readonly readSender: () => Promise<MailSender> }

/** Milliseconds for the connection, the greeting and each response; after a timeout the job retries later. */
const timeoutMs = 15_000

const checkEmail = email<{ to: string }>()

/** The id of a message. A resent message has the same id, so that a mailbox shows it once. */
const buildMessageId = ({ studioId, key }: Message, address: string): string => {
  const [, host = 'localhost'] = /@([\w.-]+)/.exec(address) ?? []
  return `<${createHash('sha256').update(`${studioId} ${key}`).digest('hex').slice(0, 32)}@${host}>`
}

/** The headers that let a mail program show "Unsubscribe" and do it with one request (RFC 2369 and 8058). */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/**
 * Whether the server permanently rejected this message for its recipient or its content (RFC 5321, 4.2.1: 5yz). A wrong
 * password or sender is a configuration error: the message is retried until the configuration is fixed.
 */
const isPermanentRejection = (error: unknown): boolean =>
  error instanceof Error &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500 &&
  'command' in error &&
  (error.command === 'RCPT TO' || error.command === 'DATA')

/** Whether the text is exactly one address: a line break or a comma would start a second one. */
const isSingleAddress = (to: string): boolean => checkEmail(to, { to }) === null

/**
 * Sends mail by SMTP and logs the result of each message. `send` rejects when the server is down or busy, so that the
 * queue retries. A permanent rejection is logged as failed and not retried.
 */
export const smtpMail = (recorder: MailRecorder, { url, readSender }: SmtpSettings): Mail & { close(): void } => {
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  })

  const recordResult = async (id: number, state: 'sent' | 'failed', error: string | null): Promise<void> => {
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

  const deliver = async (message: Message): Promise<string> => {
    const { to, subject, text, html, unsubscribeUrl } = message
    const { name, address, replyTo } = await readSender()
    const { response } = await transport.sendMail({
      ...{ from: { name, address }, ...(replyTo !== '' && { replyTo }) },
      ...{ to: { name: to.name, address: to.email }, subject, text, html, messageId: buildMessageId(message, address) },
      ...(unsubscribeUrl !== undefined && { headers: unsubscribeHeaders(unsubscribeUrl) }),
    })
    return response
  }

  const send = async (message: Message): Promise<string | undefined> => {
    const { id, state } = await recordMail(recorder, message, 'waiting')
    if (state === 'sent') return undefined
    if (!isSingleAddress(message.to.email)) {
      await recordResult(id, 'failed', 'This is not an email address')
      return undefined
    }
    let answer: string
    try {
      answer = await deliver(message)
    } catch (error) {
      await recordResult(id, 'failed', error instanceof Error ? error.message : String(error))
      if (isPermanentRejection(error)) return undefined
      throw error
    }
    await recordResult(id, 'sent', null)
    return answer
  }

  return { send, close: () => transport.close() }
}
