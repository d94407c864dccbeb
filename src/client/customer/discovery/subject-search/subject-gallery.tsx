import { useEffect, useState } from 'react'
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

/** Subjects per page: six rows of four on a desktop, twelve of two on a phone. */
const pageSize = 24
/** Debounce in milliseconds before the typed name is sent to the server. */
const typingMs = 250

/** A value that updates once it has not changed for `ms` milliseconds. */
const useDebouncedValue = (value: string, ms: number): string => {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}

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
        <Page key={page} {...route} page={page} isLast={page === pages} onMore={() => setPages(page + 1)} />
      ))}
    </>
  )
}

type PageProps = CustomerRoute & { filter: string; page: number; isLast: boolean; onMore: () => void }

const Page = ({ filter, page, isLast, onMore, ...route }: PageProps) => {
  const query = { currentPage: page, pageSize, ...(filter ? { filter } : {}) }
  const { data, problem, loading, refetch: retry } = useQuery(browseSubjects, { params: { jobId: route.jobId }, query })
  if (loading) return <PageSkeleton />
  if (!data) {
    return (
      <EmptyState title="These photos did not load" action={<Button onClick={retry}>Try again</Button>}>
        {problem?.errors[0]}
      </EmptyState>
    )
  }
  const { resultItems, ...pageInfo } = toPage(data)
  if (pageInfo.totalRecords === 0) {
    return <EmptyState title={filter ? `No one named “${filter}” here` : 'Photos will be here soon'} />
  }
  return (
    <>
      <ul className={styles.gallery}>
        {resultItems.map((subject) => (
          <SubjectCard key={subject.id} route={route} subject={subject} />
        ))}
      </ul>
      {isLast && !isListComplete(pageInfo) && (
        <Button variant="secondary" wide onClick={onMore}>
          Show more ({pageInfo.totalRecords - page * pageSize} left)
        </Button>
      )}
    </>
  )
}

const SubjectCard = ({ route, subject }: { route: CustomerRoute; subject: GrantedSubject }) => {
  const { preferences } = useJobContext()
  const name = `${subject.firstName} ${subject.lastName}`
  const isNamed = preferences.namesOnThumbnails
  return (
    <li>
      <Link href={urls.selectPackage({ ...route, subjectId: subject.id })} className={styles.card}>
        {subject.imageThumbnailUrl && (
          <img
            src={subject.imageThumbnailUrl}
            alt={isNamed ? '' : name}
            width="256"
            height="320"
            loading="lazy"
            decoding="async"
          />
        )}
        {isNamed && <span className={styles.subjectName}>{name}</span>}
      </Link>
    </li>
  )
}

const skeletonKeys = Array.from({ length: 8 }, (_, index) => `shape ${index}`)

const PageSkeleton = () => (
  <ul className={styles.gallery}>
    {skeletonKeys.map((key) => (
      <li key={key}>
        <Skeleton shape="photo" />
      </li>
    ))}
  </ul>
)
