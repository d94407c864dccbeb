import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { JobShares } from '#client/staff/kit/job/share-counts.tsx'
import { UnusualSearchesNotice } from '#client/staff/kit/job/unusual-searches-notice.tsx'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { pluralize } from '#client/staff/kit/screen/format.ts'
import { GridSection, SectionGrid } from '#client/staff/kit/screen/panel.tsx'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { JobStateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import {
  getJobOverview,
  getStaffJob,
  type JobOverview,
  type JobPublishCheck,
  type StaffJob,
} from '#contract/studio/jobs.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import { isLegacyJob, legacyJobMessage } from '#domain/studio/job-states.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { Icon } from '#ui/icon.tsx'
import { JobActions } from './job-actions.tsx'
import styles from './job-overview.module.css'
import { Meter, overviewRefetchMs, ShootProgress } from './shoot-progress.tsx'

const formatTime = (instant: string, timeZone: string): string => {
  const [day = '', time] = wallClock(instant, timeZone).split('T')
  return `${formatDate(day)} ${time}`
}

const orderPeriod = ({ opens, closes }: StaffJob['availability']['prepay'], timeZone: string): string => {
  const from = opens ? `from ${formatTime(opens, timeZone)}` : 'as soon as it is published'
  return closes ? `${from} until ${formatTime(closes, timeZone)}` : `${from}, without an end`
}

const JobDetails = ({ job }: { job: StaffJob }) => {
  const { availability, timeZone, organizationName, eventDate, code } = job
  const { prepay, gallery } = availability
  const isOffered = ({ opens, closes, available }: typeof prepay) => available || opens !== null || closes !== null
  const details: readonly (readonly [string, ReactNode])[] = [
    ['State', <JobStateBadge key="state" state={job.state} />],
    ['Organization', organizationName ?? 'None'],
    ['Picture day', eventDate ? formatDate(eventDate) : 'Not set'],
    ['Code', code ?? 'None'],
    ...(isOffered(prepay) ? [['Prepay', orderPeriod(prepay, timeZone)] as const] : []),
    ...(isOffered(gallery) ? [['Gallery', orderPeriod(gallery, timeZone)] as const] : []),
  ]
  return (
    <dl className={styles.facts}>
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type ProgressProps = { params: JobParams; overview: JobOverview }

const Progress = ({ params, overview: { progress, orders } }: ProgressProps) => (
  <GridSection title="Progress">
    <ShootProgress params={params} />
    <Meter label="People with images" value={progress.withImages} total={progress.subjects} />
    <Meter label="Children ordered" value={progress.ordered} total={progress.subjects} />
    <p className={styles.soft}>
      {pluralize(progress.images, 'image')} · {pluralize(orders.total, 'order')} for {formatMoney(orders.totalCents)}
    </p>
  </GridSection>
)

type Task = { tail: string; label: string }

const tasksOf = ({ progress, orders, workflow }: JobOverview): Task[] => [
  ...(progress.unmatchedImages > 0
    ? [
        {
          tail: 'images',
          label: `${pluralize(progress.unmatchedImages, 'image is', 'images are')} not matched yet`,
        },
      ]
    : []),
  ...(orders.placed > 0
    ? [
        {
          tail: 'orders/individual',
          label: `${pluralize(orders.placed, 'order is', 'orders are')} ready for the lab`,
        },
      ]
    : []),
  ...(orders.batched > 0
    ? [{ tail: 'orders/batch', label: `${pluralize(orders.batched, 'order is', 'orders are')} in a batch` }]
    : []),
  ...(orders.awaitingPoses > 0
    ? [
        {
          tail: 'orders',
          label: `${pluralize(orders.awaitingPoses, 'order needs', 'orders need')} images chosen`,
        },
      ]
    : []),
  ...(workflow?.next
    ? [
        {
          tail: 'workflows',
          label: `Next step: ${workflow.next.name}${workflow.next.dueOn ? `, due ${formatDate(workflow.next.dueOn)}` : ''}`,
        },
      ]
    : []),
]

const NextTasks = ({ params, overview }: { params: JobParams; overview: JobOverview }) => {
  const tasks = tasksOf(overview)
  const { workflow } = overview
  return (
    <GridSection title="Next steps">
      {workflow && <Meter label={workflow.name} value={workflow.done} total={workflow.total} />}
      {tasks.length === 0 ? (
        <p className={styles.soft}>You’re all caught up.</p>
      ) : (
        <ul className={styles.lines}>
          {tasks.map((task) => (
            <li key={task.label}>
              <Link href={staffUrls.job(params, task.tail)} className={styles.line}>
                {task.label}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </GridSection>
  )
}

const PublishChecks = ({ params, checks }: { params: JobParams; checks: readonly JobPublishCheck[] }) => (
  <GridSection title="Before it is published">
    {checks.length === 0 ? (
      <p className={styles.ready}>
        <Icon of={CircleCheck} /> Everything is ready.
      </p>
    ) : (
      <ul className={styles.lines}>
        {checks.map(({ weight, message, link, of: area }) => (
          <li key={message}>
            <Link
              href={area === 'studio' ? staffUrls.studio(params.studioId, link) : staffUrls.job(params, link)}
              className={styles.line}
              data-weight={weight}
            >
              <Icon of={weight === 'must' ? CircleAlert : Info} />
              <span>
                {message}
                {weight === 'should' && <small className={styles.soft}> You can publish without it</small>}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    )}
  </GridSection>
)

const JobOverviewSections = ({
  params,
  job,
  overview,
}: {
  params: JobParams
  job: StaffJob
  overview: JobOverview
}) => (
  <>
    {isLegacyJob(job.version) && <Notice>{legacyJobMessage}.</Notice>}
    {overview.unusualSearches && <UnusualSearchesNotice jobId={job.id} unusual={overview.unusualSearches} />}
    <JobDetails job={job} />
    <SectionGrid>
      <Progress params={params} overview={overview} />
      {job.state === 'draft' && !isLegacyJob(job.version) && <PublishChecks params={params} checks={overview.checks} />}
      <NextTasks params={params} overview={overview} />
      <JobShares {...params} />
    </SectionGrid>
  </>
)

/** Overview of a job: details, progress, checks before publishing, next steps and actions. */
export const JobOverviewScreen = (params: JobParams) => {
  const callParams = { studioId: params.studioId, jobId: params.jobId }
  const { data: job } = useStaffQuery(getStaffJob, { params: callParams, refetchIntervalMs: overviewRefetchMs })
  const overviewQuery = useStaffQuery(getJobOverview, { params: callParams, refetchIntervalMs: overviewRefetchMs })
  return (
    <StaffScreen
      title="Overview"
      {...(job && !isLegacyJob(job.version) && { actions: <JobActions params={params} job={job} /> })}
    >
      <QueryBoundary query={overviewQuery}>
        {(overview) => job && <JobOverviewSections params={params} job={job} overview={overview} />}
      </QueryBoundary>
    </StaffScreen>
  )
}
