import { Link } from 'wouter'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listStudios, type StudioRow } from '#contract/system/studios.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'

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
  { id: 'verified', header: 'Verified', cell: ({ isMillersVerified }) => (isMillersVerified ? 'Yes' : 'No') },
  { id: 'open', header: 'Open', cell: ({ rspoEnabled }) => (rspoEnabled ? 'Yes' : 'No') },
]

/** All studios of the platform. Each name links to the admin screens of the studio. */
export const StudiosScreen = () => {
  const list = useList()
  const query = useStaffQuery(listStudios, { query: list.query })
  return (
    <StaffScreen title="Studios">
      <ListScreen
        label="Studios"
        searchPlaceholder="Name or address"
        list={list}
        query={query}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        empty={
          <EmptyState title="No studios yet">
            <p>Studios appear here once they are set up.</p>
          </EmptyState>
        }
      />
    </StaffScreen>
  )
}
