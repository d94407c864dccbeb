import { useCallback, useEffect, useState } from 'react'
import { type Failed, unreachable } from '../../../local/ask.ts'
import { online } from '../../device/online.ts'
import { session } from '../../session/signed-in.ts'
import { notReachedTitle } from '../../staff/not-reached.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loader } from '../../ui/loader.tsx'

/**
 * Somebody signed in here before, and the token that says who is gone: the refresh token brings another (section 4). What is shown
 * until then; once it is there, the guard lets them through.
 */
export const ResumeSession = () => {
  const [failed, setFailed] = useState<Failed | null>(null)
  const resume = useCallback(async () => {
    setFailed(null)
    if (!(await session.token())) setFailed(session.failure() ?? unreachable)
  }, [])
  useEffect(() => void resume(), [resume])
  useEffect(() => online.subscribe(() => online.current() && void resume()), [resume])
  if (!failed) return <Loader />
  const notReached = notReachedTitle(failed)
  return (
    <EmptyState
      level={1}
      title={notReached ?? 'This could not be loaded'}
      action={<Button onClick={resume}>Try again</Button>}
    >
      <p>
        You are still signed in.{' '}
        {notReached ? 'This goes on by itself once the server can be reached.' : `${failed.errors.join(' ')}.`}
      </p>
    </EmptyState>
  )
}
