import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { Reading } from './use-answer.ts'

type AnsweredProps<Data> = {
  reading: Reading<Data>
  /** The shape of what comes, shown while the first answer is on its way. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

const sentenceOf = (reading: Reading<unknown>): string => reading.failed?.errors.join(' ') ?? ''

/**
 * What a screen shows of an answer: the shape of what comes, the answer, or what went wrong and the way to try again. An answer that
 * could not be renewed stays on the screen, with a word above it.
 */
export const Answered = <Data,>({ reading, skeleton = <Skeleton lines={6} />, children }: AnsweredProps<Data>) => {
  const { data, failed, isAsking, again } = reading
  const retry = (
    <Button variant="secondary" loading={isAsking} onClick={again}>
      Try again
    </Button>
  )
  if (data === undefined) {
    if (!failed) return skeleton
    return (
      <EmptyState title="This could not be loaded" action={retry}>
        <p>{sentenceOf(reading)}</p>
      </EmptyState>
    )
  }
  return (
    <>
      {failed && (
        <Notice tone="attention" action={retry}>
          What you see may be old. {sentenceOf(reading)}
        </Notice>
      )}
      {children(data)}
    </>
  )
}
