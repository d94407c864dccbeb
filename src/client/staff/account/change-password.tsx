import { changePassword } from '#contract/system/auth.ts'
import { required } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { toast } from '#ui/toast/toast.ts'
import { authorizedRequest } from '../kit/query/authorized-request.ts'
import { session } from '../kit/session/current-session.ts'
import { NewPasswordFields, newPasswordRules } from './new-password-fields.tsx'
import { useFormSubmit } from './use-form-submit.ts'

type FieldName = 'currentPassword' | 'password' | 'passwordConfirmation'

const rules = { currentPassword: required<unknown>(), ...newPasswordRules }

/** Changes the password after checking the current one. The server signs out all other devices, and ends API tokens. */
export const ChangePassword = () => {
  const { fieldErrors, errors, loading, submit } = useFormSubmit<FieldName, object>({
    rules,
    send: async ({ currentPassword, password }) => {
      const body = { currentPassword, newPassword: password, refreshToken: session.refreshToken() ?? 'none' }
      const answer = await authorizedRequest(changePassword, { body })
      if (answer.ok || !answer.fields?.newPassword) return answer
      return { ...answer, fields: { ...answer.fields, password: answer.fields.newPassword } }
    },
    onSuccess: (_, form) => {
      form.reset()
      toast('Your password was changed. Other devices are signed out, and your API tokens have ended', 'success')
    },
  })
  return (
    <Form onSubmit={submit} loading={loading} error={errors}>
      <Field label="Current password" errors={fieldErrors.currentPassword}>
        <TextInput type="password" name="currentPassword" autoComplete="current-password" />
      </Field>
      <NewPasswordFields errors={fieldErrors} label="New password" />
      <div>
        <Button type="submit" loading={loading} variant="secondary">
          Change my password
        </Button>
      </div>
    </Form>
  )
}
