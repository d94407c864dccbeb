import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { is } from 'superstruct'
import { SubjectNames } from '#client/customer/shared/subject/subject-names.tsx'
import shared from '#client/customer/shared/subject/subject-picker.module.css'
import { searchSubjects } from '#contract/customer/find-subjects.ts'
import { type FieldErrors, isValid } from '#domain/shared/validators.ts'
import { nameSearchErrors, type TypedNames } from '#domain/subjects/subject-search.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { searchedNames } from '#platform/session/searched-names.ts'
import type { CustomerRoute } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Form } from '#ui/form/form.tsx'
import { SubjectSearchResults } from './subject-search-results.tsx'

const nothingAsked: TypedNames = { firstName: '', lastName: '' }

/** The names searched from this history entry, so that Back from a subject restores the results. */
const searchedBefore = (): TypedNames | null => {
  const names = searchedNames.read()
  return is(names, searchSubjects.query) ? names : null
}

/** The search by name. Results carry no image until a subject is confirmed. */
export const SubjectSearch = (route: CustomerRoute) => {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [wanted, setWanted] = useState(searchedBefore)
  const [names, setNames] = useState(wanted ?? nothingAsked)
  const query = useQuery(searchSubjects, wanted && { params: { jobId: route.jobId }, query: wanted })

  const search = () => {
    const trimmed = { firstName: names.firstName.trim(), lastName: names.lastName.trim() }
    const missing = nameSearchErrors(trimmed)
    setErrors(missing)
    if (!isValid(missing)) return
    if (wanted?.firstName === trimmed.firstName && wanted.lastName === trimmed.lastName) query.refetch()
    setWanted(trimmed)
    searchedNames.store(trimmed)
  }

  const failure = query.data ? undefined : query.problem
  const unreachable = failure?.status === 'unreachable'

  return (
    <div className={shared.part}>
      {unreachable && (
        <Notice title="Searching needs a connection">
          What you typed stays here. Those opened on this phone before can be ordered for without one.
        </Notice>
      )}
      <Form onSubmit={search} loading={query.loading} error={unreachable ? null : failure?.errors}>
        <SubjectNames
          {...{ names, errors }}
          hints={{ firstName: 'One letter is enough', lastName: 'Whole, or one word of it' }}
          onName={(part) => setNames((before) => ({ ...before, ...part }))}
        />
        <Button type="submit" loading={query.loading} icon={Search} wide>
          Search
        </Button>
      </Form>
      {query.data && <SubjectSearchResults route={route} subjects={query.data} />}
    </div>
  )
}
