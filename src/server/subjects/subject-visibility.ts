import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { idsTable } from './store/subject-filter.ts'

type SubjectIds = { readonly studioId: number; readonly subjectIds: readonly number[] }

/** Revokes the grants of all sessions to these subjects, so that devices delete the images at their next request. */
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

/** Hides subjects from all customers immediately. After the subjects are shown again, customers have to confirm them again. */
export const hideSubjects = async (tx: Transaction, deps: Pick<Deps, 'clock'>, subjects: SubjectIds): Promise<void> => {
  await sql`
    update subjects set hidden_at = ${deps.clock()}
     where studio_id = ${subjects.studioId} and id in ${idsTable(subjects.subjectIds)} and hidden_at is null`.execute(
    tx,
  )
  await revokeGrants(tx, deps, subjects)
}

/** Shows subjects to customers again. */
export const showSubjects = async (tx: Transaction, { studioId, subjectIds }: SubjectIds): Promise<void> => {
  await sql`
    update subjects set hidden_at = null where studio_id = ${studioId} and id in ${idsTable(subjectIds)}`.execute(tx)
}
