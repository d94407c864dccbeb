import { sql } from 'kysely'
import { runInOrder } from '../run-in-order.ts'

/** Letters that are not a base letter with an accent; the same as in `domain/subjects/subject-search.ts`. */
const plainLetters = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
] as const

/**
 * Folds a text as names are folded for the search, but keeps the spaces between words. It is a single expression, which the planner
 * inserts into a query: a call per text would take ten times as long.
 */
const foldWords = sql.raw(`
  create function fold_words(written text) returns text language sql immutable parallel safe as $$
    select ${plainLetters.reduce(
      (text, [letter, plain]) => `replace(${text}, '${letter}', '${plain}')`,
      `translate(lower(regexp_replace(normalize(written, NFKD),
        '[!-/:-@\\[-\`{-~\\u0300-\\u036f\\u00a1-\\u00bf\\u2000-\\u206f]', '', 'g')), 'øđðłı', 'oddli')`,
    )}
  $$`)

/**
 * The words of studios' names and slugs, as `spellingKey` of the domain folds them; `discovery/find-studios.ts` searches
 * by the same expression.
 */
const studioWords = sql.raw(`
  create index studios_words on studios using gin (to_tsvector('simple',
    regexp_replace(fold_words(name || ' ' || replace(slug, '-', ' ')), '([aou])e', '\\1', 'g'))) where rspo_enabled`)

/** The words that find subject `t` besides its name: its code, its groups, the values of its fields. */
const words = `
  coalesce(fold_words((select string_agg(word, ' ' order by word collate "C") from (
    select c.code from access_codes c where c.studio_id = t.studio_id and c.subject_id = t.subject_id
    union all
    select (select q.name from groups q where q.studio_id = m.studio_id and q.id = m.group_id)
      from subject_groups m where m.studio_id = t.studio_id and m.subject_id = t.subject_id
    union all
    select f.value from subject_fields f where f.studio_id = t.studio_id and f.subject_id = t.subject_id) as known (word))), '')`

/** The first group of subject `t` by name, compared as group names are within a job; null without a group. */
const groupKey = `
  (select min((select lower(q.name) collate "C" from groups q where q.studio_id = m.studio_id and q.id = m.group_id))
     from subject_groups m where m.studio_id = t.studio_id and m.subject_id = t.subject_id)`

/**
 * A trigger function that refreshes the subjects selected by `changed`, unless they are deleted. A connection plans it once, perhaps while
 * the tables are nearly empty, so it must not plan to read a whole table for each subject. `offset 0` computes the words only once.
 */
const refreshWords = (name: string, changed: string) =>
  sql.raw(`
  create function ${name}() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    update subjects u set search_words = k.words, group_key = k.group_key
      from (select t.studio_id, t.subject_id, ${words} as words, ${groupKey} as group_key
              from (${changed}) t join subjects s on s.studio_id = t.studio_id and s.id = t.subject_id offset 0) k
     where u.studio_id = k.studio_id and u.id = k.subject_id
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
  studioWords,
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
