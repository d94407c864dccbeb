import { Skeleton } from '#ui/feedback/skeleton.tsx'
import styles from './list-skeleton.module.css'

const rowCount = 8

/** More columns than these do not fit on most screens. */
const maxColumns = 5

/** The shape of a table while its first rows load: a header and rows of the height that they will have. */
export const ListSkeleton = ({ columnCount }: { columnCount: number }) => {
  const columns = Array.from(
    { length: Math.min(columnCount || maxColumns, maxColumns) },
    (_, index) => `column ${index}`,
  )
  return (
    <div aria-hidden="true" className={styles.table}>
      {Array.from({ length: rowCount + 1 }, (_, index) => `row ${index}`).map((row) => (
        <div key={row} className={styles.row}>
          {columns.map((column) => (
            <Skeleton key={column} />
          ))}
        </div>
      ))}
    </div>
  )
}
