import { useEffect } from 'react'
import { useLocation } from 'wouter'
import {
  reasonForFailure,
  type UnavailableReason,
  unavailableReason,
  unavailableTitle,
} from '#client/customer/shared/job/entry-guard.ts'
import { NotifyMeForm } from '#client/customer/shared/notify-me/notify-me-form.tsx'
import { StudioContact } from '#client/customer/shared/studio/studio-contact.tsx'
import shared from '#client/customer/shared/subject/subject-picker.module.css'
import { getAvailability, getStudio } from '#contract/customer/discovery-calls.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type CustomerRoute, safeReturnPath, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import styles from '../discovery.module.css'
import { CalendarReminderLink } from './calendar-reminder-link.tsx'

type UnavailableRoute = CustomerRoute & { from?: string | undefined }

/**
 * The target of the entry guard: says why nothing can be ordered now and what to do. Opens the job automatically
 * once it is open.
 */
export const UnavailableScreen = ({ from, ...route }: UnavailableRoute) => {
  const { data, problem, loading, refetch: retry } = useQuery(getAvailability, { params: { jobId: route.jobId } })
  const [, navigate] = useLocation()
  const now = new Date().toISOString()
  const reason = data ? unavailableReason(data, now) : problem ? reasonForFailure(problem) : null
  const isOpen = !loading && reason === null
  const nextUrl = safeReturnPath(from) ?? urls.subjectSearch(route)
  useEffect(() => {
    if (isOpen) navigate(nextUrl, { replace: true })
  }, [isOpen, nextUrl, navigate])
  if (!reason) return <Loader />
  return <UnavailableDetails reason={reason} route={route} jobName={data?.jobName || null} retry={retry} />
}

const messages = {
  'not-found': 'The link may be old or incomplete. Check it against your card or email.',
  unpublished: 'The studio is still preparing it. Come back later, or ask when it opens.',
  archived: 'The studio has archived this event. Ask the studio if you would still like to order.',
  closed: 'It’s too late to order here. Ask the studio if you would still like to.',
  shut: 'Enter your code to see when it does, or ask the studio.',
} as const satisfies Record<Exclude<UnavailableReason['why'], 'later' | 'unreachable' | 'failed'>, string>

/** What a customer who can't order can do, as one sentence. */
const unavailableMessage = (reason: UnavailableReason): string => {
  if ('message' in reason) return `${reason.message}. Anything you chose is saved on this phone.`
  return reason.why === 'later' ? `It opens on ${formatDate(reason.opens)}.` : messages[reason.why]
}

type UnavailableDetailsProps = {
  reason: UnavailableReason
  route: CustomerRoute
  jobName: string | null
  retry: () => void
}

const UnavailableDetails = ({ reason, route, jobName, retry }: UnavailableDetailsProps) => {
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
      <div className={styles.actions}>
        {reason.why === 'later' && <CalendarReminderLink opens={reason.opens} title={jobName ?? 'Photo orders'} />}
        <Button onClick={retry} variant={'message' in reason ? 'primary' : 'secondary'}>
          Try again
        </Button>
        <ButtonLink href={urls.customerStudio(route)} variant="quiet">
          {reason.why === 'shut' ? 'Enter a code' : 'Enter another code'}
        </ButtonLink>
      </div>
      {studio && (studio.phone || studio.email) && (
        <section>
          <h2 className={shared.smallHeading}>Ask {name}</h2>
          <StudioContact studio={studio} />
        </section>
      )}
    </div>
  )
}
