import { type RawBuilder, sql } from 'kysely'
import type { FoundStudio } from '#contract/customer/find-event.ts'
import { slugFromName, studioSearchKeys } from '#domain/studio/studio-slug.ts'
import type { Db } from '../database/database.ts'

const maxStudios = 10

/** The expression of the index `studios_words`. */
const nameWords = sql`to_tsvector('simple',
  regexp_replace(fold_words(s.name || ' ' || replace(s.slug, '-', ' ')), '([aou])e', '\\1', 'g'))`

/** Selects the studios that a typed name may mean. */
export const selectStudios = (text: string): RawBuilder<FoundStudio> => {
  const slug = slugFromName(text)
  const prefixes = studioSearchKeys(text).map((word) => `${word}:*`)
  return sql<FoundStudio>`
    select s.slug, s.name, nullif(btrim(s.address ->> 'city'), '') as city
      from studios s
     where s.rspo_enabled and (${nameWords} @@ to_tsquery('simple', ${prefixes.join(' & ')})
            or s.id = (select l.studio_id from studio_slugs l where l.slug = ${slug}))
     order by s.slug = ${slug} desc, lower(s.name), s.id limit ${maxStudios}`
}

/**
 * Finds the studios that a typed name may mean: each of its words begins a word of the studio's name, or all of it is the
 * studio's current or former slug. A studio with exactly this slug comes first.
 */
export const findStudios = async (db: Db, text: string): Promise<FoundStudio[]> =>
  studioSearchKeys(text).length > 0 ? (await selectStudios(text).execute(db)).rows : []
