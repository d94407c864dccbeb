import { sql } from 'kysely'
import type { GallerySections } from '#contract/customer/find-subjects.ts'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import { isPageRequested, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { isLiveGrant, type JobSession } from '../access/grants/grants.ts'
import type { Deps } from '../deps.ts'
import { nameFilter, requestedPage } from '../http/paging/paginate-list.ts'
import { type Problem, problem } from '../http/problem.ts'
import { type GalleryFilter, readGalleryPage, readGallerySections, readWholeGallery } from './granted-subjects.ts'

const mayBrowse = async ({ db, clock }: Deps, { session, job }: JobSession): Promise<boolean> => {
  const { rows } = await sql`
    select from session_grants g join jobs j on j.studio_id = g.studio_id and j.id = g.job_id
     where g.studio_id = ${job.studioId} and g.session_id = ${session.id} and g.job_id = ${job.jobId}
       and g.kind = 'gallery' and j.gallery_is_public and not j.own_code_only and ${isLiveGrant(clock())}`.execute(db)
  return rows.length > 0
}

type GalleryQuery = PageQuery & Omit<GalleryFilter, 'namePrefix'>

const readPage = async (deps: Deps, jobSession: JobSession, query: GalleryQuery): Promise<Page<GrantedSubject>> => {
  const { currentPage, pageSize } = requestedPage(query)
  const namePrefix = nameFilter(query)
  if (namePrefix === null) return { resultItems: [], currentPage, pageSize, totalRecords: 0 }
  const { group, letter, images } = query
  const filter = { namePrefix, group, letter, images }
  const page = { filter, offset: (currentPage - 1) * pageSize, limit: pageSize, now: deps.clock() }
  const { total, subjects } = await readGalleryPage(deps.db, jobSession, page)
  return { resultItems: subjects, currentPage, pageSize, totalRecords: total }
}

/** A public gallery's subjects: the requested page (section 3, paging), or all of them. */
export const listGallerySubjects = async (
  deps: Deps,
  jobSession: JobSession,
  query: GalleryQuery,
): Promise<GrantedSubject[] | Page<GrantedSubject> | Problem<'grant-needed'>> => {
  if (!(await mayBrowse(deps, jobSession))) return problem('grant-needed')
  return isPageRequested(query)
    ? await readPage(deps, jobSession, query)
    : await readWholeGallery(deps.db, jobSession, deps.clock())
}

/** What a public gallery can be limited to. */
export const listSections = async (
  deps: Deps,
  jobSession: JobSession,
): Promise<GallerySections | Problem<'grant-needed'>> =>
  (await mayBrowse(deps, jobSession)) ? await readGallerySections(deps.db, jobSession.job) : problem('grant-needed')
