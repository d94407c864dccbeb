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
import { organizationTypeLabels } from './organization-form.tsx'

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

type FilterName = 'type' | 'archived'

const typeOptions = [
  { value: '', label: 'All types' },
  { value: 'school', label: organizationTypeLabels.school },
  { value: 'sport', label: organizationTypeLabels.sport },
]
const archivedOptions = [
  { value: '', label: 'In use' },
  { value: '1', label: 'Archived' },
]

const OrganizationFilters = ({ list }: { list: ListState<FilterName> }) => (
  <>
    <ListFilter list={list} name="type" label="Type" options={typeOptions} />
    <ListFilter list={list} name="archived" label="In use or archived" options={archivedOptions} />
  </>
)

/** The organizations of a studio: schools and clubs. */
export const OrganizationsScreen = ({ studioId }: { studioId: number }) => {
  const list = useList<FilterName>(['type', 'archived'])
  const { type, archived, ...query } = list.query
  const result = useStaffQuery(listOrganizations, {
    params: { studioId },
    query: {
      ...query,
      // Ignores other values in the URL.
      ...((type === 'school' || type === 'sport') && { type }),
      ...(archived === '1' && { archived }),
    },
  })
  const [isDialogOpen, setDialogOpen] = useState(false)
  const addButton = (
    <Button icon={Plus} onClick={() => setDialogOpen(true)}>
      New organization
    </Button>
  )
  return (
    <StaffScreen title="Organizations" actions={addButton}>
      <ListScreen
        label="Organizations"
        searchPlaceholder="Name, contact or city"
        list={list}
        query={result}
        columns={columnsOf(studioId)}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={<OrganizationFilters list={list} />}
        empty={
          <EmptyState icon={Building} title="No organizations yet" action={addButton}>
            <p>The schools and clubs you photograph appear here, with their jobs.</p>
          </EmptyState>
        }
      />
      <NewOrganizationDialog studioId={studioId} open={isDialogOpen} onClose={() => setDialogOpen(false)} />
    </StaffScreen>
  )
}
