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
export const CustomerLayout = ({ frame, screen, children, ...place }: LayoutProps) => {
  const facts = useJobData(place)
  useAccent(facts.studio?.accent)
  useEffect(() => void startPageSync(), [])
  const event = useJobContextValue(place, facts)
  const decision = guardEntry({ ...place, ...facts, frame, now: new Date().toISOString() })
  useSaveLastOpenedJob({ ...place, studioName: facts.studio?.name }, decision.go === 'in' && frame !== 'exempt')
  useRefreshCarts(decision.go === 'in' ? event : null)

  const framed = (content: ReactNode) => (
    <JobContext value={event}>
      <LayoutFrame place={place} facts={facts}>
        <Suspense fallback={<Loader />}>{content}</Suspense>
      </LayoutFrame>
    </JobContext>
  )
  if (decision.go === 'not-found') return framed(<CustomerNotFound studioSlug={place.studioSlug} />)
  if (decision.go === 'failed') return framed(<Trouble problem={decision.problem} facts={facts} />)
  if (decision.go === 'unavailable') return <ToUnavailable {...place} />
  if (decision.go === 'code') return <ToCode {...place} />
  if (decision.go === 'wait') return framed(<Loader />)
  if (event && frame !== 'exempt')
    return framed(
      <>
        <PendingPaymentGate event={event} screen={screen} />
        {children}
      </>,
    )
  if (frame === 'exempt') return framed(children)
  return framed(<Missing facts={facts} />)
}

const ToUnavailable = (place: CustomerRoute) => {
  const from = useCurrentUrl()
  return <Redirect to={urls.unavailable({ ...place, from })} replace />
}

const ToCode = ({ studioSlug }: CustomerRoute) => {
  const ret = useCurrentUrl()
  return <Redirect to={urls.customerStudio({ studioSlug, ret })} replace />
}

// Access is granted but data is missing: still loading, or (after the loading flag has cleared) failed.
const Missing = ({ facts }: { facts: JobData }) =>
  facts.factsProblem && !facts.loading ? <Trouble problem={facts.factsProblem} facts={facts} /> : <Loader />

const Trouble = ({ problem, facts: { studioProblem, refetch: again } }: { problem: CallFailure; facts: JobData }) => (
  <LayoutError problem={problem} ofStudio={problem === studioProblem} again={again} />
)
