import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What was left over by a crash is found without looking through everything; the audit trail keeps no file names, which are often a
 * child's; and an import knows whether its job's people became listed by it, so that taking it back takes that back too.
 */
export const nothingLeftOver: Migration = {
  up: async (db) => {
    await sql`create index uploads_received on uploads (updated_at) where state = 'received'`.execute(db)
    await sql`update audit_log set detail = detail - 'fileName' - 'from' - 'to'
      where action in ('image.deleted', 'image.replaced', 'image.moved')`.execute(db)
    await sql`alter table imports add column began_list boolean not null default false`.execute(db)
  },
  down: async (db) => {
    await sql`alter table imports drop column began_list`.execute(db)
    await sql`drop index uploads_received`.execute(db)
  },
}
