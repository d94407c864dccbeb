import ChevronRight from 'lucide-react/icons/chevron-right'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import shared from '#client/customer/shared/subject/subject-picker.module.css'
import type { SubjectSearchResult } from '#contract/customer/find-subjects.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { classNames } from '#ui/class-names.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { Spinner } from '#ui/feedback/loader.tsx'
import { Icon } from '#ui/icon.tsx'
import { toastError } from '#ui/toast/toast.ts'
import styles from '../discovery.module.css'
import { confirmSubjectAccess } from './confirm-subject-access.ts'

type SubjectSearchResultsProps = { route: CustomerRoute; subjects: readonly SubjectSearchResult[] }

const countLabel = (count: number) => (count === 1 ? '1 child found' : `${count} children found`)

/** The subjects found. Selecting and confirming one opens its images. */
export const SubjectSearchResults = ({ route, subjects }: SubjectSearchResultsProps) => {
  const { job, orderMethod } = useJobContext()
  const [openingId, setOpeningId] = useState<number | null>(null)
  const [, navigate] = useLocation()

  const choose = async (subject: SubjectSearchResult) => {
    const name = `${subject.firstName} ${subject.lastName}`
    const groupLabel = [subject.groupName, job.organizationName].filter(Boolean).join(', ')
    const hasImages = orderMethod === 'gallery' || job.hasPublishedImages
    const isConfirmed = await confirm({
      title: `Is this ${name}?`,
      message: `${groupLabel}. ${hasImages ? `We’ll show you ${subject.firstName}’s photos.` : `You’ll order for ${subject.firstName}.`}`,
      confirmText: hasImages ? 'Yes, show the photos' : 'Yes, see the packages',
      cancelText: 'That’s not my child',
    })
    if (!isConfirmed) return
    setOpeningId(subject.id)
    const response = await confirmSubjectAccess(route, subject)
    setOpeningId(null)
    if (response.ok) navigate(urls.selectPackage({ ...route, subjectId: subject.id }))
    else toastError(response.errors)
  }

  if (subjects.length === 0) {
    return (
      <div className={styles.noResults} role="status">
        <p>No one by that name at {job.organizationName}.</p>
        <p>
          Type the full last name, or try another spelling. If this is the wrong school or team, go back and enter the
          code again.
        </p>
      </div>
    )
  }
  return (
    <div>
      <p role="status" className={shared.more}>
        {countLabel(subjects.length)}
      </p>
      <ul className={classNames(shared.subjects, styles.list)}>
        {subjects.map((subject) => (
          <li key={subject.id}>
            <button
              type="button"
              className={classNames(shared.subject, styles.result)}
              onClick={() => void choose(subject)}
              disabled={openingId !== null}
            >
              <span className={shared.name}>
                {subject.firstName} {subject.lastName}
              </span>
              {subject.groupName && <span className={shared.more}>{subject.groupName}</span>}
              <span className={styles.chevron}>
                {openingId === subject.id ? <Spinner /> : <Icon of={ChevronRight} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {subjects.length === 20 && (
        <p className={shared.more}>There may be more. Type more of the first name to narrow it down.</p>
      )}
    </div>
  )
}
