import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { formatCount } from '#client/staff/kit/screen/format.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  deletePackageSet,
  duplicatePackageSet,
  listPackageSets,
  type PackageSet,
  putPackageSet,
} from '#contract/studio/package-sets.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { archiveFilterOptions } from '../package-columns.tsx'
import { packageSetUrl } from '../package-urls.ts'
import { PackageSetDialog } from './package-set-dialog.tsx'

type PackageSetActions = {
  rename: (set: PackageSet) => void
  duplicate: (set: PackageSet) => void
  remove: (set: PackageSet) => void
  restore: (set: PackageSet) => void
}

const columnsFor = (studioId: number, actions: PackageSetActions): readonly Column<PackageSet>[] => [
  {
    id: 'name',
    header: 'Package set',
    sort: 'name',
    cell: ({ id, name }) => <Link href={packageSetUrl({ studioId }, id)}>{name}</Link>,
  },
  { id: 'description', header: 'Description', cell: ({ description }) => description },
  {
    id: 'packages',
    header: 'Packages',
    sort: 'packages',
    isNumber: true,
    cell: ({ packageCount }) => formatCount(packageCount),
  },
  { id: 'addOns', header: 'Add-ons', isNumber: true, cell: ({ addOnCount }) => formatCount(addOnCount) },
  { id: 'jobs', header: 'Jobs', sort: 'jobs', isNumber: true, cell: ({ jobCount }) => formatCount(jobCount) },
  {
    id: 'actions',
    header: 'Actions',
    cell: (set) => (
      <Menu
        label={`Actions for ${set.name}`}
        icon={Ellipsis}
        align="end"
        items={
          set.isArchived
            ? [{ label: 'Restore', onSelect: () => actions.restore(set) }]
            : [
                { label: 'Rename', onSelect: () => actions.rename(set) },
                { label: 'Duplicate with its packages', onSelect: () => actions.duplicate(set) },
                'separator',
                { label: 'Remove', danger: true, onSelect: () => actions.remove(set) },
              ]
        }
      />
    ),
  },
]

/** The package sets of a studio, which its jobs can offer. */
export const PackageSetsScreen = ({ studioId }: { studioId: number }) => {
  const list = useList(['type'])
  const [, navigate] = useLocation()
  const [editedSet, setEditedSet] = useState<PackageSet | 'new' | null>(null)
  const isArchive = list.filters.type === 'archived'
  const query = useStaffQuery(listPackageSets, {
    params: { studioId },
    query: { ...list.query, type: isArchive ? 'archived' : 'current' },
  })
  const duplicate = useStaffMutation(duplicatePackageSet)
  const remove = useStaffMutation(deletePackageSet)
  const put = useStaffMutation(putPackageSet)
  const columns = columnsFor(studioId, {
    rename: setEditedSet,
    duplicate: async ({ id }) => {
      const duplicated = await duplicate.mutate({ params: { studioId, id }, body: {} })
      if (duplicated.ok) navigate(packageSetUrl({ studioId }, duplicated.data.id))
    },
    remove: async ({ id, name, jobCount }) => {
      const message =
        jobCount > 0
          ? 'Jobs use it, so it is archived; they keep it.'
          : 'Its packages are removed too. Sold ones are archived.'
      if (!(await confirm({ title: `Remove “${name}”?`, message, confirmText: 'Remove', danger: true }))) return
      const removed = await remove.mutate({ params: { studioId, id } })
      if (removed.ok) toast(removed.data.outcome === 'archived' ? `“${name}” is archived` : `“${name}” was removed`)
    },
    restore: async ({ id, name, description, version }) => {
      await put.mutate({ params: { studioId, id }, body: { name, description, version, isArchived: false } })
    },
  })
  const addButton = (
    <Button icon={Plus} onClick={() => setEditedSet('new')}>
      New package set
    </Button>
  )
  return (
    <StaffScreen title="Package sets" lead={<p>Price lists. Each job uses one.</p>} actions={addButton}>
      <ListScreen
        label="Package sets"
        searchPlaceholder="Name or description"
        list={list}
        query={query}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={<ListFilter list={list} name="type" label="Which" options={archiveFilterOptions} />}
        empty={
          <EmptyState title="No package sets yet" action={addButton}>
            <p>Create one, add packages, and choose it in a job.</p>
          </EmptyState>
        }
      />
      {editedSet && (
        <PackageSetDialog
          studioId={studioId}
          set={editedSet === 'new' ? null : editedSet}
          onClose={() => setEditedSet(null)}
          onSaved={(set) => {
            setEditedSet(null)
            if (editedSet === 'new') navigate(packageSetUrl({ studioId }, set.id))
          }}
        />
      )}
    </StaffScreen>
  )
}
