import Camera from 'lucide-react/icons/camera'
import { Link } from 'wouter'
import { JobStateBadge } from '#client/staff/kit/job/job-state-badge.tsx'
import { UnusualSearchesNotice } from '#client/staff/kit/job/unusual-searches-notice.tsx'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { GridSection, SectionGrid } from '#client/staff/kit/screen/section-grid.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getStudioHome, type JobRow, type StudioHome } from '#contract/studio/jobs.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { jobStateNames, jobStates } from '#domain/studio/job-states.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import styles from './studio-home-screen.module.css'

const shown = (count: number) => count.toLocaleString('en-US')

const pluralize = (count: number, one: string, many: string) => `${shown(count)} ${count === 1 ? one : many}`

const States = ({ states }: Pick<StudioHome, 'states'>) => {
  const { id } = useStudio()
  return (
    <section aria-label="Jobs by state">
      <ul className={styles.states}>
        {jobStates.map((state) => (
          <li key={state}>
            <Link href={`${staffUrls.studio(id, 'jobs')}?state=${state}`} className={styles.state}>
              <strong className="tabular">{shown(states[state])}</strong>
              <span>{jobStateNames[state]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Task = { key: string; href: string; what: string; where: string }

const tasksOf = ({ toMatch, waiting, takesCards, lacksTaxRates }: StudioHome, studioId: number): Task[] => {
  const at = (jobId: number, tail: string) => staffUrls.job({ studioId, jobId }, tail)
  const imageTasks = toMatch.map(({ jobId, name, count }) => ({
    key: `match ${jobId}`,
    href: at(jobId, 'images'),
    what: `${pluralize(count, 'picture belongs', 'pictures belong')} to nobody yet`,
    where: name,
  }))
  const orders = waiting.flatMap(({ jobId, name, placed, awaitingPoses, batchesReady }) =>
    [
      ...(batchesReady > 0
        ? [
            {
              tail: 'orders/batch',
              what: `${pluralize(batchesReady, 'batch is', 'batches are')} closed and can go to the lab`,
            },
          ]
        : []),
      ...(placed > 0
        ? [{ tail: 'orders/individual', what: `${pluralize(placed, 'order waits', 'orders wait')} to go to the lab` }]
        : []),
      ...(awaitingPoses > 0
        ? [
            {
              tail: 'orders',
              what: `${pluralize(awaitingPoses, 'order waits', 'orders wait')} for pictures to be chosen`,
            },
          ]
        : []),
    ].map(({ tail, what }) => ({ key: `${tail} ${jobId}`, href: at(jobId, tail), what, where: name })),
  )
  const payments = {
    key: 'payments',
    href: staffUrls.studio(studioId, 'settings'),
    what: 'Parents cannot pay: payments are not connected',
    where: 'An owner connects them in the settings',
  }
  const taxes = {
    key: 'taxes',
    href: staffUrls.studio(studioId, 'jobs'),
    what: 'Events cannot be published: the platform has no tax rates',
    where: 'Its administrators add them',
  }
  return [...(takesCards === false ? [payments] : []), ...(lacksTaxRates ? [taxes] : []), ...imageTasks, ...orders]
}

const totalsOf = ({ unmatchedImages, placed, awaitingPoses, batchesReady }: StudioHome): string =>
  [
    unmatchedImages > 0 && pluralize(unmatchedImages, 'picture to match', 'pictures to match'),
    batchesReady > 0 && pluralize(batchesReady, 'batch ready', 'batches ready'),
    placed > 0 && pluralize(placed, 'order for the lab', 'orders for the lab'),
    awaitingPoses > 0 && pluralize(awaitingPoses, 'order waiting for pictures', 'orders waiting for pictures'),
  ]
    .filter((part) => part !== false)
    .join(' · ')

const TaskList = ({ home }: { home: StudioHome }) => {
  const { id } = useStudio()
  const tasks = tasksOf(home, id)
  return (
    <GridSection title="What needs doing" aside={<span className={styles.aside}>{totalsOf(home)}</span>}>
      {tasks.length === 0 ? (
        <p className={styles.quiet}>
          Nothing waits for you: every picture has its person, and every order is on its way.
        </p>
      ) : (
        <ul className={styles.lines}>
          {tasks.map(({ key, href, what, where }) => (
            <li key={key}>
              <Link href={href} className={styles.line}>
                <span className={styles.what}>{what}</span>
                <span className={styles.aside}>{where}</span>
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
    <GridSection title="Worked on last" aside={<Link href={staffUrls.studio(studioId, 'jobs')}>All jobs</Link>}>
      <ul className={styles.lines}>
        {jobs.map(({ id, name, organizationName, eventDate, state, subjects, withImages, orders }) => (
          <li key={id}>
            <Link href={staffUrls.job({ studioId, jobId: id })} className={styles.line}>
              <span className={styles.what}>
                {name}
                <small>
                  {[organizationName, eventDate && formatDate(eventDate)].filter((part) => part).join(' · ')}
                </small>
              </span>
              <span className={styles.figures}>
                <JobStateBadge state={state} />
                <span className={styles.aside}>
                  {shown(withImages)} of {pluralize(subjects, 'person', 'people')} with pictures ·{' '}
                  {pluralize(orders, 'order', 'orders')}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </GridSection>
  )
}

const FirstJobPrompt = ({ hasOrganization }: Pick<StudioHome, 'hasOrganization'>) => {
  const { id } = useStudio()
  const [tail, label] = hasOrganization ? ['jobs', 'Make the first job'] : ['organizations', 'Add an organization']
  return (
    <EmptyState
      icon={Camera}
      title="Set up your first picture day"
      action={<ButtonLink href={staffUrls.studio(id, tail)}>{label}</ButtonLink>}
    >
      <p>First the school or the club, then a job for its picture day, its people, its pictures, and what is sold.</p>
    </EmptyState>
  )
}

/** The studio's home: jobs by state, open tasks, and recently opened jobs. */
export const StudioHomeScreen = () => {
  const { id: studioId } = useStudio()
  const query = useStaffQuery(getStudioHome, { params: { studioId } })
  return (
    <StaffScreen title="Home">
      <QueryBoundary query={query}>
        {(home) => {
          const total = Object.values(home.states).reduce((sum, count) => sum + count, 0)
          if (total === 0)
            return (
              <>
                <FirstJobPrompt hasOrganization={home.hasOrganization} />
                {(home.takesCards === false || home.lacksTaxRates) && <TaskList home={home} />}
              </>
            )
          return (
            <div className={styles.home}>
              {home.unusualSearches?.map(({ jobId, name, ...unusual }) => (
                <UnusualSearchesNotice key={jobId} {...{ jobId, name, unusual }} />
              ))}
              <States states={home.states} />
              <SectionGrid>
                <TaskList home={home} />
                <RecentJobs jobs={home.recent} />
              </SectionGrid>
            </div>
          )
        }}
      </QueryBoundary>
    </StaffScreen>
  )
}
