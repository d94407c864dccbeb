import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { idsTable } from './subject-filter.ts'

type SubjectIds = { readonly studioId: number; readonly subjectIds: readonly number[] }

/** Ends every visit's right to see these people: their phones lose the pictures at their next contact (section 4). */
export const revokeGrants = async (
  tx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  { studioId, subjectIds }: SubjectIds,
): Promise<void> => {
  await sql`
    update session_grants set revoked_at = ${clock()}
     where studio_id = ${studioId} and kind = 'subject' and subject_id in ${idsTable(subjectIds)} and revoked_at is null`.execute(
    tx,
  )
}

/** Hides people from every customer at once. Who saw them before confirms them anew once they are shown again. */
export const hideSubjects = async (tx: Transaction, deps: Pick<Deps, 'clock'>, people: SubjectIds): Promise<void> => {
  await sql`
    update subjects set hidden_at = ${deps.clock()}
     where studio_id = ${people.studioId} and id in ${idsTable(people.subjectIds)} and hidden_at is null`.execute(tx)
  await revokeGrants(tx, deps, people)
}

/** Lets customers find people again. */
export const showSubjects = async (tx: Transaction, { studioId, subjectIds }: SubjectIds): Promise<void> => {
  await sql`
    update subjects set hidden_at = null where studio_id = ${studioId} and id in ${idsTable(subjectIds)}`.execute(tx)
}
