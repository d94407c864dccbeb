import { sql } from 'kysely'
import { formatFileSize } from '#domain/shared/file-size.ts'
import { readSettings } from '#server/configuration/read-settings.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'

/**
 * The bytes of all files that a studio has stored or announced: uploaded images, backgrounds included, their cut-outs, lists of unfinished
 * imports, and the logo. Files that the platform makes from images (variants, compositions, print files) are not counted.
 */
export const readUsedBytes = async (db: Db | Transaction, studioId: number): Promise<number> => {
  const { rows } = await sql<{ used: number }>`
    select (s.logo_bytes
         + (select coalesce(sum(i.byte_size + i.beside_bytes), 0) from image_lookups i where i.studio_id = s.id)
         + (select coalesce(sum(m.byte_size), 0) from imports m
             where m.studio_id = s.id and m.state in ('mapping', 'previewed'))
         + (select coalesce(sum(u.byte_size), 0) from uploads u
             where u.studio_id = s.id and u.state in ('receiving', 'received')))::bigint as used
      from studios s where s.id = ${studioId}`.execute(db)
  return rows[0]?.used ?? 0
}

/**
 * Locks a studio's storage until the transaction ends; returns whether the partner has verified the studio. `reserveStorage` locks it too: call
 * this function first if the stored files decide how much space is needed.
 */
export const lockStorage = async (tx: Transaction, studioId: number): Promise<boolean> => {
  const rows = await tx
    .selectFrom('studios')
    .select('is_millers_verified as verified')
    .where('id', '=', studioId)
    .forNoKeyUpdate()
    .execute()
  return rows[0]?.verified ?? false
}

/** The storage limits of a verified and of an unverified studio in bytes, announced uploads included. */
export const readStorageLimits = async (
  db: Db | Transaction,
  deps: Pick<Deps, 'settings'>,
): Promise<{ verified: number; unverified: number }> => {
  const gigabytes = await readSettings(db, deps, ['studio-storage', 'unverified-storage'])
  const [verified, unverified] = [gigabytes['studio-storage'] * 1e9, gigabytes['unverified-storage'] * 1e9]
  return { verified, unverified: Math.min(unverified, verified) }
}

/**
 * Reserves space in a studio's storage for files whose rows the same transaction writes; a problem if there is not
 * enough. `bytes` are the added bytes minus the removed bytes of the transaction: without growth, the reservation always succeeds.
 * Locks the studio, so call it after the locks of jobs and images.
 */
export const reserveStorage = async (
  tx: Transaction,
  deps: Pick<Deps, 'settings'>,
  { studioId, bytes }: { readonly studioId: number; readonly bytes: number },
): Promise<Problem<'refused'> | undefined> => {
  const isVerified = await lockStorage(tx, studioId)
  if (bytes <= 0) return undefined
  const limits = await readStorageLimits(tx, deps)
  const limitBytes = isVerified ? limits.verified : limits.unverified
  const usedBytes = await readUsedBytes(tx, studioId)
  if (usedBytes + bytes <= limitBytes) return undefined
  const advice = isVerified ? 'ask us for more room' : 'have your studio verified for more room'
  return problem(
    'refused',
    `Your studio has ${formatFileSize(limitBytes)} for its images, of which ${formatFileSize(usedBytes)} are taken. Delete images you no longer need, or ${advice}`,
  )
}
