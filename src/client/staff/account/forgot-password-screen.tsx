import { useState } from 'react'
import { forgotPassword } from '#contract/system/auth.ts'
import { email } from '#domain/shared/validators.ts'
import { callApi } from '#platform/api/api.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { useFormSubmit } from './use-form-submit.ts'

const isEmail = email<unknown>()
const rules = { email: (value: unknown, model: unknown) => isEmail(String(value).trim(), model) }

/** Requests a link by mail. It never reveals whether an account with this address exists. */
export const ForgotPasswordScreen = () => {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { fieldErrors, errors, loading, submit } = useFormSubmit<'email', object>({
    rules,
    send: async ({ email: typedEmail }) => {
      const address = typedEmail.trim()
      const answer = await callApi(forgotPassword, { body: { email: address } })
      if (answer.ok) setSentTo(address)
      return answer
    },
    onSuccess: () => undefined,
  })
  return (
    <PlainPage title="Forgot your password?">
      {sentTo ? (
        <Notice tone="success" title="Check your email">
          <p>
            If {sentTo} has an account, we sent it a link to choose a new password. It works for one hour. Nothing
            there? Check your spam folder, or send it again.
          </p>
        </Notice>
      ) : (
        <p>Enter the email you sign in with, and we’ll send you a link to choose a new password.</p>
      )}
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Email" errors={fieldErrors.email}>
          <TextInput type="email" name="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Button type="submit" loading={loading} variant={sentTo ? 'secondary' : 'primary'} wide>
          {sentTo ? 'Send the link again' : 'Send the link'}
        </Button>
      </Form>
      <div>
        <ButtonLink href={urls.login()} variant="quiet">
          Back to the login
        </ButtonLink>
      </div>
    </PlainPage>
  )
}
