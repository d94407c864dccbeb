import type { SetUpResult } from '#contract/system/two-factor.ts'
import { required } from '#domain/shared/validators.ts'
import { maxPasskeyNameLength } from '#domain/studio/two-factor.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { useFormSubmit } from '../use-form-submit.ts'
import { endExpiredStep, type SetUpFormProps } from './authenticator-set-up.tsx'
import { createPasskey, hasPasskeys } from './passkey-dialog.ts'

const rules = { name: required<unknown>() }

const suggestedName = (): string =>
  window.matchMedia('(pointer: coarse)').matches ? 'My phone or tablet' : 'My computer'

/** Names and creates a passkey. */
export const PasskeySetUp = ({ stepToken, refreshToken, onDone, onExpired }: SetUpFormProps) => {
  const { fieldErrors, errors, loading, submit } = useFormSubmit<'name', SetUpResult>({
    rules,
    send: async ({ name }) => {
      const answer = await createPasskey({ stepToken, name: name.trim(), refreshToken })
      endExpiredStep(answer, onExpired)
      return answer
    },
    onSuccess: onDone,
  })
  if (!hasPasskeys()) return <Notice tone="attention">This browser has no passkeys. Please use another way.</Notice>
  return (
    <Form onSubmit={submit} loading={loading} error={errors}>
      <Field
        label="Name of the passkey"
        hint="So that you recognize it later. Your fingerprint, face or PIN never leaves the device."
        errors={fieldErrors.name}
      >
        <TextInput name="name" autoComplete="off" defaultValue={suggestedName()} maxLength={maxPasskeyNameLength} />
      </Field>
      <div>
        <Button type="submit" loading={loading}>
          Create the passkey
        </Button>
      </div>
    </Form>
  )
}
