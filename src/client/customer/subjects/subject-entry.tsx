import { useLiveQuery } from 'dexie-react-hooks'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import { type ReactNode, useState } from 'react'
import { typedSubjectsOf } from '#local/store/typed-subjects.ts'
import { database } from '#platform/database.ts'
import type { CustomerRoute } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import shared from '../shared/subject/subject-picker.module.css'
import { NewSubjectForm } from './new-subject-form.tsx'
import styles from './subject-entry.module.css'
import { TypedSubjectList } from './typed-subject-list.tsx'

type EntryMode = 'type' | 'search'

type SubjectEntryProps = { route: CustomerRoute; search: ReactNode }

/**
 * Selects a subject where the studio has no list: typed-in ones, or a new one. Subjects that the studio added itself
 * are found by the search.
 */
export const SubjectEntry = ({ route, search }: SubjectEntryProps) => {
  const { jobId } = useJobContext()
  const subjects = useLiveQuery(() => typedSubjectsOf(database, jobId), [jobId])
  const [mode, setMode] = useState<EntryMode | null>(null)
  if (!subjects) return null
  const displayedMode = mode ?? (subjects.length === 0 ? 'type' : 'list')
  const actions = (
    <div className={classNames(styles.actions, displayedMode !== 'list' && shared.or)}>
      {displayedMode !== 'type' && (
        <Button variant="secondary" wide icon={Plus} onClick={() => setMode('type')}>
          {subjects.length === 0 ? 'My child isn’t listed' : 'Add another child'}
        </Button>
      )}
      {displayedMode !== 'search' && (
        <Button variant="quiet" wide icon={Search} onClick={() => setMode('search')}>
          Find my child on the list
        </Button>
      )}
    </div>
  )
  return (
    <>
      {subjects.length > 0 && <TypedSubjectList route={route} subjects={subjects} />}
      {displayedMode === 'type' && (
        <section aria-labelledby="type-in" className={shared.part}>
          <h2 id="type-in" className={shared.smallHeading}>
            {subjects.length === 0 ? 'Your child' : 'Add another child'}
          </h2>
          {/* The form shows the actions once it is loaded, so that they do not move. */}
          <NewSubjectForm {...route}>{actions}</NewSubjectForm>
        </section>
      )}
      {displayedMode === 'search' && search}
      {displayedMode !== 'type' && actions}
    </>
  )
}
