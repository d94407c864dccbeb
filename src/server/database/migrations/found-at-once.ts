import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What is looked up by one word is found at once: a download by its link wherever its studio lies, a promotion's use by its checkout,
 * a mail by its key, which two can't have. And who was told that their pictures are there to download.
 */
export const foundAtOnce: Migration = {
  up: async (db) => {
    await sql`insert into download_links (link_id, studio_id) select link_id, studio_id from downloads
      on conflict (link_id) do nothing`.execute(db)
    await sql`alter table downloads add column told_at timestamptz`.execute(db)
    await sql`create index downloads_to_tell on downloads (studio_id, order_id)
      where kind = 'all' and told_at is null and revoked_at is null`.execute(db)
    await sql`create index promotion_uses_checkout on promotion_uses (studio_id, checkout_id)`.execute(db)
    await sql`
      update mail_log m set provider_reference = null
       where exists (select from mail_log e where e.studio_id = m.studio_id and e.provider_reference = m.provider_reference
                        and e.id < m.id)`.execute(db)
    await sql`create unique index mail_log_reference on mail_log (studio_id, provider_reference)`.execute(db)
  },
  down: async (db) => {
    await sql`drop index mail_log_reference`.execute(db)
    await sql`drop index promotion_uses_checkout`.execute(db)
    await sql`alter table downloads drop column told_at`.execute(db)
  },
}
