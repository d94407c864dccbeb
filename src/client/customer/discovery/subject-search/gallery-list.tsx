import { useState } from 'react'
import { Link } from 'wouter'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import shared from '#client/customer/shared/subject/subject-picker.module.css'
import { browseSubjects } from '#contract/customer/find-subjects.ts'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import { isListComplete, toPage } from '#domain/shared/paging.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import styles from '../discovery.module.css'

/** Subjects per page: six rows of four on a desktop, twelve of two on a phone. */
const pageSize = 24

/** What the gallery is limited to. */
export type GalleryQuery = { filter?: string; group?: number; letter?: string; images: 'with' | 'without' }

const useGalleryPage = ({ jobId }: CustomerRoute, query: GalleryQuery, currentPage: number) =>
  useQuery(browseSubjects, { params: { jobId }, query: { currentPage, pageSize, ...query } })

type GalleryPageResult = ReturnType<typeof useGalleryPage>

/** The first page of matching subjects, and how many there are; null until it is loaded, or if it does not load. */
export const useFirstPage = (route: CustomerRoute, query: GalleryQuery) => {
  const result = useGalleryPage(route, query, 1)
  return { result, total: result.data ? toPage(result.data).totalRecords : null }
}

type GalleryListProps = {
  route: CustomerRoute
  query: GalleryQuery
  firstPage: GalleryPageResult
  groupsNamed: boolean
}

/** Matching subjects, page by page. */
export const GalleryList = (props: GalleryListProps) => {
  const [pages, setPages] = useState(1)
  const furtherPages = Array.from({ length: pages - 1 }, (_, index) => index + 2)
  const pageProps = (page: number) => ({ ...props, page, isLast: page === pages, onMore: () => setPages(page + 1) })
  return (
    <>
      <Page {...pageProps(1)} result={props.firstPage} />
      {furtherPages.map((page) => (
        <FurtherPage key={page} {...pageProps(page)} />
      ))}
    </>
  )
}

type PageProps = Omit<GalleryListProps, 'firstPage'> & { page: number; isLast: boolean; onMore: () => void }

const FurtherPage = (props: PageProps) => (
  <Page {...props} result={useGalleryPage(props.route, props.query, props.page)} />
)

const Page = ({ result, route, groupsNamed, page, isLast, onMore }: PageProps & { result: GalleryPageResult }) => {
  const { data, problem, loading, refetch: retry } = result
  if (loading) return <PageSkeleton />
  if (!data) {
    return (
      <EmptyState title="These photos did not load" action={<Button onClick={retry}>Try again</Button>}>
        {problem?.errors[0]}
      </EmptyState>
    )
  }
  const { resultItems, ...pageInfo } = toPage(data)
  return (
    <>
      <ul className={styles.gallery}>
        {resultItems.map((subject) => (
          <SubjectCard key={subject.id} {...{ route, subject, groupsNamed }} />
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

type SubjectCardProps = { route: CustomerRoute; subject: GrantedSubject; groupsNamed: boolean }

const SubjectCard = ({ route, subject, groupsNamed }: SubjectCardProps) => {
  const { preferences } = useJobContext()
  const name = `${subject.firstName} ${subject.lastName}`.trim()
  const { imageThumbnailUrl, groupName } = subject
  // Without an image there is nothing but the name to choose by.
  const isNamed = preferences.namesOnThumbnails || !imageThumbnailUrl
  return (
    <li>
      <Link
        href={urls.selectPackage({ ...route, subjectId: subject.id })}
        className={classNames(styles.card, !imageThumbnailUrl && styles.nameOnly)}
      >
        {imageThumbnailUrl && (
          <img
            src={imageThumbnailUrl}
            alt={isNamed ? '' : name}
            width="256"
            height="320"
            loading="lazy"
            decoding="async"
          />
        )}
        {isNamed && (
          <span className={styles.subjectName}>
            {name}
            {groupsNamed && groupName && <span className={classNames(shared.more, styles.groupName)}>{groupName}</span>}
          </span>
        )}
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
