import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const peopleTouched = 'select distinct studio_id, subject_id from touched where subject_id is not null'
const peopleOfGroups = `select distinct m.studio_id, m.subject_id from touched g
  join subject_groups m on m.studio_id = g.studio_id and m.group_id = g.id`

const refreshers = [
  { name: 'refresh_words_of_people', touched: peopleTouched },
  { name: 'refresh_words_of_groups', touched: peopleOfGroups },
]

/** The first group by name, as names are told apart within a job: null for whoever is in none. */
const groupKeyOf = sql`
  create function subject_group_key(studio bigint, subject bigint) returns text language sql stable as $$
    select min(lower(q.name) collate "C") from subject_groups m
      join groups q on q.studio_id = m.studio_id and q.id = m.group_id
     where m.studio_id = studio and m.subject_id = subject
  $$`

const refreshesWordsAndGroup = ({ name, touched }: (typeof refreshers)[number]) =>
  sql.raw(`
  create or replace function ${name}() returns trigger language plpgsql as $$
  begin
    update subjects u set search_words = k.words, group_key = k.group_key
      from (${touched}) t
     cross join lateral (select subject_words(t.studio_id, t.subject_id) as words,
                                subject_group_key(t.studio_id, t.subject_id) as group_key) k
     where u.studio_id = t.studio_id and u.id = t.subject_id
       and (u.search_words, u.group_key) is distinct from (k.words, k.group_key);
    return null;
  end $$`)

const refreshesWords = ({ name, touched }: (typeof refreshers)[number]) =>
  sql.raw(`
  create or replace function ${name}() returns trigger language plpgsql as $$
  begin
    update subjects u set search_words = subject_words(u.studio_id, u.id)
      from (${touched}) t
     where u.studio_id = t.studio_id and u.id = t.subject_id and u.search_words <> subject_words(u.studio_id, u.id);
    return null;
  end $$`)

/**
 * What long lists are sought and sorted by, kept with each row: computed for each of thousands of rows at every letter typed, it was most
 * of an answer's time on the embedded database.
 */
export const listsAtOnce: Migration = {
  up: async (db) => {
    await sql`alter table jobs add column name_key text generated always as (lower(name)) stored not null`.execute(db)
    await sql`drop index jobs_name`.execute(db)
    await sql`create index jobs_name on jobs (studio_id, name_key, id desc)`.execute(db)
    await groupKeyOf.execute(db)
    await sql`alter table subjects
      add column group_key text collate "C",
      add column sought_key text collate "C" not null generated always as
        (first_key || ' ' || last_key || ' ' || search_words || ' ' || lower(coalesce(reference, ''))) stored`.execute(
      db,
    )
    for (const refresher of refreshers) await refreshesWordsAndGroup(refresher).execute(db)
    await sql`update subjects set group_key = subject_group_key(studio_id, id)`.execute(db)
    await sql`create index subjects_by_group on subjects (studio_id, job_id, group_key, last_key, first_key, id)
      where state = 'listed'`.execute(db)
  },
  down: async (db) => {
    await sql`drop index subjects_by_group`.execute(db)
    for (const refresher of refreshers) await refreshesWords(refresher).execute(db)
    await sql`alter table subjects drop column sought_key, drop column group_key`.execute(db)
    await sql`drop function subject_group_key(bigint, bigint)`.execute(db)
    await sql`drop index jobs_name`.execute(db)
    await sql`create index jobs_name on jobs (studio_id, lower(name))`.execute(db)
    await sql`alter table jobs drop column name_key`.execute(db)
  },
}
