import { domainToASCII } from 'node:url'
import { type RawBuilder, sql } from 'kysely'
import { type FoundStudio, foundLimit } from '#contract/customer/find-event.ts'
import { hostInText } from '#domain/studio/host-name.ts'
import { slugFromName, studioSearchKeys } from '#domain/studio/studio-slug.ts'
import type { Db } from '../database/database.ts'

/** The expression of the index `studios_words`. */
const nameWords = sql`to_tsvector('simple',
  regexp_replace(fold_words(s.name || ' ' || replace(s.slug, '-', ' ')), '([aou])e', '\\1', 'g'))`

/** The expression of the index `studios_website`. */
const websiteHost = sql`regexp_replace(lower(s.website), '^https?://(www\\.)?|/$', '', 'g')`

/** Selects the studios that a typed name may mean. */
export const selectStudios = (text: string): RawBuilder<FoundStudio> => {
  const slug = slugFromName(text)
  const prefixes = studioSearchKeys(text).map((word) => `${word}:*`)
  return sql<FoundStudio>`
    select s.slug, s.name, nullif(btrim(s.address ->> 'city'), '') as city
      from studios s
     where s.rspo_enabled and (${nameWords} @@ to_tsquery('simple', ${prefixes.join(' & ')})
            or s.id = (select l.studio_id from studio_slugs l where l.slug = ${slug}))
     order by s.slug = ${slug} desc, lower(s.name), s.id limit ${foundLimit}`
}

/**
 * Selects the studios with one of these host names: as their own, which they have verified, or as the web address in their
 * profile. A web address with a path is not compared, because its host may be of a network that many studios use.
 */
export const selectStudiosByHost = (hosts: readonly string[]): RawBuilder<FoundStudio> => {
  const withPrefix = hosts.flatMap((host) => [host, `www.${host}`])
  return sql<FoundStudio>`
    select s.slug, s.name, nullif(btrim(s.address ->> 'city'), '') as city
      from studios s
     where s.rspo_enabled and (${websiteHost} = any(${hosts})
            or s.id = any(array(select h.studio_id from studio_hosts h
                                 where h.state = 'proved' and h.host_name = any(${withPrefix}))))
     order by lower(s.name), s.id limit ${foundLimit}`
}

/** Finds the studios that use a typed web address without a path; none for any other text. */
export const findStudiosByHost = async (db: Db, text: string): Promise<FoundStudio[]> => {
  const host = hostInText(text)
  return host ? (await selectStudiosByHost([...new Set([host, domainToASCII(host)])]).execute(db)).rows : []
}

/**
 * Finds the studios that a typed name may mean: each of its words begins a word of the studio's name, or all of it is the
 * studio's current or former slug. A studio with exactly this slug comes first.
 */
export const findStudios = async (db: Db, text: string): Promise<FoundStudio[]> =>
  studioSearchKeys(text).length > 0 ? (await selectStudios(text).execute(db)).rows : []
