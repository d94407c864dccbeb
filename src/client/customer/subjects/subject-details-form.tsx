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

type SubjectDetailsFormProps = {
  /** The initial values, unmasked. */
  initialValues: SubjectFormValues
  /** Whether the form asks for the name too. The studio sets the names of its own subjects. */
  asksName: boolean
  draftKey: string
  submitLabel: string
  /** Stores the form. Returns whether it is stored; on failure it has shown why. */
  onSubmit: (values: SubjectFormValues, fields: ReturnType<typeof useJobFields>['data']) => Promise<boolean>
  children?: ReactNode
}

/** A subject's name and custom fields for picture day, stored as a draft while typing. */
export const SubjectDetailsForm = (props: SubjectDetailsFormProps) => {
  const draft = useSavedDraft(props.draftKey)
  const fieldsQuery = useJobFields()
  if (!draft || fieldsQuery.loading) return <Skeleton shape="block" height="16rem" />
  return <LoadedForm key={props.draftKey} {...props} draft={draft.value} fieldsQuery={fieldsQuery} />
}

type LoadedFormProps = SubjectDetailsFormProps & { draft: unknown; fieldsQuery: ReturnType<typeof useJobFields> }

const LoadedForm = ({
  initialValues,
  asksName,
  draftKey,
  submitLabel,
  onSubmit,
  children,
  draft: savedDraft,
  fieldsQuery,
}: LoadedFormProps) => {
  const draft = useDraft(draftKey)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isSaving, setIsSaving] = useState(false)
  const fields = fieldsQuery.data ?? []
  const [values, setValues] = useState(() => valuesFromDraft(savedDraft, maskAnswers(initialValues, fields)))
  const change = (part: Partial<SubjectFormValues>) => {
    const next = { ...values, ...part }
    setValues(next)
    draft.save(toSubjectDraft(next))
  }
  const submit = async () => {
    const formErrors = subjectFormErrors(values, { fields, asksName, known: initialValues })
    setErrors(formErrors)
    if (!isValid(formErrors)) return
    setIsSaving(true)
    const isSaved = await onSubmit(trimNames(unmaskAnswers(values, initialValues)), fieldsQuery.data)
    if (isSaved) await draft.drop()
    else setIsSaving(false)
  }
  return (
    <Form className={shared.part} onSubmit={() => void submit()} loading={isSaving}>
      {asksName && <SubjectNames required names={values} errors={errors} onName={change} />}
      {!fieldsQuery.data && (
        <Notice title="The studio’s questions aren’t on this phone yet">
          We’ll ask them before you pay, once you’re online.
        </Notice>
      )}
      {fields.map((field) => (
        <CustomFieldInput
          key={field.id}
          field={field}
          value={maskedAnswer(values, initialValues, field.name)}
          errors={errors[answerControlName(field.name)]}
          onValue={(value) => change({ answers: { ...values.answers, [field.name]: value } })}
        />
      ))}
      <Button type="submit" loading={isSaving} wide>
        {submitLabel}
      </Button>
      {children}
    </Form>
  )
}
