import { useAtomValue } from 'jotai'
import { type ReactNode, useMemo, useState } from 'react'
import { Link, Redirect } from 'wouter'
import { notReachedTitle, QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { type QueryResult, useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import {
  JobContext,
  type JobSummary,
  StudioContext,
  type StudioSummary,
} from '#client/staff/kit/routing/staff-context.ts'
import type { StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { getStaffJob, type StaffJob } from '#contract/studio/jobs.ts'
import { getStudio, listFeatures } from '#contract/studio/studio.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import { studioNotLoaded } from '#local/transport/failure-cause.ts'
import type { RouteInput } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import { jobNavigation, studioNavigation } from './navigation-items.ts'
import { navigationLinks, pathOfAddress } from './navigation-links.ts'
import { StaffLayout } from './staff-layout.tsx'
import { NotFoundInStudio } from './staff-not-found-screen.tsx'
import { guardRedirect, OwnersGuard, StudioEnabledGuard } from './studio-guards.tsx'

/** The studio of a screen, and its job if it has one. */
export type StudioParams = { studioId: number; job?: JobParams | undefined }

type StudioLayoutProps = {
  routes: readonly StaffRoute[]
  route: StaffRoute
  input: RouteInput
  address: string
  params: StudioParams
  /** Shown above every screen. */
  notice: ReactNode
  children: ReactNode
}

const useStudioSummary = (studioId: number) => {
  const details = useStaffQuery(getStudio, { params: { studioId }, storeForStudioId: studioId })
  const features = useStaffQuery(listFeatures, { params: { studioId }, storeForStudioId: studioId })
  const { data: studio } = details
  const { data: featureList } = features
  const summary = useMemo<StudioSummary | undefined>(() => {
    if (!studio || !featureList) return undefined
    const { id, name, slug, timeZone, isMillersVerified, isProcessingPaused = false } = studio
    const identifiers = toPage(featureList).resultItems.map(({ identifier }) => identifier)
    return { id, name, slug, timeZone, isMillersVerified, isProcessingPaused, features: new Set(identifiers) }
  }, [studio, featureList])
  const { rspoEnabled = true, deletesAt = null } = studio ?? {}
  return { summary, enabled: rspoEnabled || deletesAt !== null, deletesAt, failing: details.error ? details : features }
}

const jobSummaryOf = (
  { id, name, organizationId, organizationName, publishedAt, archivedAt }: StaffJob,
  params: JobParams,
): JobSummary => ({
  id,
  params,
  name,
  organizationId,
  organizationName,
  isPublished: publishedAt !== null,
  isArchived: archivedAt !== null,
})

const useJobSummary = (job: JobParams | undefined) => {
  const { studioId = 0, jobId = 0, organizationId } = job ?? {}
  const query = useStaffQuery(getStaffJob, {
    params: { studioId, jobId },
    enabled: job !== undefined,
    storeForStudioId: studioId,
  })
  const { data } = query
  const summary = useMemo(
    () => data && jobSummaryOf(data, { studioId, jobId, ...(organizationId !== undefined && { organizationId }) }),
    [data, studioId, jobId, organizationId],
  )
  // The job check: the job must belong to the organization in the address.
  const isInOtherOrganization =
    summary !== undefined && organizationId !== undefined && summary.organizationId !== organizationId
  const hasMoved = useWasEverTrue(jobId, summary !== undefined && !isInOtherOrganization) && isInOtherOrganization
  return { query, summary, hasMoved, isMissing: isInOtherOrganization || query.error?.status === 404 }
}

/** Whether the value was true at any time while this job was open. */
const useWasEverTrue = (jobId: number, isTrueNow: boolean): boolean => {
  const [trueForJobId, setTrueForJobId] = useState<number | null>(null)
  if (isTrueNow && trueForJobId !== jobId) setTrueForJobId(jobId)
  return trueForJobId === jobId
}

/** The same screen under the job's new organization. */
const movedAddress = (address: string, { params, organizationId }: JobSummary): string => {
  const previousPrefix = staffUrls.job(params)
  return (
    staffUrls.job({ ...params, organizationId: organizationId ?? undefined }) + address.slice(previousPrefix.length)
  )
}

/** Shows why the studio could not be loaded. */
const StudioLoadError = ({ query }: { query: QueryResult<unknown> }) => {
  const notReached = query.error && notReachedTitle(query.error)
  const title = notReached ?? studioNotLoaded
  useStateTitle(title)
  return (
    <EmptyState
      level={1}
      title={title}
      action={
        <Button variant="secondary" loading={query.isFetching} onClick={query.refetch}>
          Try again
        </Button>
      }
    >
      <p>
        {notReached
          ? 'This page needs the network. It opens once you’re back online, with what you typed.'
          : query.error?.errors.join(' ')}
      </p>
    </EmptyState>
  )
}

const DeletionNotice = ({ deletesAt, settings }: { deletesAt: string; settings: string }) => (
  <Notice tone="attention" title={`This studio will be deleted on ${formatDate(deletesAt)}`}>
    Customers cannot order any more. Owners can download all of its data in the <Link href={settings}>settings</Link>.
  </Notice>
)

/**
 * Layout of a studio's screens: loads the studio and the job, applies the studio guards and shows the navigation. Reloads when the
 * studio's id changes.
 */
export const StudioLayout = ({ routes, route, input, address, params, notice, children }: StudioLayoutProps) => {
  const { studioId, job } = params
  const { summary: studio, enabled, deletesAt, failing } = useStudioSummary(studioId)
  const { query, summary, hasMoved, isMissing } = useJobSummary(job)
  const toStudio = (tail: string) => staffUrls.studio(studioId, tail)
  const toJob = (tail: string) => (job ? staffUrls.job(job, tail) : toStudio(tail))
  const claims = useAtomValue(claimsAtom)
  const context = { routes, address, studio, claims }
  const jobItems = job && {
    label: summary?.name ?? 'Job',
    items: navigationLinks(jobNavigation, { ...context, urlOf: toJob }),
  }
  const isStudioSection = studioNavigation.some(({ tail }) => pathOfAddress(address) === toStudio(tail))
  const jobsTail = job?.organizationId === undefined ? 'jobs' : 'organizations'
  const items = navigationLinks(studioNavigation, {
    ...context,
    address: job && !isStudioSection ? toStudio(jobsTail) : address,
    urlOf: toStudio,
  })

  const screen = (): ReactNode => {
    if (!studio) return failing.error ? <StudioLoadError query={failing} /> : <Loader />
    if (summary && hasMoved) return <Redirect to={movedAddress(address, summary)} replace />
    if (isMissing) return <NotFoundInStudio />
    const redirect = guardRedirect({ route, input, studio, job })
    if (redirect) return redirect
    if (!job)
      return (
        <OwnersGuard route={route} studioId={studioId}>
          {children}
        </OwnersGuard>
      )
    return <QueryBoundary query={query}>{() => children}</QueryBoundary>
  }
  return (
    <StudioContext value={studio ?? null}>
      <JobContext value={(job && summary) ?? null}>
        <StaffLayout
          name={studio?.name ?? ''}
          home={toStudio('')}
          items={items}
          notice={notice}
          {...(jobItems && { jobItems })}
        >
          {deletesAt !== null && <DeletionNotice deletesAt={deletesAt} settings={toStudio('settings')} />}
          <StudioEnabledGuard enabled={enabled}>{screen()}</StudioEnabledGuard>
        </StaffLayout>
      </JobContext>
    </StudioContext>
  )
}
