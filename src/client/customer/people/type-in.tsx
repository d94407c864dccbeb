import { useLocation } from 'wouter'
import { typeInPerson } from '../../../local/type-in.ts'
import { local, stamp } from '../../device/local.ts'
import { type CustomerRoute, urls } from '../../shell/urls.ts'
import { toastError } from '../../ui/toast.ts'
import { useEvent } from '../event.tsx'
import { PersonForm } from './person-form.tsx'
import { dataFieldsOf, nothingTyped } from './typing.ts'

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
