import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { isListEmpty, ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { JobStateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import { type JobRow, listJobs, listOrganizationJobs } from '#contract/studio/jobs.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { jobStateNames, jobStates } from '#domain/studio/job-states.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import styles from './jobs-list.module.css'
import { NewJobDialog } from './new-job-dialog.tsx'

type JobsListProps = {
  /** Jobs with prepay, jobs with a gallery, or all. */
  kind: 'all' | 'prepay' | 'galleries'
  /** Limits the list to one organization. Links to its jobs contain the organization if the studio has the `rspoJob` feature. */
  organizationId?: number | undefined
}

const orderMethodsOf = ({ prepay, gallery }: JobRow): string =>
  [prepay && 'Prepay', gallery && 'Gallery'].filter(Boolean).join(', ') || 'None yet'

type JobListParams = {
  studioId: number
  organizationId: number | undefined
  /** The organization in the links to the jobs, if any. */
  linkOrganizationId: number | undefined
}

const columnsFor = ({ studioId, organizationId, linkOrganizationId }: JobListParams): Column<JobRow>[] => [
  {
    id: 'name',
    header: 'Job',
    sort: 'name',
    cell: ({ id, name }) => (
      <Link href={staffUrls.job({ studioId, jobId: id, organizationId: linkOrganizationId })} className={styles.name}>
        {name}
      </Link>
    ),
  },
  ...(organizationId === undefined
    ? [
        {
          id: 'organization',
          header: 'Organization',
          sort: 'organization',
          cell: ({ organizationName }: JobRow) => organizationName ?? 'None',
        },
      ]
    : []),
  {
    id: 'eventDate',
    header: 'Event',
    sort: 'eventDate',
    cell: ({ eventDate }) => (eventDate === null ? 'No day yet' : formatDate(eventDate)),
  },
  { id: 'code', header: 'Code', cell: ({ code }) => code ?? 'None' },
  { id: 'state', header: 'State', isKey: true, isClear: true, cell: ({ state }) => <JobStateBadge state={state} /> },
  { id: 'orderMethods', header: 'Order methods', isClear: true, cell: orderMethodsOf },
  { id: 'subjects', header: 'People', isNumber: true, cell: ({ subjects }) => formatCount(subjects) },
  { id: 'withImages', header: 'With images', isNumber: true, cell: ({ withImages }) => formatCount(withImages) },
  { id: 'orders', header: 'Orders', isNumber: true, cell: ({ orders }) => formatCount(orders) },
]

const queryByKind = { all: {}, prepay: { prepay: 1 }, galleries: { galleries: 1 } } as const

const emptyTitles = {
  all: 'No jobs yet',
  prepay: 'No job takes orders before picture day',
  galleries: 'No job has a gallery',
} as const

const states = [
  { value: '', label: 'All states' },
  ...jobStates.map((state) => ({ value: state, label: jobStateNames[state] })),
]

/** The jobs of a studio or an organization. The list's state is in the URL. */
export const JobsList = ({ kind, organizationId }: JobsListProps) => {
  const { id: studioId, features } = useStudio()
  const linkOrganizationId = features.has('rspoJob') ? organizationId : undefined
  const list = useList(['state'])
  const [isDialogOpen, setDialogOpen] = useState(false)
  const query = useStaffQuery(organizationId === undefined ? listJobs : listOrganizationJobs, {
    params: { studioId, organizationId },
    query: { ...list.query, ...queryByKind[kind] } as never, // the server's struct validates values from the address
  })
  useShortcuts(useMemo(() => [{ key: 'n', description: 'New job', run: () => setDialogOpen(true) }], []))
  const addButton = (
    <Button icon={Plus} onClick={() => setDialogOpen(true)}>
      New job
    </Button>
  )
  return (
    <>
      <ListScreen
        label="Jobs"
        searchPlaceholder="Job, organization or code"
        list={list}
        query={query}
        columns={columnsFor({ studioId, organizationId, linkOrganizationId })}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={<ListFilter list={list} name="state" label="State" options={states} />}
        actions={!isListEmpty(list, query) && addButton}
        empty={
          <EmptyState title={emptyTitles[kind]} action={addButton}>
            <p>A job is one picture day: its people, images and packages, and when it is open.</p>
          </EmptyState>
        }
      />
      <NewJobDialog
        open={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        orderMethod={kind === 'prepay' ? 'prepay' : 'gallery'}
        organizationId={organizationId}
      />
    </>
  )
}
