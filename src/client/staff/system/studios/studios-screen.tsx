import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ListFilter, optionsOf } from '#client/staff/kit/list/list-filter.tsx'
import { isListEmpty, ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { startPlatformStudioExport } from '#contract/studio/studio-export.ts'
import {
  cancelStudioDeletion,
  decideVerification,
  listStudios,
  type StudioRow,
  setStudioEnabled,
  studioListTypes,
} from '#contract/system/studios.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { formatPercent } from '#domain/studio/rates.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { MenuItem } from '#ui/popover/menu-entry.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { ReasonDialog, type ReasonedDecision } from './reason-dialog.tsx'
import { StudioDetailsDialog } from './studio-details-dialog.tsx'
import { StudioDialog } from './studio-dialog.tsx'
import { StudioFeaturesDialog } from './studio-features-dialog.tsx'

const verifiedLabel = ({ isMillersVerified, waitingAccountNumber }: StudioRow): string => {
  if (isMillersVerified) return 'Yes'
  return waitingAccountNumber === null ? 'No' : `Asked, account ${waitingAccountNumber}`
}

const openLabel = ({ rspoEnabled, deletesAt }: StudioRow): string => {
  if (deletesAt !== null) return `Deleted on ${formatDate(deletesAt)}`
  return rspoEnabled ? 'Yes' : 'Disabled'
}

const columns: readonly Column<StudioRow>[] = [
  {
    id: 'name',
    header: 'Studio',
    sort: 'name',
    cell: ({ id, name }) => <Link href={staffUrls.studio(id)}>{name}</Link>,
  },
  { id: 'slug', header: 'Address', sort: 'slug', cell: ({ slug }) => `/${slug}` },
  {
    id: 'jobs',
    header: 'Jobs',
    sort: 'jobs',
    isNumber: true,
    cell: ({ jobCount }) => jobCount.toLocaleString('en-US'),
  },
  {
    id: 'fee',
    header: 'Fee',
    sort: 'fee',
    isNumber: true,
    cell: ({ platformFeeBasisPoints }) => formatPercent(platformFeeBasisPoints),
  },
  { id: 'verified', header: 'Verified', cell: verifiedLabel },
  { id: 'open', header: 'Open', cell: openLabel },
]

const typeLabels: Readonly<Record<(typeof studioListTypes)[number], string>> = {
  enabled: 'Open',
  disabled: 'Disabled',
  waiting: 'Waiting for verification',
  verified: 'Verified',
  deleting: 'To be deleted',
}

type OpenDialog = { kind: 'edit' | 'details' | 'features' | ReasonedDecision; studio: StudioRow } | { kind: 'new' }

const useStudioActions = (openDialog: (dialog: OpenDialog) => void) => {
  const [, navigate] = useLocation()
  const enabling = useStaffMutation(setStudioEnabled)
  const verification = useStaffMutation(decideVerification)
  const exporting = useStaffMutation(startPlatformStudioExport)
  const cancellation = useStaffMutation(cancelStudioDeletion)
  const enable = async ({ id, name }: StudioRow) => {
    const answer = await enabling.mutate({ params: { id }, body: { isEnabled: true, reason: '' } })
    if (answer.ok) toast(`“${name}” is open again`, 'success')
  }
  const exportData = async ({ id, name }: StudioRow) => {
    const answer = await exporting.mutate({ params: { id } })
    if (answer.ok) toast(`The owners of “${name}” get an email when the export is ready`, 'success')
  }
  const cancelDeletion = async ({ id, name }: StudioRow) => {
    const answer = await cancellation.mutate({ params: { id } })
    if (answer.ok) toast(`“${name}” will not be deleted`, 'success')
  }
  const verify = async ({ id, name, waitingAccountNumber }: StudioRow) => {
    const title = `Verify “${name}”?`
    const message = `Account ${waitingAccountNumber}. Galleries and green screens open for the studio at once.`
    if (!(await confirm({ title, message, confirmText: 'Verify' }))) return
    const answer = await verification.mutate({ params: { id }, body: { isVerified: true, reason: '' } })
    if (answer.ok) toast(`“${name}” is verified`, 'success')
  }
  return (studio: StudioRow): readonly (MenuItem | 'separator')[] => [
    { label: 'Open', onSelect: () => navigate(staffUrls.studio(studio.id)) },
    { label: 'Edit', onSelect: () => openDialog({ kind: 'edit', studio }) },
    { label: 'Features', onSelect: () => openDialog({ kind: 'features', studio }) },
    { label: 'Usage and users', onSelect: () => openDialog({ kind: 'details', studio }) },
    ...(studio.waitingAccountNumber === null
      ? []
      : ([
          'separator',
          { label: 'Verify', onSelect: () => void verify(studio) },
          { label: 'Refuse to verify', onSelect: () => openDialog({ kind: 'refuse', studio }) },
        ] as const)),
    { label: 'Export all data', onSelect: () => void exportData(studio) },
    'separator',
    ...(studio.deletesAt === null
      ? ([
          studio.rspoEnabled
            ? { label: 'Disable', danger: true, onSelect: () => openDialog({ kind: 'disable', studio }) }
            : { label: 'Enable', onSelect: () => void enable(studio) },
          { label: 'Delete', danger: true, onSelect: () => openDialog({ kind: 'delete', studio }) },
        ] as const)
      : [{ label: 'Cancel the deletion', onSelect: () => void cancelDeletion(studio) }]),
  ]
}

const StudioDialogs = ({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) => {
  if (dialog.kind === 'new') return <StudioDialog studio={null} onClose={onClose} />
  const { kind, studio } = dialog
  if (kind === 'edit') return <StudioDialog studio={studio} onClose={onClose} />
  if (kind === 'details') return <StudioDetailsDialog studio={studio} onClose={onClose} />
  if (kind === 'features') return <StudioFeaturesDialog studio={studio} onClose={onClose} />
  return <ReasonDialog studio={studio} decision={kind} onClose={onClose} />
}

/** All studios of the platform, with what administrators decide about them. Each name links to the admin screens of the studio. */
export const StudiosScreen = () => {
  const list = useList(['type'])
  const type = studioListTypes.find((value) => value === list.filters.type)
  const query = useStaffQuery(listStudios, { query: { ...list.query, type } })
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const actionsFor = useStudioActions(setDialog)
  const addButton = (
    <Button icon={Plus} onClick={() => setDialog({ kind: 'new' })}>
      New studio
    </Button>
  )
  const actionColumn: Column<StudioRow> = {
    id: 'actions',
    header: 'Actions',
    cell: (studio) => (
      <Menu label={`Actions for ${studio.name}`} icon={Ellipsis} align="end" items={actionsFor(studio)} />
    ),
  }
  return (
    <StaffScreen title="Studios" actions={!isListEmpty(list, query) && addButton}>
      <ListScreen
        label="Studios"
        searchPlaceholder="Name, address or email"
        list={list}
        query={query}
        columns={[...columns, actionColumn]}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={
          <ListFilter
            list={list}
            name="type"
            label="Show"
            options={[{ value: '', label: 'All studios' }, ...optionsOf(typeLabels)]}
          />
        }
        empty={
          <EmptyState title="No studios here" action={addButton}>
            <p>Create a studio, or let its owner set it up.</p>
          </EmptyState>
        }
      />
      {dialog && <StudioDialogs dialog={dialog} onClose={() => setDialog(null)} />}
    </StaffScreen>
  )
}
