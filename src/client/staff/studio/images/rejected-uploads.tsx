import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Pager } from '#client/staff/kit/list/pager.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { listUploads, removeUpload, type Upload } from '#contract/studio/uploads.ts'
import { type Page, toPage } from '#domain/shared/paging.ts'
import { IconButton } from '#ui/button/button.tsx'
import type { ImageParams } from './image-params.ts'
import styles from './images.module.css'

/** Rejected files of a job, paged. */
export const useRefusedUploads = (
  { studioId, jobId }: ImageParams,
  { when, filter }: { when: boolean; filter: string | undefined },
) => {
  const [currentPage, goTo] = useState(1)
  const { data } = useStaffQuery(listUploads, {
    params: { studioId, jobId },
    query: { state: 'refused', currentPage, ...(filter && { filter }) },
    enabled: when,
  })
  const page = when && data ? toPage<Upload>(data) : undefined
  // The last entry of the last page was dismissed.
  if (page && currentPage > 1 && page.resultItems.length === 0) goTo(1)
  return { page, goTo }
}

type RefusedUploadsProps = { job: ImageParams; page: Page<Upload>; onPage: (page: number) => void }

/** Lists rejected files with their reasons. Staff can dismiss them one by one. */
export const RefusedUploads = ({ job: { studioId, jobId }, page, onPage }: RefusedUploadsProps) => {
  const removal = useStaffMutation(removeUpload)
  return (
    <>
      <ul className={styles.refused} aria-label="Files not taken">
        {page.resultItems.map(({ id, fileName, refusal }) => (
          <li key={id} className={styles.line}>
            <span className={styles.fileName}>{fileName}</span>
            <span className={styles.why}>{refusal}</span>
            <span className={styles.lineActions}>
              <IconButton
                size="sm"
                icon={X}
                label={`Take ${fileName} off the list`}
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
