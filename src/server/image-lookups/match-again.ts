import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import type { matchImages } from '../../contract/studio/image-lookups.ts'
import { idsIn } from '../cart-store/people-and-pictures.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import type { JobKey } from '../http/admit.ts'
import { findGroup, matchPerson } from '../image-store/match-person.ts'
import { lockPicturesOf } from '../image-store/place-image.ts'
import { giveTo } from './change-image.ts'

type Wanted = Infer<(typeof matchImages)['body']>
type Waiting = { id: number; file_name: string; match_words: string; taken_at: Date | null }
type Counted = { matched: number; unclear: number; unknown: number }

/** So many are matched before others who wait for the job's pictures have their turn. */
const atOnce = 50

const readWaiting = async ({ db }: Deps, { studioId, jobId }: JobKey, { imageIds }: Wanted): Promise<Waiting[]> => {
  const these = imageIds ? sql`id in ${idsIn(imageIds)}` : sql`true`
  const { rows } = await sql<Waiting>`
    select id, file_name, match_words, taken_at from image_lookups
     where studio_id = ${studioId} and job_id = ${jobId} and subject_id is null and group_id is null
       and kind = 'hosted-individual' and state <> 'refused' and ${these} order by taken_at nulls last, id`.execute(db)
  return rows
}

const matchSome = (deps: Deps, job: JobKey, { some, wanted }: { some: readonly Waiting[]; wanted: Wanted }) =>
  inTransaction(deps.db, async (tx) => {
    const counted: Counted = { matched: 0, unclear: 0, unknown: 0 }
    await lockPicturesOf(tx, job)
    const matching = { by: wanted.by, ahead: (wanted.cameraAheadSeconds ?? 0) * 1000 }
    for (const { id, file_name: fileName, match_words: words, taken_at: takenAt } of some) {
      const shot = { fileName, words, takenAt: takenAt?.getTime() ?? null }
      const match = await matchPerson(tx, job, { shot, matching })
      const key = { ...job, imageId: id }
      const groupId = wanted.by === 'fileName' && match === 'unknown' ? await findGroup(tx, job, fileName) : null
      if (typeof match === 'object') {
        await giveTo(tx, deps, { key, owner: { kind: 'hosted-individual', ...match }, matchedBy: wanted.by })
      } else if (groupId !== null) {
        await giveTo(tx, deps, { key, owner: { kind: 'hosted-group', groupId }, matchedBy: wanted.by })
      }
      counted[typeof match === 'object' || groupId !== null ? 'matched' : match] += 1
    }
    return counted
  })

/** Looks again whose pictures those are that wait: after a list came, check-ins were put right, or a clock is known to be wrong. */
export const matchAgain = async (deps: Deps, job: JobKey, wanted: Wanted): Promise<Counted> => {
  const total: Counted = { matched: 0, unclear: 0, unknown: 0 }
  const waiting = await readWaiting(deps, job, wanted)
  for (let from = 0; from < waiting.length; from += atOnce) {
    const counted = await matchSome(deps, job, { some: waiting.slice(from, from + atOnce), wanted })
    total.matched += counted.matched
    total.unclear += counted.unclear
    total.unknown += counted.unknown
  }
  return total
}
