import type { ReactNode } from 'react'
import { failureCauseOf } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useStateTitle } from '#ui/page/document-title.ts'
import type { QueryResult } from './use-staff-query.ts'

const titleByCause: Partial<Record<ReturnType<typeof failureCauseOf>, string>> = {
  offline: 'There is no connection right now',
  unreachable: 'There was no answer',
}

/** Title for a failure to reach the server; undefined if the server answered. */
export const notReachedTitle = (failure: Parameters<typeof failureCauseOf>[0]): string | undefined =>
  titleByCause[failureCauseOf(failure)]

type QueryBoundaryProps<Data> = {
  query: QueryResult<Data>
  /** Placeholder shown while the first response loads. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

const errorMessageOf = (query: QueryResult<unknown>): string => query.error?.errors.join(' ') ?? ''

const rejectionTitle = ({ status }: CallFailure): string => {
  if (status === 403) return 'No access'
  return status === 404 ? 'Not found' : 'This could not be loaded'
}

/** Shown instead of a screen, or a part of it, that could not be loaded. Where the user has no access, a retry would be refused as well. */
const LoadError = ({ failure, retryButton }: { failure: CallFailure; retryButton: ReactNode }) => {
  const unreachableTitle = notReachedTitle(failure)
  const title = unreachableTitle ?? rejectionTitle(failure)
  useStateTitle(title)
  const message = unreachableTitle
    ? 'This page needs the network. It loads once you’re back online.'
    : failure.errors.join(' ')
  return (
    <EmptyState title={title} action={failure.status !== 403 && retryButton}>
      <p>{message}</p>
    </EmptyState>
  )
}

/**
 * Renders a query: the skeleton, the data, or the error with a retry button. If a refetch fails, the old data is shown below a notice.
 */
export const QueryBoundary = <Data,>({
  query,
  skeleton = <Skeleton lines={6} />,
  children,
}: QueryBoundaryProps<Data>) => {
  const { data, error: failure, isFetching, refetch } = query
  const retryButton = (
    <Button variant="secondary" loading={isFetching} onClick={refetch}>
      Try again
    </Button>
  )
  if (data === undefined) {
    if (!failure) return skeleton
    return <LoadError failure={failure} retryButton={retryButton} />
  }
  return (
    <>
      {failure && (
        <Notice tone="attention" action={retryButton}>
          This may be out of date. {errorMessageOf(query)}
        </Notice>
      )}
      {children(data)}
    </>
  )
}
