import { type ReactNode, useContext } from 'react'
import { Breadcrumbs, type Crumb } from '#ui/navigation/breadcrumbs.tsx'
import { JobContext, type JobSummary, StudioContext } from '../routing/staff-context.ts'
import { staffUrls } from '../routing/staff-urls.ts'
import styles from './staff-screen.module.css'

type StaffScreenProps = {
  title: string
  /** The screens between the studio (or the job) and this one. */
  trail?: readonly Crumb[]
  /** What may be done here, beside the title. */
  actions?: ReactNode
  /** One or two sentences under the title. */
  lead?: ReactNode
  children: ReactNode
}

// Where the jobs are listed that a job was opened from: the studio's, or those of its organization.
const jobBreadcrumbs = ({ params: { studioId, organizationId }, organizationName }: JobSummary): Crumb[] => {
  if (organizationId === undefined) return [{ label: 'Jobs', href: staffUrls.studio(studioId, 'jobs') }]
  const organization = `organizations/${organizationId}`
  return [
    { label: 'Organizations', href: staffUrls.studio(studioId, 'organizations') },
    { label: organizationName ?? 'Organization', href: staffUrls.studio(studioId, `${organization}/overview`) },
    { label: 'Jobs', href: staffUrls.studio(studioId, `${organization}/jobs`) },
  ]
}

// A job's screens stand under the jobs and the job; a studio's own under its start.
const useBreadcrumbs = (): Crumb[] => {
  const studio = useContext(StudioContext)
  const job = useContext(JobContext)
  if (!studio) return []
  const start = { label: studio.name, href: staffUrls.studio(studio.id) }
  return job ? [start, ...jobBreadcrumbs(job), { label: job.name, href: staffUrls.job(job.params) }] : [start]
}

/** The frame of every screen of staff's: the way up, its title, what may be done, and the screen. */
export const StaffScreen = ({ title, trail = [], actions, lead, children }: StaffScreenProps) => {
  const above = [...useBreadcrumbs(), ...trail]
  return (
    <div className={styles.screen}>
      {above.length > 0 && <Breadcrumbs trail={above} current={title} />}
      <header className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {lead && <div className={styles.lead}>{lead}</div>}
      {children}
    </div>
  )
}
