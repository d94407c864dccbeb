import { type RawBuilder, sql } from 'kysely'

/** An administrator's access to a studio that may be used now. */
export type OpenAccess = {
  readonly id: number
  /** The owner who consented; null without consent. */
  readonly grantedBy: number | null
  readonly mayChange: boolean
  readonly hasSharpPhotos: boolean
}

/** SQL: whether the staff of studio `s` may work in it: it is enabled, or was until its deletion was scheduled and is not deleted yet. */
export const isOpenToStaff = (now: Date): RawBuilder<boolean> =>
  sql`(s.rspo_enabled or (s.is_open_until_deletion and s.deletes_at > ${now}::timestamptz))`

/** SQL: whether access `a` may be used at this moment. It began, and was neither ended nor has expired. */
export const isOpen = (now: Date): RawBuilder<boolean> =>
  sql`(a.starts_at <= ${now}::timestamptz and a.ends_at > ${now}::timestamptz and a.ended_at is null)`

type AccessKey = { readonly studioId: number | null; readonly userId: number | RawBuilder<number>; readonly now: Date }

/** SQL: the access that this user may use now in this studio, as JSON of `OpenAccess`; null without one. Consent to one administrator says nothing of another. */
export const openAccessOf = ({ studioId, userId, now }: AccessKey): RawBuilder<OpenAccess | null> => sql`(
  select json_build_object('id', a.id, 'grantedBy', a.granted_by, 'mayChange', a.may_change, 'hasSharpPhotos', a.sharp_photos)
    from support_accesses a
   where a.studio_id = ${studioId}::bigint and a.administrator_id = ${userId} and ${isOpen(now)}
   order by a.id desc limit 1)`
