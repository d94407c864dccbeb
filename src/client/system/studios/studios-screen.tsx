import { Link } from 'wouter'
import { listStudios, type StudioRow } from '../../../contract/system/studios.ts'
import { ListScreen } from '../../staff/list-screen.tsx'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import { staffUrls } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { useList } from '../../staff/use-list.ts'
import type { Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

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

/** Every studio of the platform, each the way into its admin. */
export const StudiosScreen = () => {
  const list = useList()
  const reading = useAnswer(listStudios, { query: list.query })
  return (
    <StaffScreen title="Studios">
      <ListScreen
        label="Studios"
        seek="Name or address"
        list={list}
        reading={reading}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        empty={
          <EmptyState title="No studios yet">
            <p>A studio stands here as soon as somebody has set one up.</p>
          </EmptyState>
        }
      />
    </StaffScreen>
  )
}
