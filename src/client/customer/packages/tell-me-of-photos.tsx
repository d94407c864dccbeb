import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useEvent } from '../event.tsx'
import type { Person } from '../person.ts'

const TellMeForm = lazy(async () => ({ default: (await import('../tell-me-form.tsx')).TellMeForm }))

/** Offers one mail once a child's own photos are online. Not for people typed in before picture day: their order sends that mail. */
export const TellMeOfPhotos = ({ person: { subjectId } }: { person: Person }) => {
  const { jobId } = useEvent()
  const [asked, setAsked] = useState(false)
  if (subjectId === null) return null
  if (asked) {
    return (
      <Suspense>
        <TellMeForm {...{ jobId, subjectId }} />
      </Suspense>
    )
  }
  return (
    <div>
      <Button variant="secondary" size="sm" onClick={() => setAsked(true)}>
        Tell me when they are online
      </Button>
    </div>
  )
}
