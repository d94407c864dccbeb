import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Message } from '../ports/mail.ts'

export type MailRecorder = { readonly db: Db; readonly clock: () => Date }

/** Where a message stands in the mail log. */
export type MailState = 'waiting' | 'kept' | 'sent' | 'failed'

/** A body as it may be kept: whoever reads the log, or a copy of it, can do nothing with it. */
const withoutSecrets = (body: string, secrets: readonly string[]): string =>
  secrets.reduce((kept, secret) => kept.replaceAll(secret, '…'), body)

/** Writes a message into the mail log, without its secrets and once for its key, and gives where it stands by now. */
export const recordMail = async (
  { db, clock }: MailRecorder,
  { key, studioId, kind, to, subject, secrets, ...bodies }: Message,
  state: MailState,
): Promise<{ id: number; state: MailState }> => {
  const [text, html] = [bodies.text, bodies.html].map((body) => withoutSecrets(body, secrets))
  await sql`
    insert into mail_log (studio_id, kind, to_name, to_email, subject, body_text, body_html, state, provider_reference, created_at)
    values (${studioId}, ${kind}, ${to.name}, ${to.email}, ${subject}, ${text}, ${html}, ${state}, ${key}, ${clock()})
    on conflict (studio_id, provider_reference) where provider_reference is not null do nothing`.execute(db)
  return await db
    .selectFrom('mail_log')
    .select(['id', 'state'])
    .where('studio_id', 'is not distinct from', studioId)
    .where('provider_reference', '=', key)
    .executeTakeFirstOrThrow()
}
