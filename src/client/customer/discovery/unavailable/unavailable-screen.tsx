import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { type Reason, reasonAgainst, reasonOfFailure } from '#client/customer/shared/job/entry-guard.ts'
import { reasonTitle } from '#client/customer/shared/job/unavailable-title.ts'
import { TellMeForm } from '#client/customer/shared/notify-me/notify-me-form.tsx'
import shared from '#client/customer/shared/subject/subject-picker.module.css'
import { getAvailability, getStudio } from '#contract/customer/discovery-calls.ts'
import { useAsk } from '#platform/api/use-query.ts'
import { type CustomerRoute, ownPath, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { useStateTitle } from '#ui/page/state-title.ts'
import styles from '../discovery.module.css'
import { Contact } from '../studio-contact.tsx'
import { ReminderLink } from './calendar-reminder-link.tsx'
import { reasonSentence } from './unavailable-message.ts'

type UnavailableRoute = CustomerRoute & { from?: string | undefined }

/** Where the entry guard leads: says why nothing can be ordered here now and what to do; lets in by itself once it can. */
export const UnavailableScreen = ({ from, ...place }: UnavailableRoute) => {
  const { data, problem, loading, again } = useAsk(getAvailability, { params: { jobId: place.jobId } })
  const [, navigate] = useLocation()
  const now = new Date().toISOString()
  const reason = data ? reasonAgainst(data, now) : problem ? reasonOfFailure(problem) : null
  const open = !loading && reason === null
  const onward = ownPath(from) ?? urls.subjectSearch(place)
  useEffect(() => {
    if (open) navigate(onward, { replace: true })
  }, [open, onward, navigate])
  if (!reason) return <Loader />
  return <WhyNot reason={reason} place={place} jobName={data?.jobName || null} again={again} />
}

type WhyNotProps = { reason: Reason; place: CustomerRoute; jobName: string | null; again: () => void }

const WhyNot = ({ reason, place, jobName, again }: WhyNotProps) => {
  const studio = useAsk(getStudio, { params: { slug: place.studioSlug } }).data
  const name = studio?.name ?? 'the studio'
  const title = reasonTitle(reason)
  useStateTitle(title)
  return (
    <div className={styles.column}>
      <div className={styles.heading}>
        <h1>{title}</h1>
        <p>{reasonSentence(reason)}</p>
      </div>
      {(reason.why === 'later' || reason.why === 'unpublished') && <TellMeForm jobId={place.jobId} />}
      <div className={styles.ways}>
        {reason.why === 'later' && <ReminderLink opens={reason.opens} what={jobName ?? 'Picture orders'} />}
        <Button onClick={again} variant={'message' in reason ? 'primary' : 'secondary'}>
          Try again
        </Button>
        <ButtonLink href={urls.customerStudio(place)} variant="quiet">
          {reason.why === 'shut' ? 'Enter a code' : 'Enter another code'}
        </ButtonLink>
      </div>
      {studio && (studio.phone || studio.email) && (
        <section>
          <h2 className={shared.small}>Ask {name}</h2>
          <Contact studio={studio} />
        </section>
      )}
    </div>
  )
}
