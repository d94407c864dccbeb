import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What a device took stays beside what waits for the next one, as long as that device may ask again for an answer that was lost. Of those
 * that wait a visit has one.
 */
export const handOversTaken: Migration = {
  up: async (db) => {
    await sql`alter table hand_overs drop constraint hand_overs_pkey, add primary key (id)`.execute(db)
    await sql`create index hand_overs_session on hand_overs (session_id)`.execute(db)
    await sql`create unique index hand_overs_waiting on hand_overs (session_id) where taken_by is null`.execute(db)
  },
  down: async (db) => {
    await sql`
      delete from hand_overs h using (
        select id, row_number() over (partition by session_id order by taken_by is null desc, expires_at desc) as place
          from hand_overs) o
       where o.id = h.id and o.place > 1`.execute(db)
    await sql`drop index hand_overs_waiting`.execute(db)
    await sql`drop index hand_overs_session`.execute(db)
    await sql`alter table hand_overs drop constraint hand_overs_pkey, add primary key (session_id)`.execute(db)
  },
}
