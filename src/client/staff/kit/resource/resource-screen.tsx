import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { type ReactNode, useState } from 'react'
import type { AnyCall } from '#contract/shapes/call.ts'
import type { Page } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Menu } from '#ui/popover/menu.tsx'
import type { MenuItem } from '#ui/popover/menu-entry.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { ListFilter, optionsOf } from '../list/list-filter.tsx'
import { isListEmpty, ListScreen } from '../list/list-screen.tsx'
import { RowButton } from '../list/panel-link.tsx'
import { useList } from '../list/use-list.ts'
import { useStaffMutation } from '../query/use-staff-mutation.ts'
import { type QueryResult, useStaffQuery } from '../query/use-staff-query.ts'
import { StaffScreen } from '../screen/staff-screen.tsx'
import type { ResourceRecord } from './use-resource-form.ts'

type ResourceScreenProps<Row> = {
  title: string
  lead: ReactNode
  /** What a record is called: "shipping option". */
  noun: string
  calls: { list: AnyCall; put: AnyCall; remove: AnyCall }
  /** The first one names the record, and opens it. */
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  /** The body that replaces a record by itself, to restore it. Without it, records are not archived. */
  draftOf?: (row: Row) => object
  searchPlaceholder: string
  /** The kinds that can be listed alone, by the value of `type`. */
  types?: Readonly<Record<string, string>>
  /** What the user should know before a record is removed. */
  removalMessage: string
  /** Why there is a list, shown while it is empty. */
  emptyText: string
  /** Actions next to the button that creates a record. */
  extraActions?: ReactNode
  /** The dialog that edits a record, or creates one for null. */
  dialog: (record: Row | null, onClose: () => void) => ReactNode
  /** Above the list, for example its tabs. */
  children?: ReactNode
}

const useResourceActions = <Row extends ResourceRecord>({
  noun,
  calls,
  nameOf,
  draftOf,
  removalMessage,
}: ResourceScreenProps<Row>) => {
  const removal = useStaffMutation(calls.remove)
  const replacement = useStaffMutation(calls.put)
  const remove = async (row: Row) => {
    const title = `Remove “${nameOf(row)}”?`
    if (!(await confirm({ title, message: removalMessage, confirmText: 'Remove', danger: true }))) return
    const removed = await removal.mutate({ params: { id: row.id } })
    if (!removed.ok) return
    toast(removed.data.outcome === 'archived' ? `“${nameOf(row)}” is archived` : `The ${noun} was removed`)
  }
  const restore = async (row: Row) => {
    const body = { ...draftOf?.(row), version: row.version, isArchived: false }
    const restored = await replacement.mutate({ params: { id: row.id }, body })
    if (restored.ok) toast(`“${nameOf(row)}” is available again`, 'success')
  }
  return (row: Row): MenuItem =>
    row.isArchived
      ? { label: 'Restore', onSelect: () => void restore(row) }
      : { label: 'Remove', danger: true, onSelect: () => void remove(row) }
}

/** Screen of the records of the generic resource pattern: a list, a dialog to create and edit them, and their removal. */
export const ResourceScreen = <Row extends ResourceRecord>(props: ResourceScreenProps<Row>) => {
  const { title, lead, noun, calls, nameOf, draftOf, searchPlaceholder, types, emptyText, dialog } = props
  const list = useList(['type'])
  const query: QueryResult<Row[] | Page<Row>> = useStaffQuery(calls.list, { query: list.query })
  const [edited, setEdited] = useState<Row | 'new' | null>(null)
  const removalItem = useResourceActions(props)
  const columns = props.columns.map(
    (column, index): Column<Row> =>
      index > 0
        ? column
        : { ...column, cell: (row) => <RowButton onOpen={() => setEdited(row)}>{column.cell(row)}</RowButton> },
  )
  const addButton = (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      New {noun}
    </Button>
  )
  const actionColumn: Column<Row> = {
    id: 'actions',
    header: 'Actions',
    cell: (row) => (
      <Menu
        label={`Actions for ${nameOf(row)}`}
        icon={Ellipsis}
        align="end"
        items={[{ label: 'Edit', onSelect: () => setEdited(row) }, 'separator', removalItem(row)]}
      />
    ),
  }
  const typeOptions = optionsOf({ ...types, ...(draftOf && { archived: 'Archived' }) })
  return (
    <StaffScreen
      title={title}
      lead={<p>{lead}</p>}
      actions={
        <>
          {props.extraActions}
          {!isListEmpty(list, query) && addButton}
        </>
      }
    >
      {props.children}
      <ListScreen
        label={title}
        searchPlaceholder={searchPlaceholder}
        list={list}
        query={query}
        columns={[...columns, actionColumn]}
        idOf={({ id }) => String(id)}
        nameOf={nameOf}
        filters={
          typeOptions.length > 0 && (
            <ListFilter
              list={list}
              name="type"
              label="Show"
              options={[{ value: '', label: draftOf ? 'Current' : `All ${noun}s` }, ...typeOptions]}
            />
          )
        }
        empty={
          <EmptyState title={`No ${noun}s yet`} action={addButton}>
            <p>{emptyText}</p>
          </EmptyState>
        }
      />
      {edited && dialog(edited === 'new' ? null : edited, () => setEdited(null))}
    </StaffScreen>
  )
}
