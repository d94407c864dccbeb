import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
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
import { archiveFilterOptions } from '../archive-filter.ts'
import { packageSetUrl } from '../package-urls.ts'
import { PackageSetDialog } from './package-set-dialog.tsx'

type PackageSetActions = {
  rename: (set: PackageSet) => void
  copy: (set: PackageSet) => void
  remove: (set: PackageSet) => void
  restore: (set: PackageSet) => void
}

const number = (count: number) => count.toLocaleString('en-US')

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
    cell: ({ packageCount }) => number(packageCount),
  },
  { id: 'addOns', header: 'Add-ons', isNumber: true, cell: ({ addOnCount }) => number(addOnCount) },
  { id: 'jobs', header: 'Jobs', sort: 'jobs', isNumber: true, cell: ({ jobCount }) => number(jobCount) },
  {
    id: 'actions',
    header: 'Actions',
    cell: (set) => (
      <Menu
        label={`What to do with ${set.name}`}
        icon={Ellipsis}
        align="end"
        items={
          set.isArchived
            ? [{ label: 'Take out of the archive', onSelect: () => actions.restore(set) }]
            : [
                { label: 'Rename', onSelect: () => actions.rename(set) },
                { label: 'Duplicate with its packages', onSelect: () => actions.copy(set) },
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
  const [edited, setEdited] = useState<PackageSet | 'new' | null>(null)
  const isArchive = list.chosen.type === 'archived'
  const query = useStaffQuery(listPackageSets, {
    params: { studioId },
    query: { ...list.query, type: isArchive ? 'archived' : 'current' },
  })
  const duplicate = useStaffMutation(duplicatePackageSet)
  const remove = useStaffMutation(deletePackageSet)
  const put = useStaffMutation(putPackageSet)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions do not depend on the render
  const columns = useMemo(
    () =>
      columnsFor(studioId, {
        rename: setEdited,
        copy: async ({ id }) => {
          const duplicated = await duplicate.mutate({ params: { studioId, id }, body: {} })
          if (duplicated.ok) navigate(packageSetUrl({ studioId }, duplicated.data.id))
        },
        remove: async ({ id, name, jobCount }) => {
          const message =
            jobCount > 0
              ? 'Jobs offer it, so it goes to the archive; they go on with it.'
              : 'Its packages go with it. What was sold already is kept in the archive.'
          if (!(await confirm({ title: `Remove “${name}”?`, message, confirmText: 'Remove', danger: true }))) return
          const removed = await remove.mutate({ params: { studioId, id } })
          if (removed.ok)
            toast(removed.data.outcome === 'archived' ? `“${name}” is in the archive now` : `“${name}” is gone`)
        },
        restore: async ({ id, name, description, version }) => {
          await put.mutate({ params: { studioId, id }, body: { name, description, version, isArchived: false } })
        },
      }),
    [studioId],
  )
  const mutate = (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      New package set
    </Button>
  )
  return (
    <StaffScreen title="Package sets" lead={<p>What is sold together. Each job offers one set.</p>} actions={mutate}>
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
          <EmptyState title="No package sets yet" action={mutate}>
            <p>Make one, put packages into it, and choose it in a job: then parents can order them.</p>
          </EmptyState>
        }
      />
      {edited && (
        <PackageSetDialog
          studioId={studioId}
          set={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={(set) => {
            setEdited(null)
            if (edited === 'new') navigate(packageSetUrl({ studioId }, set.id))
          }}
        />
      )}
    </StaffScreen>
  )
}
