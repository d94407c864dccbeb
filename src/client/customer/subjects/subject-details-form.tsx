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
  onSubmit: (typing: SubjectFormValues, fields: ReturnType<typeof useJobFields>['data']) => Promise<boolean>
  children?: ReactNode
}

/** A subject's name and custom fields for picture day, stored as a draft while typing. */
export const SubjectDetailsForm = (props: PersonFormProps) => {
  const kept = useSavedDraft(props.draftKey)
  const asked = useJobFields()
  if (!kept || asked.loading) return <Skeleton shape="block" height="16rem" />
  return <Filling key={props.draftKey} {...props} kept={kept.value} asked={asked} />
}

type FillingProps = PersonFormProps & { kept: unknown; asked: ReturnType<typeof useJobFields> }

const Filling = ({ first, named, draftKey, submitWords, onSubmit, children, kept, asked }: FillingProps) => {
  const draft = useDraft(draftKey)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [busy, setBusy] = useState(false)
  const fields = asked.data ?? []
  const [typing, setTyping] = useState(() => valuesFromDraft(kept, maskAnswers(first, fields)))
  const change = (part: Partial<SubjectFormValues>) => {
    const next = { ...typing, ...part }
    setTyping(next)
    draft.save(toSubjectDraft(next))
  }
  const submit = async () => {
    const wrong = subjectFormErrors(typing, { fields, named, known: first })
    setErrors(wrong)
    if (!isValid(wrong)) return
    setBusy(true)
    const isKept = await onSubmit(trimNames(unmaskAnswers(typing, first)), asked.data)
    if (isKept) await draft.drop()
    else setBusy(false)
  }
  return (
    <Form className={shared.part} onSubmit={() => void submit()} loading={busy}>
      {named && <SubjectNames required names={typing} errors={errors} onName={change} />}
      {!asked.data && (
        <Notice title="The studio’s questions are not on this phone yet">
          They are asked before you pay, once there is a connection.
        </Notice>
      )}
      {fields.map((field) => (
        <CustomFieldInput
          key={field.id}
          field={field}
          answer={maskedAnswer(typing, first, field.name)}
          errors={errors[answerControlName(field.name)]}
          onValue={(value) => change({ answers: { ...typing.answers, [field.name]: value } })}
        />
      ))}
      <Button type="submit" loading={busy} wide>
        {submitWords}
      </Button>
      {children}
    </Form>
  )
}
