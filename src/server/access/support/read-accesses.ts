import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { listSupportAccesses, SupportAccess } from '#contract/studio/support-access.ts'
import type { OwnSupportAccess } from '#contract/system/support-access.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { isoTimestamp } from '#server/database/timestamps.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { isOpen } from '../authorization/open-access.ts'

/** Owners see the accesses of the last months; all of them are in the audit trail. */
const maxAccesses = 50

type AccessFilter = { readonly studioId: number; readonly administratorId?: number; readonly id?: number }

/** Reads accesses to a studio, the latest first. */
export const readAccesses = async (
  db: Db | Transaction,
  now: Date,
  { studioId, administratorId = 0, id = 0 }: AccessFilter,
): Promise<SupportAccess[]> => {
  const nameOf = (column: 'administrator_id' | 'granted_by' | 'ended_by') =>
    sql`(select coalesce(nullif(u.name, ''), u.email) from users u where u.id = a.${sql.ref(column)})`
  const { rows } = await sql<SupportAccess>`
    select a.id, a.administrator_id as "administratorId", ${nameOf('administrator_id')} as "administratorName", a.reason,
           case when ${isOpen(now)} then 'open'
                when a.ended_at is null and a.starts_at is null then 'asked'
                when a.starts_at is null then 'refused'
                when a.ended_at is not null then 'ended' else 'expired' end as state,
           ${isoTimestamp(sql`a.asked_at`)} as "askedAt", ${nameOf('granted_by')} as "consentedBy",
           ${isoTimestamp(sql`a.starts_at`)} as "startsAt", ${isoTimestamp(sql`a.ends_at`)} as "endsAt",
           a.may_change as "mayChange", a.sharp_photos as "hasSharpPhotos",
           ${isoTimestamp(sql`a.ended_at`)} as "endedAt", ${nameOf('ended_by')} as "endedBy"
      from support_accesses a
     where a.studio_id = ${studioId} and ${administratorId}::bigint in (0, a.administrator_id) and ${id}::bigint in (0, a.id)
     order by a.id desc limit ${maxAccesses}`.execute(db)
  return rows
}

/** What the owners of a studio see: its accesses, and the administrators of the platform. */
export const readSupportOfStudio = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  studioId: number,
): Promise<Infer<(typeof listSupportAccesses)['answer']>> => ({
  accesses: await readAccesses(db, clock(), { studioId }),
  administrators: await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('role', '=', 'administrator')
    .where('disabled_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute(),
})

/** What an administrator sees of their own access to a studio. */
export const readOwnAccess = async (
  db: Db | Transaction,
  now: Date,
  { studioId, administratorId }: { readonly studioId: number; readonly administratorId: number },
): Promise<OwnSupportAccess | Problem<'not-found'>> => {
  const studio = await db.selectFrom('studios').select('name').where('id', '=', studioId).executeTakeFirst()
  if (!studio) return problem('not-found')
  const accesses = await readAccesses(db, now, { studioId, administratorId })
  const inState = (state: SupportAccess['state']) => accesses.find((access) => access.state === state) ?? null
  return {
    studioName: studio.name,
    open: inState('open'),
    asked: inState('asked'),
    last: accesses.find(({ state }) => state !== 'open' && state !== 'asked') ?? null,
  }
}
