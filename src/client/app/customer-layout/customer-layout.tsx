import { type ReactNode, Suspense, useEffect } from 'react'
import { Redirect } from 'wouter'
import { useCurrentUrl } from '#client/app/match-route.ts'
import { useRefreshCarts } from '#client/customer/shared/cart/refresh-carts.ts'
import { CustomerNotFound, LayoutError } from '#client/customer/shared/errors/lazy-error-screens.ts'
import { guardEntry } from '#client/customer/shared/job/entry-guard.ts'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { saveLastOpenedJob } from '#local/session.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { database } from '#platform/database.ts'
import { startPageSync } from '#platform/sync/page-sync.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Loader } from '#ui/feedback/loader.tsx'
import { useAccent } from '#ui/theme/use-accent.ts'
import { LayoutFrame } from './layout-frame.tsx'
import { PendingPaymentHost } from './pending-payment-host.tsx'
import { useJobContextValue } from './use-job-context-value.ts'
import { type JobData, useJobData } from './use-job-data.ts'

/** `screen`: the name of the current route. */
type LayoutProps = CustomerRoute & { frame: 'event' | 'cart' | 'exempt'; screen: string; children: ReactNode }

type OpenedJob = CustomerRoute & { studioName: string | undefined }

/** Once access is granted, stores the job as the one opened last, for the link back to it. */
const useSaveLastOpenedJob = ({ studioSlug, jobId, studioName }: OpenedJob, hasAccess: boolean): void => {
  useEffect(() => {
    if (hasAccess) void saveLastOpenedJob(database, { studioSlug, jobId, studioName }).catch(console.warn)
  }, [studioSlug, jobId, studioName, hasAccess])
}

/**
 * Wraps every customer screen of a job in a frame with studio, job, cart status and help. Shows the screen only if the
 * entry guard allows it.
 */
export const CustomerLayout = ({ frame, screen, children, ...route }: LayoutProps) => {
  const jobData = useJobData(route)
  useAccent(jobData.studio?.accent)
  useEffect(() => void startPageSync(), [])
  const job = useJobContextValue(route, jobData)
  const decision = guardEntry({ ...route, ...jobData, frame, now: new Date().toISOString() })
  useSaveLastOpenedJob({ ...route, studioName: jobData.studio?.name }, decision.go === 'in' && frame !== 'exempt')
  useRefreshCarts(decision.go === 'in' ? job : null)

  const withFrame = (content: ReactNode) => (
    <JobContext value={job}>
      <LayoutFrame route={route} jobData={jobData}>
        <Suspense fallback={<Loader />}>{content}</Suspense>
      </LayoutFrame>
    </JobContext>
  )
  if (decision.go === 'not-found') return withFrame(<CustomerNotFound studioSlug={route.studioSlug} />)
  if (decision.go === 'failed') return withFrame(<LayoutProblem problem={decision.problem} jobData={jobData} />)
  if (decision.go === 'unavailable') return <RedirectToUnavailable {...route} />
  if (decision.go === 'code') return <RedirectToCode {...route} />
  if (decision.go === 'wait') return withFrame(<Loader />)
  if (job && frame !== 'exempt')
    return withFrame(
      <>
        <PendingPaymentHost job={job} screen={screen} />
        {children}
      </>,
    )
  if (frame === 'exempt') return withFrame(children)
  return withFrame(<MissingJobData jobData={jobData} />)
}

const RedirectToUnavailable = (route: CustomerRoute) => {
  const from = useCurrentUrl()
  return <Redirect to={urls.unavailable({ ...route, from })} replace />
}

const RedirectToCode = ({ studioSlug }: CustomerRoute) => {
  const ret = useCurrentUrl()
  return <Redirect to={urls.customerStudio({ studioSlug, ret })} replace />
}

// Access is granted but data is missing: still loading, or (after the loading flag has cleared) failed.
const MissingJobData = ({ jobData }: { jobData: JobData }) =>
  jobData.jobDataProblem && !jobData.loading ? (
    <LayoutProblem problem={jobData.jobDataProblem} jobData={jobData} />
  ) : (
    <Loader />
  )

const LayoutProblem = ({
  problem,
  jobData: { studioProblem, refetch: retry },
}: {
  problem: CallFailure
  jobData: JobData
}) => <LayoutError problem={problem} isStudioProblem={problem === studioProblem} retry={retry} />
