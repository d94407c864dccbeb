import { type ReactNode, Suspense, useEffect } from 'react'
import { Redirect } from 'wouter'
import { useRefreshCarts } from '#client/customer/shared/cart/refresh-carts.ts'
import { CustomerNotFound, LayoutError } from '#client/customer/shared/errors/lazy-error-screens.ts'
import { guardEntry } from '#client/customer/shared/job/entry-guard.ts'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import type { CallFailure } from '#local/transport/request.ts'
import { startPageSync } from '#platform/sync/page-sync.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { useCurrentUrl } from '#platform/use-current-url.ts'
import { Loader } from '#ui/feedback/loader.tsx'
import { useAccent } from '#ui/theme/use-accent.ts'
import { LayoutFrame } from './layout-frame.tsx'
import { PendingPaymentGate } from './pending-payment-gate.tsx'
import { useJobContextValue } from './use-job-context-value.ts'
import { type JobData, useJobData } from './use-job-data.ts'
import { useSaveLastOpenedJob } from './use-save-last-opened-job.ts'

/** `screen`: the name of the current route. */
type LayoutProps = CustomerRoute & { frame: 'event' | 'cart' | 'exempt'; screen: string; children: ReactNode }

/** Wraps every customer screen of a job: the entry guard, then studio, job, cart status and help. */
export const CustomerLayout = ({ frame, screen, children, ...route }: LayoutProps) => {
  const jobData = useJobData(route)
  useAccent(jobData.studio?.accent)
  useEffect(() => void startPageSync(), [])
  const event = useJobContextValue(route, jobData)
  const decision = guardEntry({ ...route, ...jobData, frame, now: new Date().toISOString() })
  useSaveLastOpenedJob({ ...route, studioName: jobData.studio?.name }, decision.go === 'in' && frame !== 'exempt')
  useRefreshCarts(decision.go === 'in' ? event : null)

  const framed = (content: ReactNode) => (
    <JobContext value={event}>
      <LayoutFrame route={route} jobData={jobData}>
        <Suspense fallback={<Loader />}>{content}</Suspense>
      </LayoutFrame>
    </JobContext>
  )
  if (decision.go === 'not-found') return framed(<CustomerNotFound studioSlug={route.studioSlug} />)
  if (decision.go === 'failed') return framed(<LayoutProblem problem={decision.problem} jobData={jobData} />)
  if (decision.go === 'unavailable') return <ToUnavailable {...route} />
  if (decision.go === 'code') return <ToCode {...route} />
  if (decision.go === 'wait') return framed(<Loader />)
  if (event && frame !== 'exempt')
    return framed(
      <>
        <PendingPaymentGate event={event} screen={screen} />
        {children}
      </>,
    )
  if (frame === 'exempt') return framed(children)
  return framed(<Missing jobData={jobData} />)
}

const ToUnavailable = (route: CustomerRoute) => {
  const from = useCurrentUrl()
  return <Redirect to={urls.unavailable({ ...route, from })} replace />
}

const ToCode = ({ studioSlug }: CustomerRoute) => {
  const ret = useCurrentUrl()
  return <Redirect to={urls.customerStudio({ studioSlug, ret })} replace />
}

// Access is granted but data is missing: still loading, or (after the loading flag has cleared) failed.
const Missing = ({ jobData }: { jobData: JobData }) =>
  jobData.factsProblem && !jobData.loading ? (
    <LayoutProblem problem={jobData.factsProblem} jobData={jobData} />
  ) : (
    <Loader />
  )

const LayoutProblem = ({
  problem,
  jobData: { studioProblem, refetch: retry },
}: {
  problem: CallFailure
  jobData: JobData
}) => <LayoutError problem={problem} ofStudio={problem === studioProblem} retry={retry} />
