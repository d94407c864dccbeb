import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Uploads arrive in parts, each a file that is safe before it counts, so that any server goes on where another stopped; and say whose
 * picture they are where that is known. Pictures remember what their file says of itself, so that they can be matched later, how
 * they were, and the file as it was uploaded where a cut-out took its place.
 */
export const uploadsInParts: Migration = {
  up: async (db) => {
    await sql`alter table uploads
      add column parts jsonb not null default '[]',
      add column subject_id bigint,
      add column group_id bigint,
      add foreign key (studio_id, subject_id) references subjects (studio_id, id) on delete set null (subject_id),
      add foreign key (studio_id, group_id) references groups (studio_id, id) on delete set null (group_id)`.execute(db)
    await sql`create index uploads_subject on uploads (studio_id, subject_id) where subject_id is not null`.execute(db)
    await sql`create index uploads_group on uploads (studio_id, group_id) where group_id is not null`.execute(db)
    await sql`alter table image_lookups
      add column uploaded_key text,
      add column cut_out_hash text,
      add column match_words text not null default '',
      add column matched_by text check (matched_by in ('code', 'fileName', 'shooting', 'hand'))`.execute(db)
    await sql`create index image_lookups_content on image_lookups (studio_id, job_id, content_hash)`.execute(db)
  },
  down: async (db) => {
    await sql`drop index image_lookups_content`.execute(db)
    await sql`alter table image_lookups drop column uploaded_key, drop column cut_out_hash, drop column match_words, drop column matched_by`.execute(
      db,
    )
    await sql`alter table uploads drop column parts, drop column subject_id, drop column group_id`.execute(db)
  },
}
