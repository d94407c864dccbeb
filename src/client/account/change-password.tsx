import { changePassword } from '../../contract/auth.ts'
import { required } from '../../domain/validators.ts'
import { session } from '../session/signed-in.ts'
import { askStaff } from '../staff/ask-staff.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { toast } from '../ui/toast.ts'
import { NewPasswordFields, newPasswordRules } from './new-password-fields.tsx'
import { useSending } from './use-sending.ts'

type Name = 'currentPassword' | 'password' | 'again'

const rules = { currentPassword: required<unknown>(), ...newPasswordRules }

/** Another password, from who knows the one they have; every other device is signed out by it. */
export const ChangePassword = () => {
  const { fields, errors, loading, submit } = useSending<Name, object>({
    rules,
    send: async ({ currentPassword, password }) => {
      const body = { currentPassword, newPassword: password, refreshToken: session.refreshToken() ?? 'none' }
      const answer = await askStaff(changePassword, { body })
      if (answer.ok || !answer.fields?.newPassword) return answer
      return { ...answer, fields: { ...answer.fields, password: answer.fields.newPassword } }
    },
    done: (_, form) => {
      form.reset()
      toast('Your password was changed. Other devices are signed out', 'success')
    },
  })
  return (
    <Form onSubmit={submit} loading={loading} error={errors}>
      <Field label="Current password" errors={fields.currentPassword}>
        <TextInput type="password" name="currentPassword" autoComplete="current-password" />
      </Field>
      <NewPasswordFields errors={fields} label="New password" />
      <div>
        <Button type="submit" loading={loading} variant="secondary">
          Change my password
        </Button>
      </div>
    </Form>
  )
}
