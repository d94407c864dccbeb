import type { ReactNode } from 'react'
import type { CallFailure } from '#local/transport/request.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useStateTitle } from '#ui/page/state-title.ts'
import { notReachedTitle } from './connection-error.ts'
import type { QueryResult } from './use-staff-query.ts'

type QueryBoundaryProps<Data> = {
  query: QueryResult<Data>
  /** Placeholder shown while the first response loads. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

const errorMessageOf = (query: QueryResult<unknown>): string => query.error?.errors.join(' ') ?? ''

const serverSaid = ({ status }: CallFailure): string => (status === 404 ? 'Not found' : 'This could not be loaded')

/** Replaces a screen or a part of it; `children` is the retry button. */
const LoadError = ({ failed: failure, children }: { failed: CallFailure; children: ReactNode }) => {
  const notReached = notReachedTitle(failure)
  const title = notReached ?? serverSaid(failure)
  useStateTitle(title)
  const sentence = notReached
    ? 'This page needs the network, and goes on by itself once it is back.'
    : failure.errors.join(' ')
  return (
    <EmptyState title={title} action={children}>
      <p>{sentence}</p>
    </EmptyState>
  )
}

/**
 * Renders a query: the skeleton, the data, or the error with a retry button. If a refetch fails, the old data stays with a notice above
 * it.
 */
export const QueryBoundary = <Data,>({
  query,
  skeleton = <Skeleton lines={6} />,
  children,
}: QueryBoundaryProps<Data>) => {
  const { data, error: failure, isFetching: isAsking, refetch } = query
  const retry = (
    <Button variant="secondary" loading={isAsking} onClick={refetch}>
      Try again
    </Button>
  )
  if (data === undefined) {
    if (!failure) return skeleton
    return <LoadError failed={failure}>{retry}</LoadError>
  }
  return (
    <>
      {failure && (
        <Notice tone="attention" action={retry}>
          What you see may be old. {errorMessageOf(query)}
        </Notice>
      )}
      {children(data)}
    </>
  )
}
