import { useLocation } from 'wouter'
import { typeInPerson } from '#local/outbox/edit-typed-subject.ts'
import { local, stamp } from '#platform/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import { useEvent } from '../shared/job/job-context.tsx'
import { PersonForm } from './subject-details-form.tsx'
import { dataFieldsOf, nothingTyped } from './subject-form-values.ts'

/** Somebody the studio has no list of, typed in by the customer: saved here, and on to their packages, with a network or without. */
export const TypeIn = (place: CustomerRoute) => {
  const { jobId, orderMethod } = useEvent()
  const [, navigate] = useLocation()
  return (
    <PersonForm
      first={nothingTyped}
      named
      draftKey={`person:${jobId}`}
      submitWords="See the packages"
      onSubmit={async (typing, fields) => {
        const { firstName, lastName } = typing
        const typed = { firstName, lastName, dataFields: dataFieldsOf(typing, fields, []) }
        const answer = await typeInPerson(local, stamp, { jobId, orderMethod, typed })
        if (answer.ok) navigate(urls.selectPackage({ ...place, subjectId: answer.number }))
        else toastError([answer.sentence])
        return answer.ok
      }}
    />
  )
}
