import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { getPlatformStudio, type PlatformStudio, type StudioRow } from '#contract/system/studios.ts'
import { formatFileSize } from '#domain/shared/file-size.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

type Usage = { label: string; value: string }

const usageColumns: readonly Column<Usage>[] = [
  { id: 'label', header: 'Stored', cell: ({ label }) => label },
  { id: 'value', header: 'Amount', isNumber: true, cell: ({ value }) => value },
]

const usageRows = ({ usage: { jobs, subjects, images, orders, bytes } }: PlatformStudio): readonly Usage[] => [
  ...Object.entries({ Jobs: jobs, Subjects: subjects, Images: images, Orders: orders }).map(([label, count]) => ({
    label,
    value: count.toLocaleString('en-US'),
  })),
  { label: 'Files', value: formatFileSize(bytes) },
]

type StudioUser = PlatformStudio['users'][number]

const Users = ({ studio }: { studio: PlatformStudio }) => {
  const owners = studio.users.filter(({ role }) => role === 'owner')
  const [nextOwner, setNextOwner] = useState<StudioUser | null>(null)
  const columns: readonly Column<StudioUser>[] = [
    { id: 'name', header: 'Name', cell: ({ name }) => name },
    { id: 'email', header: 'Email', cell: ({ email }) => email },
    { id: 'role', header: 'Role', cell: ({ role }) => (role === 'owner' ? 'Owner' : 'Staff') },
    {
      id: 'actions',
      header: 'Actions',
      cell: (user) =>
        user.role === 'owner' && owners.length === 1 ? (
          '–'
        ) : (
          <Button variant="secondary" aria-label={`Make ${user.name} the owner`} onClick={() => setNextOwner(user)}>
            Make owner
          </Button>
        ),
    },
  ]
  return studio.users.length === 0 ? (
    <p>No one works here yet. The invitation of the owner is not accepted.</p>
  ) : (
    <>
      <DataTable
        label="Users"
        columns={columns}
        rows={studio.users}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
      />
      {nextOwner && (
        <ReasonDialog studio={studio} decision="transfer" nextOwner={nextOwner} onClose={() => setNextOwner(null)} />
      )}
    </>
  )
}

/** What a studio stores, and who works there; another user can be made its owner. */
export const StudioDetailsDialog = ({ studio: { id, name }, onClose }: { studio: StudioRow; onClose: () => void }) => {
  const query = useStaffQuery(getPlatformStudio, { params: { id } })
  return (
    <Dialog open onClose={onClose} title={name} size="large">
      <QueryBoundary query={query}>
        {(studio) => (
          <>
            <Panel title="Usage">
              <DataTable
                label="Usage"
                isReadOnly
                columns={usageColumns}
                rows={usageRows(studio)}
                idOf={({ label }) => label}
                nameOf={({ label }) => label}
              />
            </Panel>
            <Panel title="Users">
              <Users studio={studio} />
            </Panel>
          </>
        )}
      </QueryBoundary>
    </Dialog>
  )
}
