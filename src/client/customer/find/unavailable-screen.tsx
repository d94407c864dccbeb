import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { getAvailability, getStudio } from '../../../contract/customer-find.ts'
import { useAsk } from '../../device/use-ask.ts'
import { type CustomerRoute, ownPath, urls } from '../../shell/urls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Loader } from '../../ui/loader.tsx'
import { useStateTitle } from '../../ui/state-title.ts'
import { type Reason, reasonAgainst, reasonOfFailure } from '../entry-guard.ts'
import { reasonTitle } from '../reason-words.ts'
import { TellMeForm } from '../tell-me-form.tsx'
import shared from '../whom.module.css'
import { Contact } from './contact.tsx'
import styles from './find.module.css'
import { reasonSentence } from './reason-sentence.ts'
import { ReminderLink } from './reminder-link.tsx'

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
