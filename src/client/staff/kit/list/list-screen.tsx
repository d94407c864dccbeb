import { type ReactNode, useEffect, useRef } from 'react'
import { isListComplete, type Page, toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { TableSkeleton } from '#ui/table/table-skeleton.tsx'
import { QueryBoundary } from '../query/query-boundary.tsx'
import type { QueryResult } from '../query/use-staff-query.ts'
import { formatCount } from '../screen/format.ts'
import styles from './list-screen.module.css'
import { ListTools } from './list-tools.tsx'
import { Pager } from './pager.tsx'
import { useHiddenColumns } from './use-hidden-columns.ts'
import type { ListState } from './use-list.ts'
import type { ListSelection } from './use-list-selection.ts'

export type ListScreenProps<Row extends object, Name extends string> = {
  /** Plural label of the rows: "Subjects". */
  label: string
  list: ListState<Name>
  query: QueryResult<Row[] | Page<Row>>
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  nameOf: (row: Row) => string
  /** Placeholder of the search field: "Name, reference or code". Without it, the list has no search. */
  searchPlaceholder?: string | undefined
  /** Selects for the list's filters, next to the search field; on a phone behind a button. */
  filters?: ReactNode
  /** How many of the filters are set. By default, all of the list's parameters are filters. */
  filterCount?: number | undefined
  /** Buttons for what the list shows, next to the one for its columns. */
  viewTools?: ReactNode
  /** Page actions: "New subject". */
  actions?: ReactNode
  selection?: ListSelection
  /** Actions for the selected rows, shown with their count. */
  bulkActions?: ReactNode
  /** Shown when the list is empty and has no filter. */
  empty: ReactNode
  /** Rows without links and buttons. */
  isReadOnly?: boolean
  /** A last row with the sums over all pages, by column. */
  totals?: ReadonlyMap<string, ReactNode> | undefined
  openId?: string | undefined
  /** Details of the open row, next to the list. */
  sidePanel?: ReactNode
}

const NoMatches = ({ list }: { list: Pick<ListState<string>, 'clear'> }) => (
  <EmptyState
    title="No matches"
    action={
      <Button variant="secondary" onClick={list.clear}>
        Show all
      </Button>
    }
  >
    <p>Try another search or filter.</p>
  </EmptyState>
)

type BulkActionBarProps = { selection: ListSelection; total: number; actions: ReactNode }

/** The number of selected rows, and the actions for them. */
const BulkActionBar = ({ selection: { ids, count, isAll, change, selectAll }, total, actions }: BulkActionBarProps) =>
  count > 0 && (
    <section className={styles.bulkActions} aria-label="Selection" data-actions>
      <strong className="tabular">{formatCount(count)} selected</strong>
      {total > ids.size && !isAll && (
        <Button variant="quiet" size="sm" onClick={selectAll}>
          Select all {formatCount(total)}
        </Button>
      )}
      {actions}
      <Button variant="quiet" onClick={() => change(new Set())}>
        Clear selection
      </Button>
    </section>
  )

/** Shows the first row when the page of the list changes: in the table's frame, or on a phone in the window. */
const useScrollToTop = (currentPage: number) => {
  const listRef = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page changes
  useEffect(() => {
    const table = listRef.current?.querySelector('[data-scroll-frame]')
    if (!table) return
    table.scrollTop = 0
    if (table.getBoundingClientRect().top < 0) table.scrollIntoView()
  }, [currentPage])
  return listRef
}

/** Whether a list has no rows at all; then its empty state has the button that adds one. */
export const isListEmpty = <Row extends object>(
  { isFiltered }: Pick<ListState<string>, 'isFiltered'>,
  { data }: QueryResult<Row[] | Page<Row>>,
): boolean => data !== undefined && toPage(data).totalRecords === 0 && !isFiltered

/** Screen of a staff list: search, filters, actions, table, pager and bulk actions. Its state is in the URL (`useList`). */
export const ListScreen = <Row extends object, Name extends string>(props: ListScreenProps<Row, Name>) => {
  const { label, list, query, columns, selection, bulkActions, empty, sidePanel, openId } = props
  const hiddenColumns = useHiddenColumns()
  const page = query.data && toPage(query.data)
  const listRef = useScrollToTop(list.currentPage)
  const isEmpty = isListEmpty(list, query)
  // Filters stay: what a list shows by default may be all but the archive. So does a search that was just cleared.
  const canSearch = !isEmpty || query.isPlaceholder || list.filter !== '' || Boolean(list.query.filter)
  const hasColumnChoice = columns.length > 2 && !isEmpty && (page !== undefined || !query.error)
  const skeleton = <TableSkeleton columns={columns} hidden={hiddenColumns.ids} hasSelection={selection !== undefined} />
  return (
    <div className={styles.screen}>
      <ListTools
        {...{ label, list, columns, hiddenColumns, hasColumnChoice }}
        searchPlaceholder={canSearch ? props.searchPlaceholder : undefined}
        filters={props.filters}
        filterCount={props.filterCount}
        viewTools={props.viewTools}
        actions={props.actions}
      />
      <div className={sidePanel ? styles.withSidePanel : undefined}>
        <div ref={listRef} className={styles.list}>
          <QueryBoundary query={query} skeleton={skeleton}>
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
                  hidden={hiddenColumns.ids}
                  chosen={hiddenColumns.chosen}
                  isOld={query.isPlaceholder}
                  openId={openId}
                  totals={props.totals}
                  isReadOnly={props.isReadOnly ?? false}
                  {...(selection && { selection })}
                />
              )
            }
          </QueryBoundary>
          {page && !(isListComplete(page) && page.currentPage === 1 && page.totalRecords === 0) && (
            <Pager paging={page} onPage={list.goTo} />
          )}
        </div>
        {sidePanel}
      </div>
      {selection && bulkActions && (
        <BulkActionBar selection={selection} total={page?.totalRecords ?? 0} actions={bulkActions} />
      )}
    </div>
  )
}
