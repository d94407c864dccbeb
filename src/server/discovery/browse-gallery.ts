import { sql } from 'kysely'
import type { GrantedSubject } from '#contract/customer/discovery-calls.ts'
import { isPageAsked, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { isLive, type Visit } from '../access/grants/grants.ts'
import type { Deps } from '../deps.ts'
import { pageAsked, soughtBy } from '../http/paging/paginate-list.ts'
import { type Problem, problem } from '../http/problem.ts'
import { browseGallery, wholeGallery } from './granted-subjects.ts'

const mayBrowse = async ({ db, clock }: Deps, { session, job }: Visit): Promise<boolean> => {
  const { rows } = await sql`
    select from session_grants g join jobs j on j.studio_id = g.studio_id and j.id = g.job_id
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId}
       and g.kind = 'gallery' and j.gallery_is_public and not j.own_code_only and ${isLive(clock())}`.execute(db)
  return rows.length > 0
}

const pageOfGallery = async (deps: Deps, visit: Visit, wanted: PageQuery): Promise<Page<GrantedSubject>> => {
  const { currentPage, pageSize } = pageAsked(wanted)
  const beginning = soughtBy(wanted)
  if (beginning === null) return { resultItems: [], currentPage, pageSize, totalRecords: 0 }
  const stretch = { beginning, offset: (currentPage - 1) * pageSize, limit: pageSize, now: deps.clock() }
  const { total, subjects } = await browseGallery(deps.db, visit, stretch)
  return { resultItems: subjects, currentPage, pageSize, totalRecords: total }
}

/** A public gallery's people: the page that is asked for (section 3, paging), or everybody. */
export const browse = async (
  deps: Deps,
  visit: Visit,
  wanted: PageQuery,
): Promise<GrantedSubject[] | Page<GrantedSubject> | Problem<'grant-needed'>> => {
  if (!(await mayBrowse(deps, visit))) return problem('grant-needed')
  return isPageAsked(wanted)
    ? await pageOfGallery(deps, visit, wanted)
    : await wholeGallery(deps.db, visit, deps.clock())
}
