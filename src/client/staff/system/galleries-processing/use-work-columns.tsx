import Ellipsis from 'lucide-react/icons/ellipsis'
import { Link } from 'wouter'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import {
  cancelGalleryWork,
  type GalleryWorkRow,
  resumeStudio,
  retryGalleryWork,
} from '#contract/system/galleries-processing.ts'
import { galleryWorkNames } from '#domain/studio/gallery-work.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { Menu } from '#ui/popover/menu.tsx'
import type { MenuItem } from '#ui/popover/menu-entry.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import type { StudioToPause } from './pause-dialog.tsx'
import { formatAge, WorkProgress, workName } from './work-progress.tsx'

/** What a cancellation does, by the kind of the work. */
const cancelMessages: Readonly<Record<GalleryWorkRow['kind'], string>> = {
  upload: 'Files that have not become images are dropped. Staff can choose the same files again.',
  variant: 'The images are shown as broken until they are retried or replaced.',
  'cut-out': 'The images keep their green background until staff replace them.',
  preview: 'Each image keeps the preview that it has. The run can be started again.',
  packet: 'The packets fail. Staff can retry or recall them.',
  export: 'The exports fail. Staff can retry or delete them.',
}

const keyOf = ({ kind, studioId, jobId }: GalleryWorkRow) => ({ kind, studioId, jobId })

const useWorkActions = (pause: (studio: StudioToPause) => void) => {
  const retrying = useStaffMutation(retryGalleryWork)
  const cancelling = useStaffMutation(cancelGalleryWork)
  const resuming = useStaffMutation(resumeStudio)
  const retry = async (row: GalleryWorkRow) => {
    const answer = await retrying.mutate({ body: keyOf(row) })
    if (answer.ok) toast(`${workName(row)}: retried`, 'success')
  }
  const cancel = async (row: GalleryWorkRow) => {
    const title = `Cancel “${workName(row)}”?`
    if (!(await confirm({ title, message: cancelMessages[row.kind], confirmText: 'Cancel it', danger: true }))) return
    const answer = await cancelling.mutate({ body: keyOf(row) })
    if (answer.ok) toast(`${workName(row)}: cancelled`)
  }
  const resume = async ({ studioId, studioName }: GalleryWorkRow) => {
    const answer = await resuming.mutate({ params: { id: studioId }, body: {} })
    if (answer.ok) toast(`“${studioName}” continues`, 'success')
  }
  return (row: GalleryWorkRow): readonly (MenuItem | 'separator')[] => [
    ...(row.failed > 0 ? [{ label: 'Retry what failed', onSelect: () => void retry(row) }] : []),
    ...(row.waiting + row.running > 0
      ? [{ label: 'Cancel this work', danger: true, onSelect: () => void cancel(row) }, 'separator' as const]
      : []),
    row.isPaused
      ? { label: 'Resume the studio', onSelect: () => void resume(row) }
      : { label: 'Pause the studio', onSelect: () => pause({ id: row.studioId, name: row.studioName }) },
  ]
}

const State = ({ row: { running, waiting, isPaused } }: { row: GalleryWorkRow }) => {
  if (running > 0) return <StateBadge tone="success">Running</StateBadge>
  if (waiting === 0) return <StateBadge tone="attention">Failed</StateBadge>
  if (isPaused) return <StateBadge tone="attention">Paused</StateBadge>
  return <StateBadge tone="quiet">Waiting</StateBadge>
}

/** “12 waiting, 2 running, 1 failed”, without those that are 0. */
const countsOf = ({ waiting, running, failed }: GalleryWorkRow): string =>
  Object.entries({ running, waiting, failed })
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${formatCount(count)} ${state}`)
    .join(', ')

const columns: readonly Column<GalleryWorkRow>[] = [
  { id: 'kind', header: 'Work', cell: ({ kind }) => galleryWorkNames[kind] },
  { id: 'state', header: 'State', cell: (row) => <State row={row} /> },
  {
    id: 'studio',
    header: 'Studio',
    cell: ({ studioId, studioName }) => <Link href={staffUrls.studio(studioId)}>{studioName}</Link>,
  },
  {
    id: 'job',
    header: 'Job',
    cell: ({ studioId, jobId, jobName }) =>
      jobId === null ? 'All jobs' : <Link href={staffUrls.job({ studioId, jobId }, 'images')}>{jobName ?? 'Job'}</Link>,
  },
  { id: 'counts', header: 'Number', cell: countsOf },
  { id: 'progress', header: 'Progress', cell: (row) => <WorkProgress row={row} /> },
  { id: 'age', header: 'Age', cell: ({ since }) => (since === null ? '–' : formatAge(since, Date.now())) },
  { id: 'server', header: 'Server', cell: ({ servers }) => servers.join(', ') || '–' },
]

/** The columns of the work, with its actions. `pause` asks for the reason to pause a studio. */
export const useWorkColumns = (pause: (studio: StudioToPause) => void): readonly Column<GalleryWorkRow>[] => {
  const actionsFor = useWorkActions(pause)
  return [
    ...columns,
    {
      id: 'actions',
      header: 'Actions',
      cell: (row) => (
        <Menu label={`Actions for ${workName(row)}`} icon={Ellipsis} align="end" items={actionsFor(row)} />
      ),
    },
  ]
}
