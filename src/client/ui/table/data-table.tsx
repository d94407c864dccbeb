import {
  type ColumnDef,
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { type KeyboardEvent, type ReactNode, useMemo } from 'react'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'
import styles from './data-table.module.css'

const features = tableFeatures({ rowSelectionFeature, columnVisibilityFeature })

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Right-aligned numbers. */
  isNumber?: boolean
  /** The sort key for its header; without it the header is plain text. */
  sort?: string
}

export type Selection = { ids: ReadonlySet<string>; change: (ids: ReadonlySet<string>) => void }

export type DataTableProps<Row> = {
  /** Accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  /** A row's accessible name for its checkbox. */
  nameOf: (row: Row) => string
  /** The current sort, in the list's format: `name` or `-name`. */
  sort?: string | undefined
  onSort?: (column: string) => void
  /** Shows a checkbox in each row. */
  selection?: Selection
  /** Ids of hidden columns; the first column is always shown. */
  hidden?: ReadonlySet<string>
  /** The row that is open in the side panel. */
  openId?: string | undefined
  /** The next page is loading. */
  isOld?: boolean
}

const moves: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}

// Arrow up and down move between rows, to the same control in each: its link or checkbox.
const moveBetweenRows = (event: KeyboardEvent<HTMLTableSectionElement>) => {
  const move = moves[event.key]
  const from = event.target instanceof HTMLElement ? event.target : null
  const cell = from?.closest('td, th')
  const row = from?.closest('tr')
  if (!move || !cell || !row || from?.matches('input:not([type="checkbox"]), select, textarea')) return
  const rows = [...event.currentTarget.rows]
  const next = rows[move(rows.indexOf(row), rows.length)]
  const column = [...row.cells].indexOf(cell as HTMLTableCellElement) // selected by its two tag names
  const target = next?.cells[column]?.querySelector<HTMLElement>('a, button, input')
  if (!target) return
  event.preventDefault()
  target.focus()
}

const sortOf = (sort: string | undefined, by: string) =>
  sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none'

type HeadProps = { column: Column<never>; sort: string | undefined; onSort: ((column: string) => void) | undefined }

const Head = ({ column: { header, sort: by, isNumber }, sort, onSort }: HeadProps) => {
  const className = classNames(styles.head, isNumber && styles.number)
  if (!by || !onSort) {
    return (
      <th scope="col" className={className}>
        {header}
      </th>
    )
  }
  const direction = sortOf(sort, by)
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className={styles.sort} onClick={() => onSort(by)}>
        {header}
        <span className={styles.way}>
          {direction !== 'none' && <Icon of={direction === 'ascending' ? ArrowUp : ArrowDown} />}
        </span>
      </button>
    </th>
  )
}

type BoxProps = { label: string; checked: boolean; some?: boolean; onChange: () => void }

const Box = ({ label, checked, some = false, onChange }: BoxProps) => (
  <label className={styles.box}>
    <input
      type="checkbox"
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = some
      }}
      onChange={onChange}
    />
    <VisuallyHidden>{label}</VisuallyHidden>
  </label>
)

/**
 * A table in its own scroll frame, with sticky header and first column. Sorting, filtering and paging are done by the
 * server. Rows are reached by Tab, and by arrow keys from one to the next.
 */
export const DataTable = <Row extends object>(props: DataTableProps<Row>) => {
  const { label, columns, rows, idOf, nameOf, sort, onSort, selection, hidden, openId, isOld = false } = props
  const definitions = useMemo(
    () =>
      columns.map(
        ({ id, header, cell }): ColumnDef<typeof features, Row> => ({
          id,
          header,
          cell: ({ row }) => cell(row.original),
        }),
      ),
    [columns],
  )
  const table = useTable({
    features,
    data: rows as Row[], // the library's types expect a mutable list; it never writes to it
    columns: definitions,
    getRowId: idOf,
    state: {
      rowSelection: Object.fromEntries([...(selection?.ids ?? [])].map((id) => [id, true])),
      columnVisibility: Object.fromEntries([...(hidden ?? [])].map((id) => [id, false])),
    },
    onRowSelectionChange: (update) => {
      if (!selection) return
      const before = Object.fromEntries([...selection.ids].map((id) => [id, true] as const))
      const after = typeof update === 'function' ? update(before) : update
      selection.change(new Set(Object.keys(after).filter((id) => after[id])))
    },
  })
  const columnOf = new Map(columns.map((column) => [column.id, column]))
  return (
    <section className={styles.frame} aria-label={label} data-scroll-frame>
      <table className={classNames(styles.table, isOld && styles.old)} aria-busy={isOld || undefined}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {selection && (
                <th scope="col" className={styles.choosing}>
                  <Box
                    label="Select all on this page"
                    checked={table.getIsAllRowsSelected()}
                    some={table.getIsSomeRowsSelected()}
                    onChange={() => table.toggleAllRowsSelected()}
                  />
                </th>
              )}
              {group.headers.map(({ id, column }) => {
                const known = columnOf.get(column.id)
                return known && <Head key={id} column={known as Column<never>} sort={sort} onSort={onSort} />
              })}
            </tr>
          ))}
        </thead>
        <tbody onKeyDown={moveBetweenRows}>
          {table.getRowModel().rows.map((row) => (
            <tr
              key={row.id}
              className={styles.row}
              data-selected={row.getIsSelected() || undefined}
              data-open={row.id === openId || undefined}
            >
              {selection && (
                <td className={styles.choosing}>
                  <Box
                    label={`Select ${nameOf(row.original)}`}
                    checked={row.getIsSelected()}
                    onChange={() => row.toggleSelected()}
                  />
                </td>
              )}
              {row.getVisibleCells().map((cell, column) => {
                const className = classNames(styles.cell, columnOf.get(cell.column.id)?.isNumber && styles.number)
                return column === 0 ? (
                  <th key={cell.id} scope="row" className={classNames(className, styles.first)}>
                    <table.FlexRender cell={cell} />
                  </th>
                ) : (
                  <td key={cell.id} className={className}>
                    <table.FlexRender cell={cell} />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
