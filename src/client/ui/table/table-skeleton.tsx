import { classNames } from '../class-names.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { useIsPhone } from '../rendering/use-media-query.ts'
import styles from './data-table.module.css'
import { actionsId, type Column, withoutHidden } from './data-table.tsx'

type TableSkeletonProps = {
  columns: readonly Omit<Column<never>, 'cell' | 'sort'>[]
  hidden: ReadonlySet<string>
  /** Whether the rows will have checkboxes. */
  hasSelection: boolean
}

const rows = Array.from({ length: 10 }, (_, row) => `row ${row}`)

/**
 * A placeholder for a table that loads: its header and rows, visible after 200 ms. On a phone, and without columns, which a report has only
 * once it has loaded, lines.
 */
export const TableSkeleton = ({ columns, hidden, hasSelection }: TableSkeletonProps) => {
  const isPhone = useIsPhone()
  if (isPhone || columns.length === 0) return <Skeleton lines={rows.length} />
  const visibleColumns = withoutHidden(columns, hidden)
  return (
    <div aria-hidden="true" className={classNames(styles.frame, styles.skeleton)}>
      <table className={styles.table}>
        <thead>
          <tr>
            {hasSelection && <th className={styles.selection} />}
            {visibleColumns.map(({ id, header, isNumber }) => (
              <th
                key={id}
                className={classNames(
                  styles.head,
                  styles.oneLine,
                  isNumber && styles.number,
                  id === actionsId && styles.actionsHead,
                )}
              >
                {id !== actionsId && header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {hasSelection && <td className={styles.selection} />}
              {visibleColumns.map(({ id }, index) => (
                <td key={id} className={classNames(styles.cell, index === 0 && styles.first)}>
                  {id !== actionsId && <Skeleton width={index % 2 === 0 ? '70%' : '50%'} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
