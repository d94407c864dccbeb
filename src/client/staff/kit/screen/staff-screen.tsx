import { type ReactNode, useContext } from 'react'
import { Breadcrumbs, type Crumb } from '#ui/navigation/breadcrumbs.tsx'
import { JobContext, type JobSummary, StudioContext } from '../routing/staff-context.ts'
import { staffUrls } from '../routing/staff-urls.ts'
import styles from './staff-screen.module.css'

type StaffScreenProps = {
  title: string
  /** Breadcrumbs between the studio (or the job) and this screen. */
  trail?: readonly Crumb[]
  /** Actions next to the title. */
  actions?: ReactNode
  /** One or two sentences below the title. */
  lead?: ReactNode
  children: ReactNode
}

// The list the job was opened from: the studio's jobs, or those of its organization.
const jobBreadcrumbs = ({ params: { studioId, organizationId }, organizationName }: JobSummary): Crumb[] => {
  if (organizationId === undefined) return [{ label: 'Jobs', href: staffUrls.studio(studioId, 'jobs') }]
  const organization = `organizations/${organizationId}`
  return [
    { label: 'Organizations', href: staffUrls.studio(studioId, 'organizations') },
    { label: organizationName ?? 'Organization', href: staffUrls.studio(studioId, `${organization}/overview`) },
    { label: 'Jobs', href: staffUrls.studio(studioId, `${organization}/jobs`) },
  ]
}

// A job's screens are below the job list and the job; a studio's screens are below its home.
const useBreadcrumbs = (): Crumb[] => {
  const studio = useContext(StudioContext)
  const job = useContext(JobContext)
  if (!studio) return []
  const start = { label: studio.name, href: staffUrls.studio(studio.id) }
  return job ? [start, ...jobBreadcrumbs(job), { label: job.name, href: staffUrls.job(job.params) }] : [start]
}

/** Frame of every staff screen: breadcrumbs, title, actions and content. */
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
