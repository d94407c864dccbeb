import { useCallback, useEffect, useState } from 'react'
import { session } from '../../session/signed-in.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loader } from '../../ui/loader.tsx'

/**
 * Somebody signed in here before, and the token that says who is gone: the refresh token brings another (section 4). What is shown
 * until then; once it is there, the guard lets them through.
 */
export const ResumeSession = () => {
  const [isAway, setAway] = useState(false)
  const resume = useCallback(async () => {
    setAway(false)
    if (!(await session.token())) setAway(true)
  }, [])
  useEffect(() => void resume(), [resume])
  if (!isAway) return <Loader />
  return (
    <EmptyState level={1} title="There is no connection right now" action={<Button onClick={resume}>Try again</Button>}>
      <p>You are still signed in. This goes on once there is a connection.</p>
    </EmptyState>
  )
}
