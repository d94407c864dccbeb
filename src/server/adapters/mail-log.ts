import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Mail } from '../ports/mail.ts'

/** Mail that is kept where administrators can read it, and goes no further. */
export const mailLog = ({ db, clock }: { db: Db; clock: () => Date }): Mail => ({
  send: async ({ key, studioId, kind, to, subject, text, html }) => {
    await sql`
      insert into mail_log (studio_id, kind, to_name, to_email, subject, body_text, body_html, state, provider_reference, created_at)
      select ${studioId}::bigint, ${kind}::text, ${to.name}::text, ${to.email}::text, ${subject}::text, ${text}::text,
             ${html}::text, 'kept', ${key}::text, ${clock()}::timestamptz
       where not exists (select from mail_log where studio_id = ${studioId}::bigint and provider_reference = ${key}::text)`.execute(
      db,
    )
  },
})
