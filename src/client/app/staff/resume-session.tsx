import { useCallback, useEffect, useState } from 'react'
import { notReachedTitle } from '#client/staff/kit/query/query-boundary.tsx'
import { session } from '#client/staff/kit/session/current-session.ts'
import { type CallFailure, unreachable } from '#local/transport/request.ts'
import { online } from '#platform/online.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loader } from '#ui/feedback/loader.tsx'

/** Shown while a stored refresh token replaces a missing access token (section 4). The guard renders the screen once there is a token. */
export const ResumeSession = () => {
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const resume = useCallback(async () => {
    setFailure(null)
    if (!(await session.token())) setFailure(session.failure() ?? unreachable)
  }, [])
  useEffect(() => void resume(), [resume])
  useEffect(() => online.subscribe(() => online.current() && void resume()), [resume])
  if (!failure) return <Loader />
  const notReached = notReachedTitle(failure)
  return (
    <EmptyState
      level={1}
      title={notReached ?? 'This could not be loaded'}
      action={<Button onClick={resume}>Try again</Button>}
    >
      <p>
        You are still signed in.{' '}
        {notReached ? 'This page loads once we reach the server.' : `${failure.errors.join(' ')}.`}
      </p>
    </EmptyState>
  )
}
