import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { Fragment, type KeyboardEvent, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { useIsPhone } from '../rendering/use-media-query.ts'
import { VisuallyHidden } from '../visually-hidden.tsx'
import styles from './data-table.module.css'
import { type Selection, SelectPageHeader, SelectRow } from './row-selection.tsx'

/** A column with the id `actions` comes last: it is at the end edge, and its menus stay visible while the others scroll. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Right-aligned numbers. */
  isNumber?: boolean
  /** Never wrapped, and neither is its header, for example moments. */
  isOneLine?: boolean
  /** Has sentences, and gets more room than its longest word. */
  isLong?: boolean
  /** Has names: as wide as the longest one, up to a limit at which they wrap. */
  isName?: boolean
  /** Matters most: on a phone it is beside the first one, and the others are below. */
  isKey?: boolean
  /** Says what it is without its header, as names and states do, so that a phone shows it without a label. */
  isClear?: boolean
  /** Where it is left out without being hidden by the user, who finds it among the columns. */
  leftOut?: 'everywhere' | 'onPhones' | 'onDesks' | undefined
  /** The sort key for its header; without it the header is plain text. */
  sort?: string
}

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
  /** The content of a last row, by the id of its column. It stays visible while the rows scroll. */
  totals?: ReadonlyMap<string, ReactNode> | undefined
  /** Rows without links and buttons: the frame takes the focus instead, so that the keyboard can scroll it. */
  isReadOnly?: boolean
  /** Ids of hidden columns; the first column is always shown. */
  hidden?: ReadonlySet<string>
  /** Ids of the columns that are shown although they would be left out. */
  chosen?: ReadonlySet<string>
  /** The row that is open in the side panel. */
  openId?: string | undefined
  /** Whether the rows are those of the previous page, sort or filter, because the new ones are still loading. */
  isOld?: boolean
}

const moves: Record<string, (index: number, count: number) => number> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}

// Arrow up and down move between rows, to the same control in each: its link or checkbox. In a menu they move between its items.
const moveBetweenRows = (event: KeyboardEvent<HTMLTableSectionElement>) => {
  if (event.defaultPrevented) return
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

const sortOf = (sort: string | undefined, column: string) =>
  sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none'

type HeadProps<Row> = {
  column: Column<Row>
  isFirst: boolean
  sort: string | undefined
  onSort: ((column: string) => void) | undefined
}

/** The id of the column with the actions for a row. */
export const actionsId = 'actions'

/** Whether a column never breaks its texts, and so needs no room for names. */
const isUnbroken = ({ isNumber, isOneLine }: Pick<Column<never>, 'isNumber' | 'isOneLine'>) => isNumber || isOneLine

const Head = <Row,>({ column, isFirst, sort, onSort }: HeadProps<Row>) => {
  const { id, header, sort: sortKey, isNumber } = column
  const className = classNames(
    styles.head,
    isNumber && styles.number,
    isUnbroken(column) && styles.oneLine,
    isFirst && styles.first,
  )
  if (id === actionsId) {
    return (
      <th scope="col" className={classNames(className, styles.actionsHead)}>
        <VisuallyHidden>{header}</VisuallyHidden>
      </th>
    )
  }
  if (!sortKey || !onSort) {
    return (
      <th scope="col" className={className}>
        {header}
      </th>
    )
  }
  const direction = sortOf(sort, sortKey)
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className={styles.sort} onClick={() => onSort(sortKey)}>
        {header}
        <span className={styles.direction}>
          {direction !== 'none' && <Icon of={direction === 'ascending' ? ArrowUp : ArrowDown} />}
        </span>
      </button>
    </th>
  )
}

const Name = ({ children }: { children: ReactNode }) => <div className={styles.name}>{children}</div>

/** What a phone shows before a cell below the first line. */
const phoneLabelOf = ({ id, header, isClear }: Column<never>): string | undefined =>
  isClear || id === actionsId ? undefined : header

const Cells = <Row,>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) =>
  columns.map((column, index) => {
    const { id, cell, isNumber, isLong, isName, isKey } = column
    const className = classNames(
      styles.cell,
      isNumber && styles.number,
      isUnbroken(column) && styles.oneLine,
      isLong && styles.long,
      isKey && styles.key,
      id === actionsId && styles.actions,
    )
    const content = cell(row)
    const Content = isName ? Name : Fragment
    return index === 0 ? (
      <th key={id} scope="row" className={classNames(className, styles.first)}>
        <Content>{content}</Content>
      </th>
    ) : (
      <td key={id} className={className} data-label={phoneLabelOf(column)}>
        <Content>{content}</Content>
      </td>
    )
  })

