import CircleHelp from 'lucide-react/icons/circle-question-mark'
import { lazy, Suspense, useState } from 'react'
import { belongsToStudio } from '#client/customer/shared/job/entry-guard.ts'
import { useOptionalJobContext } from '#client/customer/shared/job/job-context.tsx'
import styles from '#client/customer/shared/layout/layout.module.css'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { IconButton } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { CartLink } from './cart-link.tsx'
import { StudioAndJobLink } from './studio-and-job-link.tsx'
import type { JobData } from './use-job-data.ts'

const HelpDialog = lazy(async () => ({ default: (await import('./help-dialog.tsx')).HelpDialog }))

type LayoutHeaderProps = { route: CustomerRoute; jobData: JobData }

const noStudio = { name: '', logo: null }

const homeUrlOf = (route: CustomerRoute) =>
  Number.isNaN(route.jobId) ? urls.customerStudio(route) : urls.subjectSearch(route)

/** The header of every customer screen: the studio and help; under a job also the job, the cart and its status. */
export const LayoutHeader = ({ route, jobData: { studio, studioProblem, availability, job } }: LayoutHeaderProps) => {
  const jobContext = useOptionalJobContext()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isHelpLoaded, setHelpLoaded] = useState(false)
  const openHelp = () => {
    setHelpLoaded(true)
    setHelpOpen(true)
  }
  // A URL can combine one studio with another studio's job: then neither the job's name nor its studio's is shown.
  const belongsToOtherStudio = availability && !belongsToStudio({ ...route, studio }, availability)
  // After the server lost the session, the availability has no name until the session is recovered.
  const jobName = belongsToOtherStudio ? undefined : job?.name || availability?.jobName
  const knownStudio = studio ?? { name: (!belongsToOtherStudio && availability?.studioName) || '', logo: null }
  const isJobRoute = !Number.isNaN(route.jobId)
  const name = knownStudio.name || jobName
  // Names wait for the logo, whose shape decides where they are.
  const isStudioAnswered = studio !== undefined || studioProblem !== undefined
  return (
    <header className={classNames(styles.header, isJobRoute && styles.withCart)}>
      <StudioAndJobLink
        href={homeUrlOf(route)}
        label={isStudioAnswered && name ? undefined : name || 'Home'}
        studio={isStudioAnswered ? knownStudio : noStudio}
        jobName={isJobRoute ? (isStudioAnswered && jobName) || '' : undefined}
      />
      <IconButton icon={CircleHelp} label="Help" onClick={openHelp} />
      {jobContext ? <CartLink job={jobContext} /> : <p className={styles.status} />}
      {isHelpLoaded && (
        <Suspense>
          <HelpDialog open={isHelpOpen} onClose={() => setHelpOpen(false)} route={route} studio={studio ?? null} />
        </Suspense>
      )}
    </header>
  )
}
