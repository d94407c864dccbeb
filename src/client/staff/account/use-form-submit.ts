import { type FormEvent, useState } from 'react'
import { type FieldErrors, isValid, type Rules, validate } from '#domain/shared/validators.ts'
import type { CallResult } from '#local/transport/request.ts'

type FormSubmitOptions<Name extends string, Data> = {
  rules: Rules<Record<Name, string>>
  /** Field values by name. */
  send: (typed: Record<Name, string>) => Promise<CallResult<Data>>
  done: (data: Data, form: HTMLFormElement) => void
}

const typedIn = (form: HTMLFormElement) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))

/**
 * State of a form that is sent as a whole. Validates locally first, then shows the server's messages, at their fields if they name one.
 * Values are not stored as a draft because they may be passwords.
 */
export const useFormSubmit = <Name extends string, Data>({ rules, send, done }: FormSubmitOptions<Name, Data>) => {
  const [fields, setFields] = useState<FieldErrors>({})
  const [errors, setErrors] = useState<readonly string[]>([])
  const [loading, setLoading] = useState(false)

  const go = async (form: HTMLFormElement, typed: Record<Name, string>) => {
    setLoading(true)
    const answer = await send(typed)
    setLoading(false)
    if (answer.ok) return done(answer.data, form)
    setFields(answer.fields ?? {})
    setErrors(answer.errors)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    const typed = typedIn(form) as Record<Name, string> // the form has exactly these fields
    const wrong = validate(typed, rules)
    setFields(wrong)
    setErrors([])
    if (isValid(wrong)) void go(form, typed)
  }
  return { fields, errors, loading, submit } as const
}
