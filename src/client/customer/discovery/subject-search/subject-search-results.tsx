import ChevronRight from 'lucide-react/icons/chevron-right'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import shared from '#client/customer/shared/subject/subject-picker.module.css'
import type { SubjectSearchResult } from '#contract/customer/find-subjects.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { classNames } from '#ui/class-names.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { Spinner } from '#ui/feedback/spinner.tsx'
import { Icon } from '#ui/icon.tsx'
import { toastError } from '#ui/toast/toast.ts'
import styles from '../discovery.module.css'
import { confirmSubjectAccess } from './confirm-subject-access.ts'

type SubjectSearchResultsProps = { route: CustomerRoute; subjects: readonly SubjectSearchResult[] }

const countWords = (count: number) => (count === 1 ? '1 person found' : `${count} people found`)

/** The subjects found. Selecting and confirming one opens its images. */
export const SubjectSearchResults = ({ route, subjects }: SubjectSearchResultsProps) => {
  const { job, orderMethod } = useJobContext()
  const [opening, setOpening] = useState<number | null>(null)
  const [, navigate] = useLocation()

  const choose = async (person: SubjectSearchResult) => {
    const name = `${person.firstName} ${person.lastName}`
    const where = [person.groupName, job.organizationName].filter(Boolean).join(', ')
    const photographed = orderMethod === 'gallery' || job.hasPublishedImages
    const sure = await confirm({
      title: `Is this ${name}?`,
      message: `${where}. ${photographed ? 'You will see and order this person’s pictures.' : 'You will order for this person.'}`,
      confirmText: photographed ? 'Yes, show the pictures' : 'Yes, see the packages',
      cancelText: 'No, go back',
    })
    if (!sure) return
    setOpening(person.id)
    const confirmed = await confirmSubjectAccess(route, person)
    setOpening(null)
    if (confirmed.ok) navigate(urls.selectPackage({ ...route, subjectId: person.id }))
    else toastError(confirmed.errors)
  }

  if (subjects.length === 0) {
    return (
      <div className={styles.nobody} role="status">
        <p>Nobody by that name at {job.organizationName}.</p>
        <p>
          Type the whole last name, or try another spelling. If this is the wrong school or team, go back and enter the
          code again.
        </p>
      </div>
    )
  }
  return (
    <div>
      <p role="status" className={shared.more}>
        {countWords(subjects.length)}
      </p>
      <ul className={classNames(shared.people, styles.list)}>
        {subjects.map((person) => (
          <li key={person.id}>
            <button
              type="button"
              className={classNames(shared.person, styles.found)}
              onClick={() => void choose(person)}
              disabled={opening !== null}
            >
              <span className={shared.name}>
                {person.firstName} {person.lastName}
              </span>
              {person.groupName && <span className={shared.more}>{person.groupName}</span>}
              <span className={styles.chevron}>{opening === person.id ? <Spinner /> : <Icon of={ChevronRight} />}</span>
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
