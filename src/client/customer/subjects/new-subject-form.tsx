import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { addTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { database, stamp } from '#platform/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import { SubjectDetailsForm } from './subject-details-form.tsx'
import { emptySubjectForm, toDataFields } from './subject-form-values.ts'

/**
 * Form for a subject that the customer types in, because the studio has no list. Stores the subject on this device and
 * opens its packages, online or offline. `children` follow the form.
 */
export const NewSubjectForm = ({ children, ...route }: CustomerRoute & { children?: ReactNode }) => {
  const { jobId, orderMethod } = useJobContext()
  const [, navigate] = useLocation()
  return (
    <SubjectDetailsForm
      initialValues={emptySubjectForm}
      asksName
      draftKey={`person:${jobId}`}
      submitLabel="See the packages"
      onSubmit={async (values, fields) => {
        const { firstName, lastName } = values
        const typed = { firstName, lastName, dataFields: toDataFields(values, fields, []) }
        const result = await addTypedSubject(database, stamp, { jobId, orderMethod, typed })
        if (result.ok) navigate(urls.selectPackage({ ...route, subjectId: result.number }))
        else toastError([result.message])
        return result.ok
      }}
    >
      {children}
    </SubjectDetailsForm>
  )
}
