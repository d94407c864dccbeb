import { lazy, Suspense, useState } from 'react'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { Button } from '#ui/button/button.tsx'
import type { PackageSubject } from '../package-context.ts'

const NotifyMeForm = lazy(async () => ({
  default: (await import('#client/customer/shared/notify-me/notify-me-form.tsx')).NotifyMeForm,
}))

/**
 * Offers one email once a subject's own images are online. Not for typed-in subjects: their order triggers that email.
 */
export const NotifyMeOfImages = ({ subject: { subjectId } }: { subject: PackageSubject }) => {
  const { jobId } = useJobContext()
  const [isOpen, setIsOpen] = useState(false)
  if (subjectId === null) return null
  if (isOpen) {
    return (
      <Suspense>
        <NotifyMeForm {...{ jobId, subjectId }} />
      </Suspense>
    )
  }
  return (
    <div>
      <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)}>
        Tell me when they are online
      </Button>
    </div>
  )
}
