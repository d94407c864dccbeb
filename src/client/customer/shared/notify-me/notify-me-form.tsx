import { useEffect, useRef, useState } from 'react'
import { notifyMe, notifyMeOfImages } from '#contract/customer/find-subjects.ts'
import { email as emailRule, required, validate } from '#domain/shared/validators.ts'
import { callApi } from '#platform/api/api.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toastError } from '#ui/toast/toast.ts'

const rules = { email: [required<{ email: string }>(), emailRule<{ email: string }>()] }

/** Focuses the input of a form that appears after a tap. */
const useFocus = (shouldFocus: boolean) => {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (shouldFocus) input.current?.focus()
  }, [shouldFocus])
  return input
}

type NotifyMeFormProps = {
  jobId: number
  /** The subject whose images are not online yet; null if the job is not open yet. */
  subjectId?: number | null
}

/** Asks for an email address, for a single notification. The input stays until the server has saved it. */
export const NotifyMeForm = ({ jobId, subjectId = null }: NotifyMeFormProps) => {
  const input = useFocus(subjectId !== null)
  const occasion = subjectId === null ? 'when it opens' : 'when they are online'
  const [email, setEmail] = useState('')
  const [errors, setErrors] = useState<string[]>()
  const [state, setState] = useState<'asking' | 'sending' | 'saved'>('asking')

  const submit = async () => {
    const body = { email: email.trim() }
    const errors = validate(body, rules).email
    setErrors(errors)
    if (errors && errors.length > 0) return
    setState('sending')
    const response =
      subjectId === null
        ? await callApi(notifyMe, { params: { jobId }, body })
        : await callApi(notifyMeOfImages, { params: { jobId, subjectId }, body })
    setState(response.ok ? 'saved' : 'asking')
    if (!response.ok) toastError(response.errors)
  }

  if (state === 'saved') return <Notice tone="success" title={`We’ll email ${email.trim()} ${occasion}`} />
  return (
    <Form onSubmit={() => void submit()} loading={state === 'sending'}>
      <Field label="Email" errors={errors}>
        <TextInput
          ref={input}
          name="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          onValue={setEmail}
        />
      </Field>
      <Button type="submit" variant="secondary" loading={state === 'sending'}>
        Tell me {occasion}
      </Button>
    </Form>
  )
}
