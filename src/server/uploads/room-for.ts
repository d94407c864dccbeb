import { sql } from 'kysely'
import { showFileSize } from '../../domain/file-size.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'

/** The most files of a studio that are announced and have not arrived whole. */
export const mostOpenUploads = 20_000

type Room = { readonly stored: number; readonly announced: number; readonly open: number }

const readRoom = async (tx: Transaction, studioId: number): Promise<Room> => {
  const { rows } = await sql<Room>`
    select (select coalesce(sum(i.byte_size), 0)::bigint from image_lookups i where i.studio_id = ${studioId}) as stored,
           coalesce(sum(u.byte_size), 0)::bigint as announced,
           count(*) filter (where u.state = 'receiving') as open
      from uploads u where u.studio_id = ${studioId} and u.state in ('receiving', 'received')`.execute(tx)
  const [{ stored = 0, announced = 0, open = 0 } = {}] = rows
  return { stored: Number(stored), announced: Number(announced), open: Number(open) }
}

type Coming = { readonly studioId: number; readonly files: readonly { readonly byteSize: number }[] }

/**
 * Refuses files for which a studio has no room: with what is stored and announced they would be more than `STUDIO_STORAGE_GB`, or more than
 * `mostOpenUploads` that have not arrived. Others who announce for the studio wait until the transaction ends.
 */
export const refusedForRoom = async (
  tx: Transaction,
  { settings }: Pick<Deps, 'settings'>,
  { studioId, files }: Coming,
): Promise<Problem<'refused'> | undefined> => {
  await sql`select from studios where id = ${studioId} for no key update`.execute(tx)
  const { stored, announced, open } = await readRoom(tx, studioId)
  if (open + files.length > mostOpenUploads) {
    const most = mostOpenUploads.toLocaleString('en-US')
    return problem(
      'refused',
      `A studio uploads ${most} files at a time at most. Wait until some have arrived, or remove those that will not`,
    )
  }
  const coming = files.reduce((sum, { byteSize }) => sum + byteSize, 0)
  const taken = stored + announced
  if (taken + coming <= settings.studioStorageBytes) return undefined
  return problem(
    'refused',
    `Your studio has ${showFileSize(settings.studioStorageBytes)} for its pictures, of which ${showFileSize(taken)} are taken. Delete pictures you no longer need, or ask us for more room`,
  )
}
