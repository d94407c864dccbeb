import { type FieldErrors, matches } from '#domain/shared/validators.ts'
import { minPasswordLength, newPassword } from '#domain/studio/user-account.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'

/** Validation rules of a new password and its repetition. */
export const newPasswordRules = { password: newPassword<unknown>(), passwordConfirmation: matches<unknown>('password') }

/** A new password, typed twice because it is not visible. */
export const NewPasswordFields = ({ errors, label = 'Password' }: { errors: FieldErrors; label?: string }) => (
  <>
    <Field label={label} hint={`At least ${minPasswordLength} characters`} errors={errors.password}>
      <TextInput type="password" name="password" autoComplete="new-password" />
    </Field>
    <Field label={`${label} again`} errors={errors.passwordConfirmation}>
      <TextInput type="password" name="passwordConfirmation" autoComplete="new-password" />
    </Field>
  </>
)
