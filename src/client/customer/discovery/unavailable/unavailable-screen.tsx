import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { reasonForFailure, type UnavailableReason, unavailableReason } from '#client/customer/shared/job/entry-guard.ts'
import { unavailableTitle } from '#client/customer/shared/job/unavailable-title.ts'
import { NotifyMeForm } from '#client/customer/shared/notify-me/notify-me-form.tsx'
import shared from '#client/customer/shared/subject/subject-picker.module.css'
import { getAvailability, getStudio } from '#contract/customer/discovery-calls.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type CustomerRoute, safeReturnPath, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useStateTitle } from '#ui/page/state-title.ts'
import styles from '../discovery.module.css'
import { StudioContact } from '../studio-contact.tsx'
import { CalendarReminderLink } from './calendar-reminder-link.tsx'
import { unavailableMessage } from './unavailable-message.ts'

type UnavailableRoute = CustomerRoute & { from?: string | undefined }

/**
 * The target of the entry guard: says why nothing can be ordered now and what to do. Continues to the job by itself
 * once it is open.
 */
export const UnavailableScreen = ({ from, ...route }: UnavailableRoute) => {
  const { data, problem, loading, refetch: retry } = useQuery(getAvailability, { params: { jobId: route.jobId } })
  const [, navigate] = useLocation()
  const now = new Date().toISOString()
  const reason = data ? unavailableReason(data, now) : problem ? reasonForFailure(problem) : null
  const open = !loading && reason === null
  const onward = safeReturnPath(from) ?? urls.subjectSearch(route)
  useEffect(() => {
    if (open) navigate(onward, { replace: true })
  }, [open, onward, navigate])
  if (!reason) return <Loader />
  return <WhyNot reason={reason} route={route} jobName={data?.jobName || null} retry={retry} />
}

type WhyNotProps = { reason: UnavailableReason; route: CustomerRoute; jobName: string | null; retry: () => void }

const WhyNot = ({ reason, route, jobName, retry }: WhyNotProps) => {
  const studio = useQuery(getStudio, { params: { slug: route.studioSlug } }).data
  const name = studio?.name ?? 'the studio'
  const title = unavailableTitle(reason)
  useStateTitle(title)
  return (
    <div className={styles.column}>
      <div className={styles.heading}>
        <h1>{title}</h1>
        <p>{unavailableMessage(reason)}</p>
      </div>
      {(reason.why === 'later' || reason.why === 'unpublished') && <NotifyMeForm jobId={route.jobId} />}
      <div className={styles.ways}>
        {reason.why === 'later' && <CalendarReminderLink opens={reason.opens} what={jobName ?? 'Picture orders'} />}
        <Button onClick={retry} variant={'message' in reason ? 'primary' : 'secondary'}>
          Try again
        </Button>
        <ButtonLink href={urls.customerStudio(route)} variant="quiet">
          {reason.why === 'shut' ? 'Enter a code' : 'Enter another code'}
        </ButtonLink>
      </div>
      {studio && (studio.phone || studio.email) && (
        <section>
          <h2 className={shared.small}>Ask {name}</h2>
          <StudioContact studio={studio} />
        </section>
      )}
    </div>
  )
}
