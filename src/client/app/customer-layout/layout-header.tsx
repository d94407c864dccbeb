import CircleHelp from 'lucide-react/icons/circle-question-mark'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { belongsToStudio } from '#client/customer/shared/job/entry-guard.ts'
import { useOptionalJobContext } from '#client/customer/shared/job/job-context.tsx'
import styles from '#client/customer/shared/layout/layout.module.css'
import { logoShowsName, StudioLogo } from '#client/customer/shared/studio/studio-logo.tsx'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { IconButton } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { CartLink } from './cart-link.tsx'
import type { JobData } from './use-job-data.ts'

const HelpDialog = lazy(async () => ({ default: (await import('./help-dialog.tsx')).HelpDialog }))

type LayoutHeaderProps = { route: CustomerRoute; jobData: JobData }

const homeOf = (route: CustomerRoute) =>
  Number.isNaN(route.jobId) ? urls.customerStudio(route) : urls.subjectSearch(route)

/** Studio and job on every screen, help, the cart and its status. */
export const LayoutHeader = ({ route, jobData: { studio, availability, job } }: LayoutHeaderProps) => {
  const event = useOptionalJobContext()
  const [helping, setHelping] = useState(false)
  const [helped, setHelped] = useState(false)
  const help = () => {
    setHelped(true)
    setHelping(true)
  }
  // A URL can combine one studio with another studio's job: then neither the job's name nor its studio's is shown.
  const isOthers = availability && !belongsToStudio({ ...route, studio }, availability)
  // After the server lost the session, the availability has no name until the session is recovered.
  const eventName = isOthers ? undefined : job?.name || availability?.jobName
  const face = studio ?? { name: (!isOthers && availability?.studioName) || '', logo: null }
  const isNamed = logoShowsName(face)
  return (
    <header className={styles.header}>
      <Link href={homeOf(route)} className={classNames(styles.place, isNamed && styles.marked)}>
        {face.name && <StudioLogo studio={face} />}
        <span className={styles.names}>
          {!isNamed && <span className={styles.studioName}>{face.name}</span>}
          {eventName && <span className={styles.eventName}>{eventName}</span>}
        </span>
      </Link>
      <IconButton icon={CircleHelp} label="Help" onClick={help} />
      {event ? <CartLink event={event} /> : <p className={styles.status} />}
      {helped && (
        <Suspense>
          <HelpDialog open={helping} onClose={() => setHelping(false)} route={route} studio={studio ?? null} />
        </Suspense>
      )}
    </header>
  )
}
