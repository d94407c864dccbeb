import { sql } from 'kysely'
import type { Files } from '#server/ports/files.ts'
import { type Mark, nameMark } from '../engine/watermark.ts'
import { readWholeFile } from './image-files.ts'

/** The key of the image of a watermark. It is named by its bytes and never changes. */
export const markImageKey = (imageHash: string): string => `platform/watermarks/${imageHash}.webp`

/**
 * SQL that joins the watermark `w` for previews of job `j` of studio `s`: that of the job, else the default of the studio, else that of all
 * studios. Without one, the name of the studio is the watermark.
 */
export const joinMark = sql`left join lateral (
  select m.* from watermarks m
   where m.id = j.watermark_id
      or m.is_default and m.archived_at is null and (m.studio_id = s.id or m.studio_id is null)
   order by (m.id = j.watermark_id) desc nulls last, m.studio_id nulls last limit 1) w on true`

/** SQL of the key of the watermark of studio `s` that has none of its own. */
export const nameMarkKey = sql<string>`md5('name ' || s.name)`

/** SQL of the key of watermark `w`: it changes with everything that is drawn. */
export const markKey = sql<string>`(case when w.id is null then ${nameMarkKey} else
  md5(concat_ws(' ', w.kind, w.opacity_percent, w.placement, coalesce(w.image_hash, w.text))) end)`

/** SQL columns of the watermark, to draw it with `openMark`. */
export const markColumns = sql`
  ${markKey} as "markKey", case when w.id is null then s.name else coalesce(w.text, '') end as "markText",
  case when w.kind = 'image' then w.image_hash end as "markImage", w.opacity_percent as "markOpacity", w.placement as "markPlacement"`

export type MarkRow = {
  markKey: string
  markText: string
  markImage: string | null
  markOpacity: number | null
  markPlacement: Mark['placement'] | null
}

/** The watermark of a row, with its image. Throws if the image is not in the store, so that a background job is retried. */
export const openMark = async (files: Files, row: MarkRow): Promise<Mark> => {
  const { markKey: key, markText: text, markImage, markOpacity, markPlacement } = row
  if (markOpacity === null || markPlacement === null) return { ...nameMark(text), key }
  const mark = { key, text, opacityPercent: markOpacity, placement: markPlacement }
  if (markImage === null) return mark
  const image = await readWholeFile(files, markImageKey(markImage))
  if (!image) throw new Error(`The image ${markImage} of a watermark is not in the store`)
  return { ...mark, image }
}
