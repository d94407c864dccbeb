import { sql } from 'kysely'
import type { FoundSubject } from '../../contract/find-people.ts'
import type { PersonSearch } from '../../domain/person-search.ts'
import type { Deps } from '../deps.ts'
import type { JobKey } from '../http/admit.ts'
import { foundProof } from './found-proof.ts'
import { firstGroupName } from './granted-subjects.ts'

const mostFound = 20

// Nothing sorts after it, so that "begins with" is a range of the index.
const last = sql`chr(1114111)`

/** The people of a job whose names begin so, without pictures: at most 20, nobody hidden, nobody only typed in (section 4, grants). */
export const findPeople = async (
  deps: Pick<Deps, 'db' | 'settings'>,
  { studioId, jobId }: JobKey,
  search: PersonSearch,
): Promise<FoundSubject[]> => {
  const { rows } = await sql<{ id: number; first_name: string; last_name: string; group_name: string | null }>`
    select u.id, u.first_name, u.last_name, ${firstGroupName} as group_name
      from subjects u
     where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed' and u.hidden_at is null
       and u.last_key >= ${search.last} and u.last_key < ${search.last} || ${last}
       and u.first_key >= ${search.first} and u.first_key < ${search.first} || ${last}
     order by u.last_key, u.first_key, u.id limit ${mostFound}`.execute(deps.db)
  return rows.map((row) => ({
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    groupName: row.group_name,
    proof: foundProof(deps, { jobId, subjectId: row.id }),
  }))
}
