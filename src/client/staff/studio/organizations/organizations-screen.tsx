import Building from 'lucide-react/icons/building-2'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Link } from 'wouter'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { type ListState, useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listOrganizations, type OrganizationRow } from '#contract/studio/organizations.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { NewOrganizationDialog } from './new-organization-dialog.tsx'
import { organizationTypeLabels } from './organization-types.ts'

const columnsOf = (studioId: number): readonly Column<OrganizationRow>[] => [
  {
    id: 'name',
    header: 'Organization',
    sort: 'name',
    cell: ({ id, name }) => <Link href={staffUrls.studio(studioId, `organizations/${id}/overview`)}>{name}</Link>,
  },
  { id: 'type', header: 'Type', sort: 'type', cell: ({ type }) => organizationTypeLabels[type] },
  {
    id: 'jobs',
    header: 'Jobs',
    sort: 'jobs',
    isNumber: true,
    cell: ({ jobCount }) => jobCount.toLocaleString('en-US'),
  },
  { id: 'contact', header: 'Contact', cell: ({ contactName }) => contactName },
  { id: 'city', header: 'City', cell: ({ city }) => city },
]

type Filter = 'type' | 'archived'

const types = [
  { value: '', label: 'Every type' },
  { value: 'school', label: organizationTypeLabels.school },
  { value: 'sport', label: organizationTypeLabels.sport },
]
const uses = [
  { value: '', label: 'In use' },
  { value: '1', label: 'Archived' },
]

const Filters = ({ list }: { list: ListState<Filter> }) => (
  <>
    <ListFilter list={list} name="type" label="Type" options={types} />
    <ListFilter list={list} name="archived" label="In use or archived" options={uses} />
  </>
)

/** The organizations of a studio: schools and clubs. */
export const OrganizationsScreen = ({ studioId }: { studioId: number }) => {
  const list = useList<Filter>(['type', 'archived'])
  const { type, archived, ...query } = list.query
  const result = useStaffQuery(listOrganizations, {
    params: { studioId },
    query: {
      ...query,
      // Any other value in the address is ignored.
      ...((type === 'school' || type === 'sport') && { type }),
      ...(archived === '1' && { archived }),
    },
  })
  const [isMaking, setMaking] = useState(false)
  const add = (
    <Button icon={Plus} onClick={() => setMaking(true)}>
      New organization
    </Button>
  )
  return (
    <StaffScreen title="Organizations" actions={add}>
      <ListScreen
        label="Organizations"
        searchPlaceholder="Name, contact or city"
        list={list}
        query={result}
        columns={columnsOf(studioId)}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={<Filters list={list} />}
        empty={
          <EmptyState icon={Building} title="No organizations yet" action={add}>
            <p>The schools and clubs you take pictures for appear here, each with its jobs.</p>
          </EmptyState>
        }
      />
      <NewOrganizationDialog studioId={studioId} open={isMaking} onClose={() => setMaking(false)} />
    </StaffScreen>
  )
}
