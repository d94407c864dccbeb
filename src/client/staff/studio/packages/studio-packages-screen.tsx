import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Link } from 'wouter'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { isListEmpty, ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listPackagesOfStudio, type PackageRow } from '#contract/studio/package-sets.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { archiveFilterOptions, packageColumns } from './package-columns.tsx'
import { packageSetUrl, packageUrl } from './package-urls.ts'
import { ChoosePackageSetDialog } from './sets/choose-package-set-dialog.tsx'
import { usePackageRemoval } from './use-package-removal.ts'

/** Columns of the studio's package list, with the set and the actions. */
const useColumns = (studioId: number): readonly Column<PackageRow>[] => {
  const { remove, restore } = usePackageRemoval(studioId)
  const urlOf = ({ packageSetId, id }: PackageRow) => packageUrl({ studioId }, packageSetId, id)
  const menuItems = (row: PackageRow) => [
    { label: 'Edit', href: urlOf(row) },
    'separator' as const,
    row.isArchived
      ? { label: 'Restore', onSelect: () => void restore(row) }
      : { label: 'Remove', danger: true, onSelect: () => void remove(row) },
  ]
  return [
    ...packageColumns(urlOf),
    {
      id: 'set',
      header: 'Package set',
      sort: 'set',
      cell: ({ packageSetId, packageSetName }) => (
        <Link href={packageSetUrl({ studioId }, packageSetId)}>{packageSetName}</Link>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      cell: (row) => <Menu label={`Actions for ${row.name}`} icon={Ellipsis} align="end" items={menuItems(row)} />,
    },
  ]
}

/** All packages of a studio, in all sets. Packages can be added, removed and restored. */
export const StudioPackagesScreen = ({ studioId }: { studioId: number }) => {
  const list = useList(['type'])
  const [isAdding, setAdding] = useState(false)
  const type = list.filters.type === 'archived' ? 'archived' : 'current'
  const query = useStaffQuery(listPackagesOfStudio, { params: { studioId }, query: { ...list.query, type } })
  const columns = useColumns(studioId)
  const addButton = (
    <Button icon={Plus} onClick={() => setAdding(true)}>
      Add a package
    </Button>
  )
  return (
    <StaffScreen title="Packages" actions={!isListEmpty(list, query) && addButton}>
      <ListScreen
        label="Packages"
        searchPlaceholder="Name"
        list={list}
        query={query}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={<ListFilter list={list} name="type" label="Which" options={archiveFilterOptions} />}
        empty={
          <EmptyState title="No packages yet" action={addButton}>
            <p>Packages are made in a package set, and a job offers one set.</p>
          </EmptyState>
        }
      />
      {isAdding && <ChoosePackageSetDialog studioId={studioId} onClose={() => setAdding(false)} />}
    </StaffScreen>
  )
}
