import { type ReactNode, useState } from 'react'
import { type FieldErrors, isValid } from '../../../domain/validators.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useDraft } from '../use-draft.ts'
import { useJobFields } from '../use-job-fields.ts'
import { useKept } from '../use-kept.ts'
import shared from '../whom.module.css'
import { WhomNames } from '../whom-names.tsx'
import { AskedField } from './asked-field.tsx'
import {
  answerIn,
  controlName,
  draftOf,
  masked,
  type Typing,
  trimmed,
  typingErrors,
  typingFrom,
  unmasked,
} from './typing.ts'

type PersonFormProps = {
  /** What is known already, in full. */
  first: Typing
  /** Whether the name is asked too; that of the studio's own people is the studio's. */
  named: boolean
  draftKey: string
  submitWords: string
  /** Takes what was typed; whether it is kept now. Where it is not it has said why. */
  onSubmit: (typing: Typing, fields: ReturnType<typeof useJobFields>['data']) => Promise<boolean>
  children?: ReactNode
}

/** Who somebody is: the name, and what the studio asks before the picture day. On this phone as it is typed. */
export const PersonForm = (props: PersonFormProps) => {
  const kept = useKept(props.draftKey)
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
  const [typing, setTyping] = useState(() => typingFrom(kept, masked(first, fields)))
  const change = (part: Partial<Typing>) => {
    const next = { ...typing, ...part }
    setTyping(next)
    draft.save(draftOf(next))
  }
  const submit = async () => {
    const wrong = typingErrors(typing, { fields, named, known: first })
    setErrors(wrong)
    if (!isValid(wrong)) return
    setBusy(true)
    const isKept = await onSubmit(trimmed(unmasked(typing, first)), asked.data)
    if (isKept) await draft.drop()
    else setBusy(false)
  }
  return (
    <Form className={shared.part} onSubmit={() => void submit()} loading={busy}>
      {named && <WhomNames required names={typing} errors={errors} onName={change} />}
      {!asked.data && (
        <Notice title="The studio’s questions are not on this phone yet">
          They are asked before you pay, once there is a connection.
        </Notice>
      )}
      {fields.map((field) => (
        <AskedField
          key={field.id}
          field={field}
          answer={answerIn(typing, first, field.name)}
          errors={errors[controlName(field.name)]}
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
