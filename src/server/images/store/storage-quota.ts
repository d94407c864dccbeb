import { sql } from 'kysely'
import { formatFileSize } from '#domain/shared/file-size.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'

/**
 * The bytes of all files that a studio has stored or announced: uploaded images, backgrounds included, their cut-outs, lists of unfinished
 * imports, and the logo. What the platform makes of images (variants, compositions, print files) is not counted.
 */
const readTaken = async (tx: Transaction, studioId: number): Promise<number> => {
  const { rows } = await sql<{ taken: number }>`
    select (s.logo_bytes
         + (select coalesce(sum(i.byte_size + i.beside_bytes), 0) from image_lookups i where i.studio_id = s.id)
         + (select coalesce(sum(m.byte_size), 0) from imports m
             where m.studio_id = s.id and m.state in ('mapping', 'previewed'))
         + (select coalesce(sum(u.byte_size), 0) from uploads u
             where u.studio_id = s.id and u.state in ('receiving', 'received')))::bigint as taken
      from studios s where s.id = ${studioId}`.execute(tx)
  return rows[0]?.taken ?? 0
}

/**
 * Locks a studio's storage until the transaction ends; returns whether the lab has verified the studio. `takeRoom` locks it too: call this
 * first where what is stored decides how much space is needed.
 */
export const lockStorage = async (tx: Transaction, studioId: number): Promise<boolean> => {
  const { rows } = await sql<{ verified: boolean }>`
    select is_millers_verified as verified from studios where id = ${studioId} for no key update`.execute(tx)
  return rows[0]?.verified ?? false
}

/**
 * Reserves space in a studio's storage for files whose rows the same transaction writes; a problem where there is not enough. The limit is
 * `STUDIO_STORAGE_GB`, or `UNVERIFIED_STORAGE_GB` before the lab has verified the studio. `bytes` are those added less those removed by the
 * transaction: without growth it always succeeds. Locks the studio, so call it after the locks of jobs and images.
 */
export const takeRoom = async (
  tx: Transaction,
  { settings }: Pick<Deps, 'settings'>,
  { studioId, bytes }: { readonly studioId: number; readonly bytes: number },
): Promise<Problem<'refused'> | undefined> => {
  const verified = await lockStorage(tx, studioId)
  const most = verified ? settings.studioStorageBytes : settings.unverifiedStorageBytes
  const taken = await readTaken(tx, studioId)
  if (bytes <= 0 || taken + bytes <= most) return undefined
  const more = verified ? 'ask us for more room' : 'have your studio verified for more room'
  return problem(
    'refused',
    `Your studio has ${formatFileSize(most)} for its pictures, of which ${formatFileSize(taken)} are taken. Delete pictures you no longer need, or ${more}`,
  )
}
