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
  /** The shape of what comes, shown while the first answer is on its way. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

const errorMessageOf = (reading: QueryResult<unknown>): string => reading.error?.errors.join(' ') ?? ''

const serverSaid = ({ status }: CallFailure): string => (status === 404 ? 'Not found' : 'This could not be loaded')

/** In the place of a screen or a part of it; `children` is the way to try again. */
const LoadError = ({ failed, children }: { failed: CallFailure; children: ReactNode }) => {
  const notReached = notReachedTitle(failed)
  const title = notReached ?? serverSaid(failed)
  useStateTitle(title)
  const sentence = notReached
    ? 'This page needs the network, and goes on by itself once it is back.'
    : failed.errors.join(' ')
  return (
    <EmptyState title={title} action={children}>
      <p>{sentence}</p>
    </EmptyState>
  )
}

/**
 * What a screen shows of an answer: the shape of what comes, the answer, or what went wrong and the way to try again. An answer that
 * could not be renewed stays on the screen, with a word above it.
 */
export const QueryBoundary = <Data,>({
  query: reading,
  skeleton = <Skeleton lines={6} />,
  children,
}: QueryBoundaryProps<Data>) => {
  const { data, error: failed, isFetching: isAsking, refetch: again } = reading
  const retry = (
    <Button variant="secondary" loading={isAsking} onClick={again}>
      Try again
    </Button>
  )
  if (data === undefined) {
    if (!failed) return skeleton
    return <LoadError failed={failed}>{retry}</LoadError>
  }
  return (
    <>
      {failed && (
        <Notice tone="attention" action={retry}>
          What you see may be old. {errorMessageOf(reading)}
        </Notice>
      )}
      {children(data)}
    </>
  )
}
