import { type ReactNode, useContext } from 'react'
import { Breadcrumbs, type Crumb } from '../ui/breadcrumbs.tsx'
import { JobContext, StudioContext } from './staff-context.ts'
import styles from './staff-screen.module.css'
import { staffUrls } from './staff-urls.ts'

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

// A job's screens stand under the studio's jobs and the job; a studio's own under its start.
const useTrail = (): Crumb[] => {
  const studio = useContext(StudioContext)
  const job = useContext(JobContext)
  if (!studio) return []
  const start = { label: studio.name, href: staffUrls.studio(studio.id) }
  if (!job) return [start]
  return [
    start,
    { label: 'Jobs', href: staffUrls.studio(studio.id, 'jobs') },
    { label: job.name, href: staffUrls.job({ studioId: studio.id, jobId: job.id }) },
  ]
}

/** The frame of every screen of staff's: the way up, its title, what may be done, and the screen. */
export const StaffScreen = ({ title, trail = [], actions, lead, children }: StaffScreenProps) => {
  const above = [...useTrail(), ...trail]
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
