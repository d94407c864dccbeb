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

const emptyNames: TypedNames = { firstName: '', lastName: '' }

/** The names searched from this history entry, so that Back from a subject restores the results. */
const readSearchedNames = (): TypedNames | null => {
  const names = searchedNames.read()
  return is(names, searchSubjects.query) ? names : null
}

/** The search by name. Results carry no image until a subject is confirmed. */
export const SubjectSearch = (route: CustomerRoute) => {
  const [errors, setErrors] = useState<FieldErrors>({})
  const [submittedNames, setSubmittedNames] = useState(readSearchedNames)
  const [names, setNames] = useState(submittedNames ?? emptyNames)
  const query = useQuery(searchSubjects, submittedNames && { params: { jobId: route.jobId }, query: submittedNames })

  const search = () => {
    const trimmed = { firstName: names.firstName.trim(), lastName: names.lastName.trim() }
    const nameErrors = nameSearchErrors(trimmed)
    setErrors(nameErrors)
    if (!isValid(nameErrors)) return
    if (submittedNames?.firstName === trimmed.firstName && submittedNames.lastName === trimmed.lastName) query.refetch()
    setSubmittedNames(trimmed)
    searchedNames.store(trimmed)
  }

  const failure = query.data ? undefined : query.problem
  const isUnreachable = failure?.status === 'unreachable'

  return (
    <div className={shared.part}>
      {isUnreachable && (
        <Notice title="Searching needs a connection">
          What you typed is saved. You can still order for children you opened before.
        </Notice>
      )}
      <Form onSubmit={search} loading={query.loading} error={isUnreachable ? null : failure?.errors}>
        <SubjectNames
          {...{ names, errors }}
          hints={{ firstName: 'First letter is fine', lastName: 'In full, or one of its words' }}
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
