import { sql } from 'kysely'
import { runInOrder } from './run-in-order.ts'

/** Letters that are not a base letter with an accent; the same as in `domain/subjects/subject-search.ts`. */
const plainLetters = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
] as const

/** Folds a text as names are folded for the search, but keeps the spaces between words. */
const foldWords = sql.raw(`
  create function fold_words(written text) returns text language sql immutable parallel safe as $$
    select ${plainLetters.reduce((text, [letter, plain]) => `replace(${text}, '${letter}', '${plain}')`, 'folded')}
      from (select translate(lower(regexp_replace(normalize(written, NFKD),
              '[!-/:-@\\[-\`{-~\\u0300-\\u036f\\u00a1-\\u00bf\\u2000-\\u206f]', '', 'g')), 'øđðłı', 'oddli') as folded) f
  $$`)

/** The words that find a subject besides its name: its code, its groups, the values of its fields. */
const subjectWords = sql`
  create function subject_words(studio bigint, subject bigint) returns text language sql stable as $$
    select coalesce(string_agg(fold_words(word), ' ' order by word collate "C"), '') from (
      select c.code from access_codes c where c.studio_id = studio and c.subject_id = subject
      union all
      select q.name from subject_groups m join groups q on q.studio_id = m.studio_id and q.id = m.group_id
       where m.studio_id = studio and m.subject_id = subject
      union all
      select f.value from subject_fields f where f.studio_id = studio and f.subject_id = subject) as known (word)
  $$`

/** The first group by name, compared as group names are within a job; null without a group. */
const subjectGroupKey = sql`
  create function subject_group_key(studio bigint, subject bigint) returns text language sql stable as $$
    select min(lower(q.name) collate "C") from subject_groups m
      join groups q on q.studio_id = m.studio_id and q.id = m.group_id
     where m.studio_id = studio and m.subject_id = subject
  $$`

/** A trigger function that refreshes the subjects selected by `changed`. */
const refreshWords = (name: string, changed: string) =>
  sql.raw(`
  create function ${name}() returns trigger language plpgsql as $$
  begin
    update subjects u set search_words = k.words, group_key = k.group_key
      from (${changed}) t
     cross join lateral (select subject_words(t.studio_id, t.subject_id) as words,
                                subject_group_key(t.studio_id, t.subject_id) as group_key) k
     where u.studio_id = t.studio_id and u.id = t.subject_id
       and (u.search_words, u.group_key) is distinct from (k.words, k.group_key);
    return null;
  end $$`)

type Refresh = { table: string; event: 'insert' | 'update' | 'delete'; side: 'new' | 'old'; runs: string }

/** One execution per statement, so that an import of thousands of subjects costs one more statement, not thousands. */
const refreshTrigger = ({ table, event, side, runs }: Refresh) =>
  sql.raw(`
  create trigger ${table}_words_${event}_${side} after ${event} on ${table} referencing ${side} table as touched
    for each statement execute function ${runs}()`)

/** An update may move a row from one subject to another, so both are refreshed. */
const refreshTriggers = (table: string) =>
  (
    [
      ['insert', 'new'],
      ['delete', 'old'],
      ['update', 'new'],
      ['update', 'old'],
    ] as const
  ).map(([event, side]) => refreshTrigger({ table, event, side, runs: 'refresh_words_of_people' }))

/**
 * Keeps `search_words` and `group_key` of subjects up to date. The database does so, because many features write the
 * rows that they are computed from. They are stored, because computing them for thousands of rows at every typed letter
 * took most of the response time on the embedded database.
 */
export const createSubjectSearch = runInOrder([
  foldWords,
  subjectWords,
  subjectGroupKey,
  refreshWords(
    'refresh_words_of_people',
    'select distinct studio_id, subject_id from touched where subject_id is not null',
  ),
  refreshWords(
    'refresh_words_of_groups',
    `select distinct m.studio_id, m.subject_id from touched g
  join subject_groups m on m.studio_id = g.studio_id and m.group_id = g.id`,
  ),
  ...['access_codes', 'subject_groups', 'subject_fields'].flatMap(refreshTriggers),
  refreshTrigger({ table: 'groups', event: 'update', side: 'new', runs: 'refresh_words_of_groups' }),
])
