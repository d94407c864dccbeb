import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Pager } from '#client/staff/kit/list/pager.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { listUploads, removeUpload, type Upload } from '#contract/studio/uploads.ts'
import { type Page, toPage } from '#domain/shared/paging.ts'
import { IconButton } from '#ui/button/button.tsx'
import styles from './images.module.css'
import type { ImageParams } from './use-image-list.ts'

/** The rejected uploads of a job, paged. */
export const useRejectedUploads = (
  { studioId, jobId }: ImageParams,
  { enabled, filter }: { enabled: boolean; filter: string | undefined },
) => {
  const [currentPage, goTo] = useState(1)
  const { data } = useStaffQuery(listUploads, {
    params: { studioId, jobId },
    query: { state: 'refused', currentPage, ...(filter && { filter }) },
    enabled,
  })
  const page = enabled && data ? toPage<Upload>(data) : undefined
  // Returns to the first page after the last entry of another page was dismissed.
  if (page && currentPage > 1 && page.resultItems.length === 0) goTo(1)
  return { page, goTo }
}

type RejectedUploadsProps = { job: ImageParams; page: Page<Upload>; onPage: (page: number) => void }

/** Lists rejected files with their reasons. Staff can dismiss them one by one. */
export const RejectedUploads = ({ job: { studioId, jobId }, page, onPage }: RejectedUploadsProps) => {
  const removal = useStaffMutation(removeUpload)
  return (
    <>
      <ul className={styles.refused} aria-label="Rejected files">
        {page.resultItems.map(({ id, fileName, refusal }) => (
          <li key={id} className={styles.line}>
            <span className={styles.fileName}>{fileName}</span>
            <span className={styles.refusal}>{refusal}</span>
            <span className={styles.lineActions}>
              <IconButton
                size="sm"
                icon={X}
                label={`Remove ${fileName} from the list`}
                onClick={() => void removal.mutate({ params: { studioId, jobId, id } })}
              />
            </span>
          </li>
        ))}
      </ul>
      {page.totalRecords > page.pageSize && <Pager paging={page} onPage={onPage} />}
    </>
  )
}
