import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import {
  duplicatePackage,
  getPackageSet,
  listSetPackages,
  type PackageRow,
  type PackageSet,
  putPackagePositions,
} from '#contract/studio/package-sets.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import { archiveFilterOptions, packageColumns } from '../package-columns.tsx'
import { type PackageUrlParams, packageSetsBreadcrumb, packageUrl } from '../package-urls.ts'
import { usePackageRemoval } from '../use-package-removal.ts'
import { PackageSetDialog } from './package-set-dialog.tsx'

type PackageSetScreenProps = PackageUrlParams & { packageSetId: number }

/** The packages of a set, in the order that customers see. */
export const PackageSetScreen = (urlParams: PackageSetScreenProps) => {
  const { studioId, packageSetId } = urlParams
  const query = useStaffQuery(getPackageSet, { params: { studioId, id: packageSetId } })
  const [isRenaming, setRenaming] = useState(false)
  const title = query.data?.name ?? 'Package set'
  return (
    <StaffScreen
      title={title}
      trail={[packageSetsBreadcrumb(urlParams)]}
      lead={query.data?.description}
      actions={
        query.data && (
          <>
            <Button variant="secondary" onClick={() => setRenaming(true)}>
              Rename
            </Button>
            <ButtonLink icon={Plus} href={packageUrl(urlParams, packageSetId, 'new')}>
              New package
            </ButtonLink>
          </>
        )
      }
    >
      <QueryBoundary query={query}>
        {(set) => (
          <>
            {set.isArchived && <Notice tone="attention">This set is archived. Jobs that use it keep it.</Notice>}
            <PackageList {...urlParams} set={set} />
            {isRenaming && (
              <PackageSetDialog
                studioId={studioId}
                set={set}
                onClose={() => setRenaming(false)}
                onSaved={() => setRenaming(false)}
              />
            )}
          </>
        )}
      </QueryBoundary>
    </StaffScreen>
  )
}

const usePackageOrder = ({ studioId, packageSetId }: PackageSetScreenProps, set: PackageSet) => {
  const params = { studioId, packageSetId }
  const packagesQuery = useStaffQuery(listSetPackages, { params })
  const putOrder = useStaffMutation(putPackagePositions)
  const ids = packagesQuery.data ? toPage(packagesQuery.data).resultItems.map(({ id }) => id) : []
  const move = (id: number, by: -1 | 1) => {
    const from = ids.indexOf(id)
    const packageIds = ids.toSpliced(from, 1).toSpliced(from + by, 0, id)
    void putOrder.mutate({ params, body: { packageIds, version: set.version } })
  }
  /** False until the whole order is loaded. */
  const canMove = (id: number, by: -1 | 1) => ids.includes(id) && ids[ids.indexOf(id) + by] !== undefined
  return { move, canMove }
}

const PackageList = (urlParams: PackageSetScreenProps & { set: PackageSet }) => {
  const { studioId, packageSetId, set } = urlParams
  const [, navigate] = useLocation()
  const list = useList(['type'])
  const params = { studioId, packageSetId }
  const isArchive = list.filters.type === 'archived'
  const query = useStaffQuery(listSetPackages, {
    params,
    query: { ...list.query, type: isArchive ? 'archived' : 'current' },
  })
  const { move, canMove } = usePackageOrder(urlParams, set)
  const duplicateMutation = useStaffMutation(duplicatePackage)
  const { remove, restore } = usePackageRemoval(studioId)
  const urlOf = ({ id }: PackageRow) => packageUrl(urlParams, packageSetId, id)
  const duplicate = async ({ id }: PackageRow) => {
    const duplicated = await duplicateMutation.mutate({ params: { ...params, id }, body: {} })
    if (duplicated.ok) navigate(packageUrl(urlParams, packageSetId, duplicated.data.id))
  }
  const canReorder = !isArchive && list.sort === undefined && list.filter === ''
  const columns = [
    ...packageColumns(urlOf),
    {
      id: 'actions',
      header: 'Actions',
      cell: (row: PackageRow) => (
        <Menu
          label={`Actions for ${row.name}`}
          icon={Ellipsis}
          align="end"
          items={[
            { label: 'Edit', href: urlOf(row) },
            { label: 'Duplicate', onSelect: () => void duplicate(row) },
            { label: 'Move up', disabled: !canReorder || !canMove(row.id, -1), onSelect: () => move(row.id, -1) },
            { label: 'Move down', disabled: !canReorder || !canMove(row.id, 1), onSelect: () => move(row.id, 1) },
            'separator',
            isArchive
              ? { label: 'Restore', onSelect: () => void restore(row) }
              : { label: 'Remove', danger: true, onSelect: () => void remove(row) },
          ]}
        />
      ),
    },
  ]
  return (
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
        <EmptyState
          title="No packages yet"
          action={
            <ButtonLink icon={Plus} href={packageUrl(urlParams, packageSetId, 'new')}>
              New package
            </ButtonLink>
          }
        >
          <p>A package is what a parent buys: prints, billfolds and downloads at one price.</p>
        </EmptyState>
      }
    />
  )
}
