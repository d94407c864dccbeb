import { useState } from 'react'
import { Link } from 'wouter'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { browseSubjects } from '#contract/customer/find-subjects.ts'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import { isListComplete, toPage } from '#domain/shared/paging.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import styles from '../discovery.module.css'
import { useDebouncedValue } from './use-debounced-value.ts'

/** Subjects per page: six rows of four on a desktop, twelve of two on a phone. */
const pageSize = 24
/** Debounce in milliseconds before the typed name is sent to the server. */
const typingMs = 250

/** All subjects of a public job, paged and filtered by name. */
export const SubjectGallery = (route: CustomerRoute) => {
  const [text, setText] = useState('')
  const filter = useDebouncedValue(text.trim(), typingMs)
  return (
    <>
      <Field label="Name" hideLabel>
        <TextInput type="search" placeholder="Search by name" value={text} onValue={setText} />
      </Field>
      <Pages key={filter} {...route} filter={filter} />
    </>
  )
}

const Pages = (route: CustomerRoute & { filter: string }) => {
  const [pages, setPages] = useState(1)
  return (
    <>
      {Array.from({ length: pages }, (_, index) => index + 1).map((page) => (
        <Page key={page} {...route} page={page} isLast={page === pages} more={() => setPages(page + 1)} />
      ))}
    </>
  )
}

type PageProps = CustomerRoute & { filter: string; page: number; isLast: boolean; more: () => void }

const Page = ({ filter, page, isLast, more, ...route }: PageProps) => {
  const query = { currentPage: page, pageSize, ...(filter ? { filter } : {}) }
  const { data, problem, loading, refetch: retry } = useQuery(browseSubjects, { params: { jobId: route.jobId }, query })
  if (loading) return <PageShape />
  if (!data) {
    return (
      <EmptyState title="These pictures did not load" action={<Button onClick={retry}>Try again</Button>}>
        {problem?.errors[0]}
      </EmptyState>
    )
  }
  const { resultItems, ...shown } = toPage(data)
  if (shown.totalRecords === 0) {
    return <EmptyState title={filter ? `Nobody called “${filter}” here` : 'Pictures will be here soon'} />
  }
  return (
    <>
      <ul className={styles.gallery}>
        {resultItems.map((person) => (
          <PersonCard key={person.id} route={route} person={person} />
        ))}
      </ul>
      {isLast && !isListComplete(shown) && (
        <Button variant="secondary" wide onClick={more}>
          Show more ({shown.totalRecords - page * pageSize} left)
        </Button>
      )}
    </>
  )
}

const PersonCard = ({ route, person }: { route: CustomerRoute; person: GrantedSubject }) => {
  const { preferences } = useJobContext()
  const name = `${person.firstName} ${person.lastName}`
  const isNamed = preferences.namesOnThumbnails
  return (
    <li>
      <Link href={urls.selectPackage({ ...route, subjectId: person.id })} className={styles.card}>
        {person.imageThumbnailUrl && (
          <img
            src={person.imageThumbnailUrl}
            alt={isNamed ? '' : name}
            width="256"
            height="320"
            loading="lazy"
            decoding="async"
          />
        )}
        {isNamed && <span className={styles.faceName}>{name}</span>}
      </Link>
    </li>
  )
}

const shapes = Array.from({ length: 8 }, (_, index) => `shape ${index}`)

const PageShape = () => (
  <ul className={styles.gallery}>
    {shapes.map((shape) => (
      <li key={shape}>
        <Skeleton shape="photo" />
      </li>
    ))}
  </ul>
)
