import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { type FieldErrors, isValid, required, validate } from '../../domain/validators.ts'
import { signIn } from '../session/signed-in.ts'
import { Plain } from '../shell/plain.tsx'
import { ownPath, urls } from '../shell/urls.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextInput } from '../ui/text-input.tsx'

/** Said after a session ended by itself (section 8). */
export const sessionExpired = 'Session expired. Please log in again.'

const rules = { username: required(), password: required() }

export type LoginRoute = { ret?: string | undefined; expired: boolean }

/** The studios' door: signs in and goes where the person wanted to go. */
export const LoginScreen = ({ ret, expired }: LoginRoute) => {
  const [fields, setFields] = useState<FieldErrors>({})
  const [errors, setErrors] = useState<readonly string[]>([])
  const [loading, setLoading] = useState(false)
  const [, navigate] = useLocation()

  const logIn = async (form: HTMLFormElement) => {
    const typed = new FormData(form)
    setLoading(true)
    const answer = await signIn(String(typed.get('username') ?? '').trim(), String(typed.get('password') ?? ''))
    setLoading(false)
    if (answer.ok) navigate(ownPath(ret) ?? urls.account(), { replace: true })
    else setErrors(answer.errors)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    const missing = validate(Object.fromEntries(new FormData(form)), rules)
    setFields(missing)
    setErrors([])
    if (isValid(missing)) void logIn(form)
  }

  return (
    <Plain title="Studio Login">
      {expired && <Notice tone="attention">{sessionExpired}</Notice>}
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Email" errors={fields.username}>
          <TextInput type="email" name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label="Password" errors={fields.password}>
          <TextInput type="password" name="password" autoComplete="current-password" />
        </Field>
        <Button type="submit" loading={loading} wide>
          Log in
        </Button>
      </Form>
    </Plain>
  )
}
