import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Mail, Message } from '../ports/mail.ts'

/** Mail that is only logged for administrators, without its secrets, and passed to `onLogged`. */
export const mailLog = (recorder: MailRecorder, onLogged: (message: Message) => void = () => {}): Mail => ({
  send: async (message) => {
    const { id, state } = await recordMail(recorder, message, 'kept')
    if (state === 'failed')
      await recorder.db.updateTable('mail_log').set({ state: 'kept', error: null }).where('id', '=', id).execute()
    onLogged(message)
    return undefined
  },
})

export type MailRecorder = { readonly db: Db; readonly clock: () => Date }

/** The state of a message in the mail log. */
export type MailState = 'waiting' | 'kept' | 'sent' | 'failed'

/** Removes the secrets from a body, so that a reader of the log or of a backup cannot use them. */
const withoutSecrets = (body: string, secrets: readonly string[]): string =>
  secrets.reduce((text, secret) => text.replaceAll(secret, '…'), body)

/** Writes a message into the mail log, without its secrets and once per key, and returns its current state. */
export const recordMail = async (
  { db, clock }: MailRecorder,
  { key, studioId, orderId, kind, to, subject, secrets, ...bodies }: Message,
  state: MailState,
): Promise<{ id: number; state: MailState }> => {
  const [text, html] = [bodies.text, bodies.html].map((body) => withoutSecrets(body, secrets))
  await sql`
    insert into mail_log (studio_id, order_id, kind, to_name, to_email, subject, body_text, body_html, has_secrets, state, provider_reference, created_at)
    values (${studioId}, ${orderId ?? null}, ${kind}, ${to.name}, ${to.email}, ${subject}, ${text}, ${html},
            ${secrets.length > 0}, ${state}, ${key}, ${clock()})
    on conflict (studio_id, provider_reference) where provider_reference is not null do nothing`.execute(db)
  return await db
    .selectFrom('mail_log')
    .select(['id', 'state'])
    .where('studio_id', 'is not distinct from', studioId)
    .where('provider_reference', '=', key)
    .executeTakeFirstOrThrow()
}
