import { sql } from 'kysely'
import type { GrantedSubject } from '../../contract/customer-find.ts'
import { defaultPageSize, firstPage } from '../../domain/paging.ts'
import { searchKey } from '../../domain/person-search.ts'
import { isLive, type Visit } from '../admission/grants.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { browseGallery } from './granted-subjects.ts'

const largestPage = 100

type Wanted = { currentPage?: number | undefined; pageSize?: number | undefined; filter?: string | undefined }
type Page = { resultItems: GrantedSubject[]; currentPage: number; pageSize: number; totalRecords: number }

const mayBrowse = async ({ db, clock }: Deps, { session, job }: Visit): Promise<boolean> => {
  const { rows } = await sql`
    select from session_grants g join jobs j on j.studio_id = g.studio_id and j.id = g.job_id
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId}
       and g.kind = 'gallery' and j.gallery_is_public and ${isLive(clock())}`.execute(db)
  return rows.length > 0
}

/** A page of a public gallery's people (section 3, paging). */
export const browse = async (deps: Deps, visit: Visit, wanted: Wanted): Promise<Page | Problem<'grant-needed'>> => {
  if (!(await mayBrowse(deps, visit))) return problem('grant-needed')
  const currentPage = Math.max(firstPage, wanted.currentPage ?? firstPage)
  const pageSize = Math.min(largestPage, wanted.pageSize || defaultPageSize)
  const beginning = searchKey(wanted.filter ?? '')
  const stretch = { beginning, offset: (currentPage - 1) * pageSize, limit: pageSize, now: deps.clock() }
  const { total, subjects } = await browseGallery(deps.db, visit, stretch)
  return { resultItems: subjects, currentPage, pageSize, totalRecords: total }
}
