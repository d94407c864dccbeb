import { type ReactNode, useContext } from 'react'
import { useLocation } from 'wouter'
import { classNames } from '#ui/class-names.ts'
import { Breadcrumbs, type Crumb } from '#ui/navigation/breadcrumbs.tsx'
import { JobContext, type JobSummary, StudioContext } from '../routing/staff-context.ts'
import { staffUrls } from '../routing/staff-urls.ts'
import styles from './staff-screen.module.css'

type StaffScreenProps = {
  title: string
  /** Whether a choice below says the title, so that a phone has room for what was chosen. */
  isTitleChosen?: boolean
  /** Breadcrumbs between the studio (or the job) and this screen. */
  trail?: readonly Crumb[]
  /** Actions next to the title. */
  actions?: ReactNode
  /** One or two sentences below the title. */
  lead?: ReactNode
  children: ReactNode
}

// Breadcrumbs to the list that the job was opened from: the studio's jobs, or those of its organization.
const jobBreadcrumbs = ({ params: { studioId, organizationId }, organizationName }: JobSummary): Crumb[] => {
  if (organizationId === undefined) return [{ label: 'Jobs', href: staffUrls.studio(studioId, 'jobs') }]
  const organization = `organizations/${organizationId}`
  return [
    { label: 'Organizations', href: staffUrls.studio(studioId, 'organizations') },
    { label: organizationName ?? 'Organization', href: staffUrls.studio(studioId, `${organization}/overview`) },
    { label: 'Jobs', href: staffUrls.studio(studioId, `${organization}/jobs`) },
  ]
}

// Breadcrumbs of a job's screens include the job list and the job; those of a studio's screens start at its home.
const useBreadcrumbs = (): Crumb[] => {
  const studio = useContext(StudioContext)
  const job = useContext(JobContext)
  if (!studio) return []
  const home = { label: studio.name, href: staffUrls.studio(studio.id) }
  return job ? [home, ...jobBreadcrumbs(job), { label: job.name, href: staffUrls.job(job.params) }] : [home]
}

/** Frame of all staff screens except those of the account: breadcrumbs, title, actions and content. */
export const StaffScreen = ({
  title,
  isTitleChosen = false,
  trail = [],
  actions,
  lead,
  children,
}: StaffScreenProps) => {
  const [path] = useLocation()
  // The home of a studio or a job has no breadcrumb of itself.
  const ancestors = [...useBreadcrumbs().filter(({ href }) => href !== path), ...trail]
  return (
    <div className={styles.screen}>
      {ancestors.length > 0 && <Breadcrumbs trail={ancestors} current={title} />}
      <header className={styles.head}>
        <h1 className={classNames(styles.title, isTitleChosen && styles.chosen)}>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {lead && <div className={styles.lead}>{lead}</div>}
      {children}
    </div>
  )
}
