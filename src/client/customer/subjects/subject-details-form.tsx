import { type ReactNode, useState } from 'react'
import { type FieldErrors, isValid } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Form } from '#ui/form/form.tsx'
import { useDraft } from '../shared/drafts/use-draft.ts'
import { useSavedDraft } from '../shared/drafts/use-saved-draft.ts'
import { useJobFields } from '../shared/job/use-job-fields.ts'
import { SubjectNames } from '../shared/subject/subject-names.tsx'
import shared from '../shared/subject/subject-picker.module.css'
import { CustomFieldInput } from './custom-field-input.tsx'
import {
  answerControlName,
  maskAnswers,
  maskedAnswer,
  type SubjectFormValues,
  subjectFormErrors,
  toSubjectDraft,
  trimNames,
  unmaskAnswers,
  valuesFromDraft,
} from './subject-form-values.ts'

type PersonFormProps = {
  /** The initial values, unmasked. */
  first: SubjectFormValues
  /** Whether the name is asked too; the studio sets the names of its own subjects. */
  named: boolean
  draftKey: string
  submitWords: string
  /** Stores the form. Returns whether it is stored; on failure it has shown why. */
  onSubmit: (values: SubjectFormValues, fields: ReturnType<typeof useJobFields>['data']) => Promise<boolean>
  children?: ReactNode
}

/** A subject's name and custom fields for picture day, stored as a draft while typing. */
export const SubjectDetailsForm = (props: PersonFormProps) => {
  const draft = useSavedDraft(props.draftKey)
  const fieldsQuery = useJobFields()
  if (!draft || fieldsQuery.loading) return <Skeleton shape="block" height="16rem" />
  return <Filling key={props.draftKey} {...props} draft={draft.value} fieldsQuery={fieldsQuery} />
}

type FillingProps = PersonFormProps & { draft: unknown; fieldsQuery: ReturnType<typeof useJobFields> }

const Filling = ({
  first,
  named,
  draftKey,
  submitWords,
  onSubmit,
  children,
  draft: kept,
  fieldsQuery,
}: FillingProps) => {
  const draft = useDraft(draftKey)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [busy, setBusy] = useState(false)
  const fields = fieldsQuery.data ?? []
  const [values, setTyping] = useState(() => valuesFromDraft(kept, maskAnswers(first, fields)))
  const change = (part: Partial<SubjectFormValues>) => {
    const next = { ...values, ...part }
    setTyping(next)
    draft.save(toSubjectDraft(next))
  }
  const submit = async () => {
    const wrong = subjectFormErrors(values, { fields, named, known: first })
    setErrors(wrong)
    if (!isValid(wrong)) return
    setBusy(true)
    const isKept = await onSubmit(trimNames(unmaskAnswers(values, first)), fieldsQuery.data)
    if (isKept) await draft.drop()
    else setBusy(false)
  }
  return (
    <Form className={shared.part} onSubmit={() => void submit()} loading={busy}>
      {named && <SubjectNames required names={values} errors={errors} onName={change} />}
      {!fieldsQuery.data && (
        <Notice title="The studio’s questions are not on this phone yet">
          They are asked before you pay, once there is a connection.
        </Notice>
      )}
      {fields.map((field) => (
        <CustomFieldInput
          key={field.id}
          field={field}
          value={maskedAnswer(values, first, field.name)}
          errors={errors[answerControlName(field.name)]}
          onValue={(value) => change({ answers: { ...values.answers, [field.name]: value } })}
        />
      ))}
      <Button type="submit" loading={busy} wide>
        {submitWords}
      </Button>
      {children}
    </Form>
  )
}
