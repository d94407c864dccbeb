import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'

/** The six digits of an authenticator app. Spaces of a pasted code are accepted. */
export const CodeField = ({ errors }: { errors: readonly string[] | undefined }) => (
  <Field label="Code" hint="The six digits that your authenticator app shows" errors={errors}>
    <TextInput name="code" autoComplete="one-time-code" inputMode="numeric" spellCheck={false} maxLength={20} />
  </Field>
)
