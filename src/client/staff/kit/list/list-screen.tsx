import Columns from 'lucide-react/icons/columns-3'
import Search from 'lucide-react/icons/search'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isListComplete, type Page, toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { Icon } from '#ui/icon.tsx'
import { type Column, DataTable, type Selection } from '#ui/table/data-table.tsx'
import { QueryBoundary } from '../query/query-boundary.tsx'
import type { QueryResult } from '../query/use-staff-query.ts'
import styles from './list-screen.module.css'
import { Pager } from './pager.tsx'
import { type HiddenColumns, useHiddenColumns } from './use-hidden-columns.ts'
import type { ListState } from './use-list.ts'

export type ListScreenProps<Row extends object, Name extends string> = {
  /** Plural label of the rows: "Subjects". */
  label: string
  list: ListState<Name>
  query: QueryResult<Row[] | Page<Row>>
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  nameOf: (row: Row) => string
  /** Placeholder of the search field: "Name, reference or code". */
  searchPlaceholder: string
  /** Selects for the list's own filters, next to the search field. */
  filters?: ReactNode
  /** Page actions: "New subject". */
  actions?: ReactNode
  selection?: Selection
  /** Number of selected rows, if it includes other pages. */
  selectedCount?: number
  /** Actions for the selected rows, shown with their count. */
  bulkActions?: ReactNode
  /** Shown when the list is empty and has no filter. */
  empty: ReactNode
  openId?: string | undefined
  /** Details of the open row, next to the list. */
  sidePanel?: ReactNode
}

const ColumnsDialog = <Row,>({ columns, chosen }: { columns: readonly Column<Row>[]; chosen: HiddenColumns }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" icon={Columns} onClick={() => setOpen(true)}>
        Columns
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Columns" size="small">
        {columns.slice(1).map(({ id, header }) => (
          <Checkbox
            key={id}
            label={header}
            checked={!chosen.hidden.has(id)}
            onValue={(shown) => chosen.show(id, shown)}
          />
        ))}
      </Dialog>
    </>
  )
}

const NoMatches = ({ list }: { list: Pick<ListState<string>, 'clear'> }) => (
  <EmptyState
    title="Nothing fits"
    action={
      <Button variant="secondary" onClick={list.clear}>
        Show all
      </Button>
    }
  >
    <p>No line of this list is like what you are looking for.</p>
  </EmptyState>
)

/** Scrolls the table's container to the top when the page of the list changes. */
const useStartAtTop = (currentPage: number) => {
  const frame = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page changes
  useEffect(() => {
    const table = frame.current?.querySelector('[data-scroll-frame]')
    if (table) table.scrollTop = 0
  }, [currentPage])
  return frame
}

/** Screen of a staff list: search and filters, actions, table, pager and bulk actions. Its state is in the address (`useList`). */
export const ListScreen = <Row extends object, Name extends string>(props: ListScreenProps<Row, Name>) => {
  const {
    label,
    list,
    query,
    columns,
    searchPlaceholder: seek,
    filters,
    actions,
    selection,
    bulkActions: bulk,
    empty,
    sidePanel: beside,
    openId,
  } = props
  const chosen = useHiddenColumns()
  const page = query.data && toPage(query.data)
  const frame = useStartAtTop(list.currentPage)
  const isEmpty = page?.totalRecords === 0 && !list.isFiltered
  const count = props.selectedCount ?? selection?.ids.size ?? 0
  return (
    <div className={styles.screen}>
      <div className={styles.tools}>
        <Field label={`Find in ${label.toLowerCase()}`} hideLabel className={styles.seek}>
          <span className={styles.sign}>
            <Icon of={Search} />
          </span>
          <TextInput type="search" placeholder={seek} value={list.filter} onValue={list.setFilter} data-list-filter />
        </Field>
        {filters}
        <div className={styles.actions}>
          {columns.length > 2 && <ColumnsDialog columns={columns} chosen={chosen} />}
          {actions}
        </div>
      </div>
      <div className={beside ? styles.besides : undefined}>
        <div ref={frame} className={styles.list}>
          <QueryBoundary query={query} skeleton={<Skeleton lines={10} />}>
            {() =>
              isEmpty ? (
                empty
              ) : page?.totalRecords === 0 ? (
                <NoMatches list={list} />
              ) : (
                <DataTable
                  label={label}
                  columns={columns}
                  rows={page?.resultItems ?? []}
                  idOf={props.idOf}
                  nameOf={props.nameOf}
                  sort={list.sort}
                  onSort={list.sortBy}
                  hidden={chosen.hidden}
                  isOld={query.isPlaceholder}
                  openId={openId}
                  {...(selection && { selection })}
                />
              )
            }
          </QueryBoundary>
          {page && !(isListComplete(page) && page.currentPage === 1 && page.totalRecords === 0) && (
            <Pager paging={page} onPage={list.goTo} />
          )}
        </div>
        {beside}
      </div>
      {count > 0 && bulk && (
        <section className={styles.bulk} aria-label="What is selected" data-actions>
          <strong className="tabular">{count.toLocaleString('en-US')} selected</strong>
          {bulk}
          <Button variant="quiet" onClick={() => selection?.change(new Set())}>
            Select none
          </Button>
        </section>
      )}
    </div>
  )
}
