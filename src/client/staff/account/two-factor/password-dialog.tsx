import type { Infer } from 'superstruct'
import { authorizeTwoFactorChange } from '#contract/system/two-factor.ts'
import { required } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { authorizedRequest } from '../../kit/query/authorized-request.ts'
import { useFormSubmit } from '../use-form-submit.ts'

const rules = { password: required<unknown>() }

type ChangeToken = Infer<typeof authorizeTwoFactorChange.answer>

type PasswordDialogProps = { onToken: (token: ChangeToken) => void; onClose: () => void }

/** Asks for the password again before a change of the two-factor sign-in. */
export const PasswordDialog = ({ onToken, onClose }: PasswordDialogProps) => {
  const { fieldErrors, errors, loading, submit } = useFormSubmit<'password', ChangeToken>({
    rules,
    send: ({ password }) => authorizedRequest(authorizeTwoFactorChange, { body: { password } }),
    onSuccess: onToken,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Enter your password"
      description="Changes to how you sign in need your password again."
    >
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Password" errors={fieldErrors.password}>
          <TextInput type="password" name="password" autoComplete="current-password" data-first-focus />
        </Field>
        <Button type="submit" loading={loading} wide>
          Continue
        </Button>
      </Form>
    </Dialog>
  )
}
