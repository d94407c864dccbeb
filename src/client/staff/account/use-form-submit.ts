import { type FormEvent, useState } from 'react'
import { type FieldErrors, isValid, type Rules, validate } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'

type FormSubmitOptions<Name extends string, Data> = {
  rules: Rules<Record<Name, string>>
  /** Sends the field values by name. */
  send: (values: Record<Name, string>) => Promise<CallResult<Data>>
  onSuccess: (data: Data, form: HTMLFormElement) => void
}

const readValues = (form: HTMLFormElement) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))

/**
 * State of a form that is sent as a whole. Validates locally before sending, and returns the server's messages by field and for the whole
 * form. Values are not stored as a draft, because they may be passwords.
 */
export const useFormSubmit = <Name extends string, Data>({ rules, send, onSuccess }: FormSubmitOptions<Name, Data>) => {
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({})
  const [errors, setErrors] = useState<readonly string[]>([])
  const [loading, setLoading] = useState(false)

  const sendValues = async (form: HTMLFormElement, values: Record<Name, string>) => {
    setLoading(true)
    const answer = await send(values)
    setLoading(false)
    if (answer.ok) return onSuccess(answer.data, form)
    setFieldErrors(answer.fields ?? {})
    setErrors(answer.errors)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    const values = readValues(form) as Record<Name, string> // the form has exactly these fields
    const validationErrors = validate(values, rules)
    setFieldErrors(validationErrors)
    setErrors([])
    if (isValid(validationErrors)) void sendValues(form, values)
  }
  return { fieldErrors, errors, loading, submit } as const
}
