import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { firstPage, isListComplete, type Paging } from '#domain/shared/paging.ts'
import { IconButton } from '#ui/button/button.tsx'
import styles from './list-screen.module.css'

type PagerProps = { paging: Paging; onPage: (page: number) => void }

/** The range of visible rows, and buttons for the previous and the next page. */
export const Pager = ({ paging, onPage }: PagerProps) => {
  const { currentPage, pageSize, totalRecords } = paging
  const firstRow = (currentPage - 1) * pageSize + 1
  const lastRow = Math.min(currentPage * pageSize, totalRecords)
  const isOnlyPage = currentPage === firstPage && isListComplete(paging)
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className="tabular" role="status">
        {totalRecords === 0 ? 'None' : `${firstRow}–${lastRow} of ${totalRecords.toLocaleString('en-US')}`}
      </span>
      {!isOnlyPage && (
        <>
          <IconButton
            icon={ChevronLeft}
            label="Previous page"
            disabled={currentPage <= firstPage}
            onClick={() => onPage(currentPage - 1)}
          />
          <IconButton
            icon={ChevronRight}
            label="Next page"
            disabled={isListComplete(paging)}
            onClick={() => onPage(currentPage + 1)}
          />
        </>
      )}
    </nav>
  )
}