type TotalsRowProps<Row> = {
  totals: ReadonlyMap<string, ReactNode>
  columns: readonly Column<Row>[]
  hasSelection: boolean
}

const TotalsRow = <Row,>({ totals, columns, hasSelection }: TotalsRowProps<Row>) => (
  <tfoot>
    <tr>
      {hasSelection && <td className={styles.total} />}
      {columns.map((column, index) => {
        const { id, isNumber, isKey } = column
        const className = classNames(
          styles.total,
          isNumber && styles.number,
          isUnbroken(column) && styles.oneLine,
          isKey && styles.key,
          index === 0 && styles.first,
        )
        return index === 0 ? (
          <th key={id} scope="row" className={className}>
            {totals.get(id)}
          </th>
        ) : (
          <td key={id} className={className} data-label={phoneLabelOf(column)}>
            {totals.get(id)}
          </td>
        )
      })}
    </tr>
  </tfoot>
)

/** The columns that are not hidden, and always the first one. */
export const withoutHidden = <Col extends { id: string }>(
  columns: readonly Col[],
  hidden: ReadonlySet<string> | undefined,
): Col[] => columns.filter(({ id }, index) => index === 0 || !hidden?.has(id))

/** The columns of this screen: without those that are hidden or left out, and those that are left out where they are chosen. */
export const columnsOnScreen = <Row,>(
  { columns, hidden, chosen }: Pick<DataTableProps<Row>, 'columns' | 'hidden' | 'chosen'>,
  isPhone: boolean,
): Column<Row>[] =>
  withoutHidden(columns, hidden).filter(
    ({ id, leftOut }) =>
      chosen?.has(id) || (leftOut !== 'everywhere' && leftOut !== (isPhone ? 'onPhones' : 'onDesks')),
  )

/** The columns with the key column second. */
const withKeySecond = <Row,>(columns: readonly Column<Row>[]): Column<Row>[] => {
  const [first, ...others] = columns
  if (!first) return []
  return [first, ...others.filter(({ isKey }) => isKey), ...others.filter(({ isKey }) => !isKey)]
}

/**
 * A table in its own scroll frame, with sticky header and first column; on a phone a list, each row with its name and key on the first line
 * and the rest below. Sorting, filtering and paging are done by the server. Rows are reached by Tab, and by arrow keys from one to the next.
 */
export const DataTable = <Row extends object>(props: DataTableProps<Row>) => {
  const { label, rows, idOf, nameOf, sort, onSort, selection, totals, openId, isOld = false } = props
  const isPhone = useIsPhone()
  const shownColumns = columnsOnScreen(props, isPhone)
  const visibleColumns = isPhone ? withKeySecond(shownColumns) : shownColumns
  return (
    <section
      className={styles.frame}
      aria-label={label}
      data-scroll-frame
      {...(props.isReadOnly && !isPhone && { tabIndex: 0 })}
    >
      <table className={classNames(styles.table, isOld && styles.outdated)} aria-busy={isOld || undefined}>
        <thead>
          <tr>
            {selection && <SelectPageHeader {...{ selection, isPhone }} ids={rows.map(idOf)} />}
            {visibleColumns.map((column, index) => (
              <Head
                key={column.id}
                column={column}
                isFirst={index === 0}
                sort={sort}
                // A phone has no room for a row of headers; the list has a choice instead.
                onSort={isPhone ? undefined : onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveBetweenRows}>
          {rows.map((row) => {
            const id = idOf(row)
            return (
              <tr
                key={id}
                className={styles.row}
                data-selected={selection?.ids.has(id) || undefined}
                data-open={id === openId || undefined}
              >
                {selection && <SelectRow id={id} name={nameOf(row)} selection={selection} />}
                <Cells row={row} columns={visibleColumns} />
              </tr>
            )
          })}
        </tbody>
        {totals && <TotalsRow columns={visibleColumns} hasSelection={selection !== undefined} totals={totals} />}
      </table>
    </section>
  )
}
