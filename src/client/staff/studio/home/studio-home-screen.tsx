import Camera from 'lucide-react/icons/camera'
import { Link } from 'wouter'
import { StateMark } from '#client/staff/kit/job/job-state-badge.tsx'
import { UnusualSearchesNotice } from '#client/staff/kit/job/unusual-searches-notice.tsx'
import { Answered } from '#client/staff/kit/query/query-boundary.tsx'
import { useAnswer } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { Part, Parts } from '#client/staff/kit/screen/section-grid.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getStudioHome, type JobRow, type StudioHome } from '#contract/studio/jobs.ts'
import { showDate } from '#domain/shared/dates.ts'
import { jobStateNames, jobStates } from '#domain/studio/job-states.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import styles from './studio-home-screen.module.css'

const shown = (count: number) => count.toLocaleString('en-US')

const words = (count: number, one: string, many: string) => `${shown(count)} ${count === 1 ? one : many}`

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

type Errand = { key: string; href: string; what: string; where: string }

const errandsOf = ({ toMatch, waiting, takesCards, lacksTaxRates }: StudioHome, studioId: number): Errand[] => {
  const at = (jobId: number, tail: string) => staffUrls.job({ studioId, jobId }, tail)
  const pictures = toMatch.map(({ jobId, name, count }) => ({
    key: `match ${jobId}`,
    href: at(jobId, 'images'),
    what: `${words(count, 'picture belongs', 'pictures belong')} to nobody yet`,
    where: name,
  }))
  const orders = waiting.flatMap(({ jobId, name, placed, awaitingPoses, batchesReady }) =>
    [
      ...(batchesReady > 0
        ? [
            {
              tail: 'orders/batch',
              what: `${words(batchesReady, 'batch is', 'batches are')} closed and can go to the lab`,
            },
          ]
        : []),
      ...(placed > 0
        ? [{ tail: 'orders/individual', what: `${words(placed, 'order waits', 'orders wait')} to go to the lab` }]
        : []),
      ...(awaitingPoses > 0
        ? [{ tail: 'orders', what: `${words(awaitingPoses, 'order waits', 'orders wait')} for pictures to be chosen` }]
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
  return [...(takesCards === false ? [payments] : []), ...(lacksTaxRates ? [taxes] : []), ...pictures, ...orders]
}

const totalsOf = ({ unmatchedImages, placed, awaitingPoses, batchesReady }: StudioHome): string =>
  [
    unmatchedImages > 0 && words(unmatchedImages, 'picture to match', 'pictures to match'),
    batchesReady > 0 && words(batchesReady, 'batch ready', 'batches ready'),
    placed > 0 && words(placed, 'order for the lab', 'orders for the lab'),
    awaitingPoses > 0 && words(awaitingPoses, 'order waiting for pictures', 'orders waiting for pictures'),
  ]
    .filter((part) => part !== false)
    .join(' · ')

const ToDo = ({ home }: { home: StudioHome }) => {
  const { id } = useStudio()
  const errands = errandsOf(home, id)
  return (
    <Part title="What needs doing" aside={<span className={styles.aside}>{totalsOf(home)}</span>}>
      {errands.length === 0 ? (
        <p className={styles.quiet}>
          Nothing waits for you: every picture has its person, and every order is on its way.
        </p>
      ) : (
        <ul className={styles.lines}>
          {errands.map(({ key, href, what, where }) => (
            <li key={key}>
              <Link href={href} className={styles.line}>
                <span className={styles.what}>{what}</span>
                <span className={styles.aside}>{where}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

const Recent = ({ jobs }: { jobs: readonly JobRow[] }) => {
  const { id: studioId } = useStudio()
  return (
    <Part title="Worked on last" aside={<Link href={staffUrls.studio(studioId, 'jobs')}>All jobs</Link>}>
      <ul className={styles.lines}>
        {jobs.map(({ id, name, organizationName, eventDate, state, subjects, withImages, orders }) => (
          <li key={id}>
            <Link href={staffUrls.job({ studioId, jobId: id })} className={styles.line}>
              <span className={styles.what}>
                {name}
                <small>{[organizationName, eventDate && showDate(eventDate)].filter((part) => part).join(' · ')}</small>
              </span>
              <span className={styles.figures}>
                <StateMark state={state} />
                <span className={styles.aside}>
                  {shown(withImages)} of {words(subjects, 'person', 'people')} with pictures ·{' '}
                  {words(orders, 'order', 'orders')}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  )
}

const Beginning = ({ hasOrganization }: Pick<StudioHome, 'hasOrganization'>) => {
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

/** What a studio finds when it comes in: its jobs by state, what waits to be done, and where it was last. */
export const HomeScreen = () => {
  const { id: studioId } = useStudio()
  const reading = useAnswer(getStudioHome, { params: { studioId } })
  return (
    <StaffScreen title="Home">
      <Answered reading={reading}>
        {(home) => {
          const total = Object.values(home.states).reduce((sum, count) => sum + count, 0)
          if (total === 0)
            return (
              <>
                <Beginning hasOrganization={home.hasOrganization} />
                {(home.takesCards === false || home.lacksTaxRates) && <ToDo home={home} />}
              </>
            )
          return (
            <div className={styles.home}>
              {home.unusualSearches?.map(({ jobId, name, ...unusual }) => (
                <UnusualSearchesNotice key={jobId} {...{ jobId, name, unusual }} />
              ))}
              <States states={home.states} />
              <Parts>
                <ToDo home={home} />
                <Recent jobs={home.recent} />
              </Parts>
            </div>
          )
        }}
      </Answered>
    </StaffScreen>
  )
}
