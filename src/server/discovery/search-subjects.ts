import { sql } from 'kysely'
import type { SubjectSearchResult } from '#contract/customer/find-subjects.ts'
import { matchesTypedNames, searchPatterns, type TypedNames } from '#domain/subjects/subject-search.ts'
import type { JobKey } from '../access/authorization/authorize.ts'
import type { Deps } from '../deps.ts'
import { firstGroupName } from './granted-subjects.ts'
import { createSearchToken } from './search-token.ts'

const maxResults = 20

type Row = { id: number; firstName: string; lastName: string; groupName: string | null }

/**
 * Finds the subjects of a job that match a search, without images: at most 20, none hidden, none typed in by a customer
 * (section 4, grants). The database preselects names by patterns; the domain rule decides.
 */
export const findSubjects = async (
  deps: Pick<Deps, 'db' | 'settings'>,
  { studioId, jobId }: JobKey,
  enteredNames: TypedNames,
): Promise<SubjectSearchResult[]> => {
  const patterns = searchPatterns(enteredNames)
  const { rows } = await sql<Row>`
    select u.id, u.first_name as "firstName", u.last_name as "lastName", ${firstGroupName} as "groupName"
      from subjects u
     where u.studio_id = ${studioId} and u.job_id = ${jobId} and u.state = 'listed' and u.hidden_at is null
       and (u.last_key ~ any(${patterns.last}::text[])
            or char_length(u.last_key) < 2 and u.first_key ~ any(${patterns.first}::text[]))
     order by u.last_key, u.first_key, u.id`.execute(deps.db)
  const matches = rows.filter((subject) => matchesTypedNames(enteredNames, subject)).slice(0, maxResults)
  return matches.map((row) => ({ ...row, proof: createSearchToken(deps, { jobId, subjectId: row.id }) }))
}
