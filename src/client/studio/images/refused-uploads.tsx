import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { listUploads, removeUpload, type Upload } from '../../../contract/studio/uploads.ts'
import { type Page, pageIn } from '../../../domain/paging.ts'
import { Pager } from '../../staff/pager.tsx'
import { useAnswer } from '../../staff/use-answer.ts'
import { useChange } from '../../staff/use-change.ts'
import { IconButton } from '../../ui/button.tsx'
import styles from './images.module.css'
import type { ImagesPlace } from './images-place.ts'

/** Files of a job that became no picture, a page at a time. */
export const useRefusedUploads = (
  { studioId, jobId }: ImagesPlace,
  { when, filter }: { when: boolean; filter: string | undefined },
) => {
  const [currentPage, goTo] = useState(1)
  const { data } = useAnswer(listUploads, {
    params: { studioId, jobId },
    query: { state: 'refused', currentPage, ...(filter && { filter }) },
    when,
  })
  const page = when && data ? pageIn<Upload>(data) : undefined
  // The last of the last page was taken off the list.
  if (page && currentPage > 1 && page.resultItems.length === 0) goTo(1)
  return { page, goTo }
}

type RefusedUploadsProps = { place: ImagesPlace; page: Page<Upload>; onPage: (page: number) => void }

/** Lists refused files with the reason for each. Staff can dismiss them one by one. */
export const RefusedUploads = ({ place: { studioId, jobId }, page, onPage }: RefusedUploadsProps) => {
  const removal = useChange(removeUpload)
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
                onClick={() => void removal.make({ params: { studioId, jobId, id } })}
              />
            </span>
          </li>
        ))}
      </ul>
      {page.totalRecords > page.pageSize && <Pager paging={page} onPage={onPage} />}
    </>
  )
}
