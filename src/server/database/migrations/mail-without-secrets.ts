import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What is kept of mails that were sent before is no key to anything either. There is no way back to what is gone. */
export const mailWithoutSecrets: Migration = {
  up: async (db) => {
    const secret = '([?&]token=|/download/)[A-Za-z0-9_-]{22,}'
    await sql`
      update mail_log
         set body_text = regexp_replace(body_text, ${secret}, '\\1…', 'g'),
             body_html = regexp_replace(body_html, ${secret}, '\\1…', 'g')
       where body_text ~ ${secret} or body_html ~ ${secret}`.execute(db)
  },
  down: async () => {},
}
