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

type Way = 'type' | 'search'

type PeopleToTypeProps = { place: CustomerRoute; search: ReactNode }

/**
 * Selects a subject where the studio has no list: typed-in ones, or a new one. Subjects that the studio added itself
 * are found by the search.
 */
export const SubjectEntry = ({ place, search }: PeopleToTypeProps) => {
  const { jobId } = useJobContext()
  const people = useLiveQuery(() => typedSubjectsOf(database, jobId), [jobId])
  const [way, setWay] = useState<Way | null>(null)
  if (!people) return null
  const shown = way ?? (people.length === 0 ? 'type' : 'list')
  return (
    <>
      {people.length > 0 && <TypedSubjectList place={place} people={people} />}
      {shown === 'type' && (
        <section aria-labelledby="type-in" className={shared.part}>
          <h2 id="type-in" className={shared.small}>
            {people.length === 0 ? 'Type in who it is' : 'Type in another person'}
          </h2>
          <NewSubjectForm {...place} />
        </section>
      )}
      {shown === 'search' && search}
      <div className={classNames(styles.ways, shown !== 'list' && shared.or)}>
        {shown !== 'type' && (
          <Button variant="secondary" wide icon={Plus} onClick={() => setWay('type')}>
            {people.length === 0 ? 'Type the name in instead' : 'Type in another person'}
          </Button>
        )}
        {shown !== 'search' && (
          <Button variant="quiet" wide icon={Search} onClick={() => setWay('search')}>
            Search the studio’s list instead
          </Button>
        )}
      </div>
    </>
  )
}
