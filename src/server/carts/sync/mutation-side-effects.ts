import { sql } from 'kysely'
import type { Mutation } from '#domain/cart/mutation.ts'
import { searchKey } from '#domain/subjects/subject-search.ts'
import { grantAccess } from '#server/access/grants/grants.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import type { CartRef } from '../store/read-cart.ts'
import { saveFieldAnswers } from '../store/save-field-answers.ts'

/**
 * Saves a typed-in subject as pending, visible to its session only, with the answers to the job's fields and a grant to
 * order for it. Only the device that typed in a subject knows its `personId`, so a new session of that device takes the
 * subject over. After an order the subject belongs to the studio, and customers cannot rename it.
 */
export const saveTypedSubject = async (
  tx: Transaction,
  deps: Deps,
  { cartRef, mutation }: { cartRef: CartRef; mutation: Mutation & { do: 'person.set' } },
): Promise<void> => {
  const { studioId, jobId } = cartRef.job
  const { personId, dataFields } = mutation
  const [firstName, lastName] = [mutation.firstName.trim(), mutation.lastName.trim()]
  const { rows } = await sql<{ id: number; state: 'listed' | 'pending' }>`
    insert into subjects as u (studio_id, job_id, first_name, last_name, first_key, last_key, state, person_id,
                               person_session_id, created_at, updated_at)
    values (${studioId}, ${jobId}, ${firstName}, ${lastName}, ${searchKey(firstName)}, ${searchKey(lastName)}, 'pending',
            ${personId}, ${cartRef.session.id}, ${deps.clock()}, ${deps.clock()})
    on conflict (studio_id, job_id, person_id) do update
      set person_session_id = excluded.person_session_id, updated_at = excluded.updated_at,
          first_name = case u.state when 'pending' then excluded.first_name else u.first_name end,
          last_name = case u.state when 'pending' then excluded.last_name else u.last_name end,
          first_key = case u.state when 'pending' then excluded.first_key else u.first_key end,
          last_key = case u.state when 'pending' then excluded.last_key else u.last_key end
    returning id, state`.execute(tx)
  const [subject] = rows
  if (!subject) throw new Error(`typed subject ${personId} was saved, but not returned`)
  if (subject.state === 'pending') await saveFieldAnswers(tx, { studioId, subjectId: subject.id, dataFields })
  await grantAccess(tx, deps, cartRef, { kind: 'subject', subjectId: subject.id })
}

/** Saves the image that a customer chose as a subject's yearbook pose. A later choice replaces it. */
export const savePose = async (
  tx: Transaction,
  deps: Deps,
  { cartRef, mutation }: { cartRef: CartRef; mutation: Mutation & { do: 'pose.set' } },
): Promise<void> => {
  const { subjectId, imageId } = mutation
  await sql`
    insert into year_book_poses (studio_id, subject_id, image_id, session_id, chosen_at)
    values (${cartRef.job.studioId}, ${subjectId}, ${imageId}, ${cartRef.session.id}, ${deps.clock()})
    on conflict (studio_id, subject_id) do update
      set image_id = excluded.image_id, session_id = excluded.session_id, chosen_by = null, chosen_at = excluded.chosen_at`.execute(
    tx,
  )
}
