import Camera from 'lucide-react/icons/camera'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Link } from 'wouter'
import { UnusualSearchesNotice } from '#client/staff/kit/job/unusual-searches-notice.tsx'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount, pluralize } from '#client/staff/kit/screen/format.ts'
import { GridSection } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { JobStateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { getStudioHome, type JobRow, type StudioHome } from '#contract/studio/jobs.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { jobStateNames, jobStates } from '#domain/studio/job-states.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Icon } from '#ui/icon.tsx'
import { EarnedTotals } from './earned-totals.tsx'
import styles from './studio-home-screen.module.css'

const JobStateCounts = ({ states }: Pick<StudioHome, 'states'>) => {
  const { id } = useStudio()
  return (
    <section aria-label="Jobs by state">
      <ul className={styles.states}>
        {jobStates
          .filter((state) => states[state] > 0)
          .map((state) => (
            <li key={state}>
              <Link href={`${staffUrls.studio(id, 'jobs')}?state=${state}`} className={styles.state}>
                <span>{jobStateNames[state]} jobs</span>
                <strong className="tabular">{formatCount(states[state])}</strong>
              </Link>
            </li>
          ))}
      </ul>
    </section>
  )
}

type Task = { key: string; href: string; label: string; detail: string }

const tasksOf = ({ toMatch, waiting, acceptsCards, lacksTaxRates }: StudioHome, studioId: number): Task[] => {
  const jobUrl = (jobId: number, tail: string) => staffUrls.job({ studioId, jobId }, tail)
  const imageTasks = toMatch.map(({ jobId, name, count }) => ({
    key: `match ${jobId}`,
    href: jobUrl(jobId, 'images'),
    label: `${pluralize(count, 'image is', 'images are')} not matched yet`,
    detail: name,
  }))
  const orderTasks = waiting.flatMap(({ jobId, name, placed, awaitingPoses, batchesReady }) =>
    [
      ...(batchesReady > 0
        ? [
            {
              tail: 'orders/batch',
              label: `${pluralize(batchesReady, 'batch is', 'batches are')} closed and can go to the lab`,
            },
          ]
        : []),
      ...(placed > 0
        ? [{ tail: 'orders/individual', label: `${pluralize(placed, 'order is', 'orders are')} ready for the lab` }]
        : []),
      ...(awaitingPoses > 0
        ? [
            {
              tail: 'orders',
              label: `${pluralize(awaitingPoses, 'order needs', 'orders need')} images chosen`,
            },
          ]
        : []),
    ].map(({ tail, label }) => ({ key: `${tail} ${jobId}`, href: jobUrl(jobId, tail), label, detail: name })),
  )
  const paymentsTask = {
    key: 'payments',
    href: staffUrls.studio(studioId, 'settings'),
    label: 'Parents cannot pay: payments are not connected',
    detail: 'An owner can connect them in Settings',
  }
  const taxesTask = {
    key: 'taxes',
    href: staffUrls.studio(studioId, 'jobs'),
    label: 'Events cannot be published: the platform has no tax rates',
    detail: 'Ask its administrators to add them',
  }
  return [
    ...(acceptsCards === false ? [paymentsTask] : []),
    ...(lacksTaxRates ? [taxesTask] : []),
    ...imageTasks,
    ...orderTasks,
  ]
}

const LineArrow = () => (
  <span className={styles.arrow}>
    <Icon of={ChevronRight} />
  </span>
)

const TaskList = ({ home }: { home: StudioHome }) => {
  const { id } = useStudio()
  const tasks = tasksOf(home, id)
  return (
    <GridSection title="To do">
      {tasks.length === 0 ? (
        <p className={styles.soft}>You’re all caught up.</p>
      ) : (
        <ul className={styles.lines}>
          {tasks.map(({ key, href, label, detail }) => (
            <li key={key}>
              <Link href={href} className={styles.line}>
                <span className={styles.label}>{label}</span>
                <span className={styles.aside}>{detail}</span>
                <LineArrow />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </GridSection>
  )
}

const RecentJobs = ({ jobs }: { jobs: readonly JobRow[] }) => {
  const { id: studioId } = useStudio()
  return (
    <GridSection title="Recent jobs" aside={<Link href={staffUrls.studio(studioId, 'jobs')}>All jobs</Link>}>
      <ul className={styles.lines}>
        {jobs.map(({ id, name, organizationName, eventDate, state, subjects, withImages, orders }) => (
          <li key={id}>
            <Link href={staffUrls.job({ studioId, jobId: id })} className={styles.line}>
              <span className={styles.label}>
                {name}
                <small>{[organizationName, eventDate && formatDate(eventDate)].filter(Boolean).join(' · ')}</small>
              </span>
              <span className={styles.figures}>
                <JobStateBadge state={state} />
                <span className={styles.aside}>
                  {formatCount(withImages)} of {pluralize(subjects, 'person', 'people')} with images ·{' '}
                  {pluralize(orders, 'order')}
                </span>
              </span>
              <LineArrow />
            </Link>
          </li>
        ))}
      </ul>
    </GridSection>
  )
}

const FirstJobPrompt = ({ hasOrganization }: Pick<StudioHome, 'hasOrganization'>) => {
  const { id } = useStudio()
  const [tail, label] = hasOrganization ? ['jobs', 'Create your first job'] : ['organizations', 'Add an organization']
  return (
    <EmptyState
      icon={Camera}
      title="Set up your first picture day"
      action={<ButtonLink href={staffUrls.studio(id, tail)}>{label}</ButtonLink>}
    >
      <p>Add the school or club, then a job with its picture day, people, images and packages.</p>
    </EmptyState>
  )
}

/** The studio's home: the number of jobs by state, open tasks, and recent jobs. */
export const StudioHomeScreen = () => {
  const { id: studioId } = useStudio()
  const query = useStaffQuery(getStudioHome, { params: { studioId } })
  return (
    <StaffScreen title="Home">
      <QueryBoundary query={query}>
        {(home) => {
          const jobCount = Object.values(home.states).reduce((sum, count) => sum + count, 0)
          if (jobCount === 0)
            return (
              <>
                <FirstJobPrompt hasOrganization={home.hasOrganization} />
                {(home.acceptsCards === false || home.lacksTaxRates) && <TaskList home={home} />}
              </>
            )
          return (
            <div className={styles.home}>
              {home.unusualSearches?.map(({ jobId, name, ...unusual }) => (
                <UnusualSearchesNotice key={jobId} {...{ jobId, name, unusual }} />
              ))}
              <TaskList home={home} />
              <div className={styles.tiles}>
                <EarnedTotals />
                <JobStateCounts states={home.states} />
              </div>
              <RecentJobs jobs={home.recent} />
            </div>
          )
        }}
      </QueryBoundary>
    </StaffScreen>
  )
}
