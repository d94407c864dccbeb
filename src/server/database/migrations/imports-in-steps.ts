import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * An import is looked at before it runs, runs in steps, and can be taken back. Each row says who it is of, and what they were and
 * will be. What an import knows of somebody goes when they do.
 */
export const importsInSteps: Migration = {
  up: async (db) => {
    await sql`delete from imports`.execute(db)
    await sql`alter table imports drop constraint imports_state_check`.execute(db)
    await sql`alter table imports alter column state set default 'mapping'`.execute(db)
    await sql`alter table imports add constraint imports_state_check
      check (state in ('mapping', 'previewed', 'running', 'done', 'undoing', 'undone'))`.execute(db)
    await sql`alter table imports alter column mapping set default '[]'`.execute(db)
    await sql`alter table imports alter column file_key drop not null`.execute(db)
    await sql`alter table imports add column sheet text`.execute(db)
    await sql`alter table imports add column layout jsonb not null default '{}'`.execute(db)
    await sql`alter table imports add column matches text not null default 'update' check (matches in ('update', 'skip'))`.execute(
      db,
    )
    await sql`alter table imports add column previewed_at timestamptz`.execute(db)
    // Groups it made; where nobody is left in one after it was undone, it goes too.
    await sql`alter table imports add column group_ids jsonb not null default '[]'`.execute(db)
    await sql`alter table import_rows drop constraint import_rows_state_check`.execute(db)
    await sql`alter table import_rows alter column state drop default`.execute(db)
    await sql`alter table import_rows add constraint import_rows_state_check check (state in
      ('create', 'update', 'unchanged', 'skipped', 'refused', 'created', 'updated', 'undone', 'kept'))`.execute(db)
    await sql`alter table import_rows rename column cells to person`.execute(db)
    await sql`alter table import_rows add column after jsonb`.execute(db)
    await sql`alter table import_rows drop constraint import_rows_studio_id_subject_id_fkey`.execute(db)
    await sql`alter table import_rows add constraint import_rows_subject
      foreign key (studio_id, subject_id) references subjects (studio_id, id) on delete cascade`.execute(db)
    await sql`create index import_rows_state on import_rows (studio_id, import_id, state, row_number)`.execute(db)
    await sql`create index imports_created_at on imports (created_at)`.execute(db)
  },
  down: async (db) => {
    await sql`delete from imports`.execute(db)
    await sql`drop index imports_created_at`.execute(db)
    await sql`drop index import_rows_state`.execute(db)
    await sql`alter table import_rows drop constraint import_rows_subject`.execute(db)
    await sql`alter table import_rows add constraint import_rows_studio_id_subject_id_fkey
      foreign key (studio_id, subject_id) references subjects (studio_id, id) on delete set null (subject_id)`.execute(
      db,
    )
    await sql`alter table import_rows drop column after`.execute(db)
    await sql`alter table import_rows rename column person to cells`.execute(db)
    await sql`alter table import_rows drop constraint import_rows_state_check`.execute(db)
    await sql`alter table import_rows alter column state set default 'waiting'`.execute(db)
    await sql`alter table import_rows add constraint import_rows_state_check
      check (state in ('waiting', 'created', 'updated', 'unchanged', 'refused', 'undone'))`.execute(db)
    await sql`alter table imports drop column group_ids, drop column previewed_at, drop column matches,
      drop column layout, drop column sheet`.execute(db)
    await sql`alter table imports alter column file_key set not null`.execute(db)
    await sql`alter table imports alter column mapping set default '{}'`.execute(db)
    await sql`alter table imports drop constraint imports_state_check`.execute(db)
    await sql`alter table imports alter column state set default 'reading'`.execute(db)
    await sql`alter table imports add constraint imports_state_check
      check (state in ('reading', 'previewed', 'running', 'done', 'undone', 'failed'))`.execute(db)
  },
}
