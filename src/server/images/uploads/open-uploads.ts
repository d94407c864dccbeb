import { sql } from 'kysely'
import type { Transaction } from '#server/database/database.ts'
import { type Problem, problem } from '#server/http/problem.ts'

/** The limit on a studio's files that are announced and have not arrived completely. */
export const maxOpenUploads = 20_000

/** Returns a problem if a studio would have more than `maxOpenUploads` open uploads. Call it under the lock of `reserveStorage`. */
export const checkOpenUploadLimit = async (
  tx: Transaction,
  { studioId, count }: { readonly studioId: number; readonly count: number },
): Promise<Problem<'refused'> | undefined> => {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from uploads where studio_id = ${studioId} and state = 'receiving'`.execute(tx)
  if ((rows[0]?.open ?? 0) + count <= maxOpenUploads) return undefined
  const limit = maxOpenUploads.toLocaleString('en-US')
  return problem(
    'refused',
    `A studio uploads ${limit} files at a time at most. Wait until some have arrived, or remove those that will not`,
  )
}
