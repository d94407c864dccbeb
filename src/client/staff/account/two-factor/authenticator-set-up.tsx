import { useCallback, useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { confirmAuthenticatorSetUp, type SetUpResult, startAuthenticatorSetUp } from '#contract/system/two-factor.ts'
import { required } from '#domain/shared/validators.ts'
import type { CallFailure, CallResult } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput, type TextInputProps } from '#ui/form/text-input.tsx'
import { toastError } from '#ui/toast/toast.ts'
import { useFormSubmit } from '../use-form-submit.ts'
import styles from './two-factor.module.css'

const rules = { code: required<unknown>() }

type NewKey = Infer<typeof startAuthenticatorSetUp.answer>

/** Props of a form that sets up a second factor with the token of a step. */
export type SetUpFormProps = {
  stepToken: string
  /** The refresh token of this device's sign-in, which stays; null while signing in. */
  refreshToken: string | null
  onDone: (result: SetUpResult) => void
  /** Called when the step is not valid any more. */
  onExpired: () => void
}

/** Ends a step if the answer of a call says that its token is not valid any more, and shows why. */
export const endExpiredStep = (answer: CallResult<unknown>, onExpired: () => void): void => {
  if (answer.ok || answer.problem !== 'invalid-token') return
  toastError(answer.errors)
  onExpired()
}

type CodeFieldProps = { errors: readonly string[] | undefined; ref?: TextInputProps['ref'] }

/** The six digits of an authenticator app. Spaces of a pasted code are accepted. */
export const CodeField = ({ errors, ref }: CodeFieldProps) => (
  <Field label="Code" hint="The six digits that your authenticator app shows" errors={errors}>
    <TextInput
      name="code"
      autoComplete="one-time-code"
      inputMode="numeric"
      spellCheck={false}
      maxLength={20}
      {...(ref && { ref })}
    />
  </Field>
)

/** Loads a new key, once per step. */
const useNewKey = (stepToken: string, onExpired: () => void) => {
  const [newKey, setNewKey] = useState<NewKey | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const load = useCallback(async () => {
    setFailure(null)
    const answer = await callApi(startAuthenticatorSetUp, { body: { stepToken } })
    if (answer.ok) return setNewKey(answer.data)
    endExpiredStep(answer, onExpired)
    setFailure(answer)
  }, [stepToken, onExpired])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callers' `onExpired` changes with each rendering
  useEffect(() => void load(), [stepToken])
  return { newKey, failure, load }
}

const ConfirmForm = ({
  keyToken,
  stepToken,
  refreshToken,
  onDone,
  onExpired,
}: SetUpFormProps & { keyToken: string }) => {
  const { fieldErrors, errors, loading, submit } = useFormSubmit<'code', SetUpResult>({
    rules,
    send: async ({ code }) => {
      const body = { stepToken, keyToken, code: code.trim(), ...(refreshToken !== null && { refreshToken }) }
      const answer = await callApi(confirmAuthenticatorSetUp, { body })
      endExpiredStep(answer, onExpired)
      return answer
    },
    onSuccess: onDone,
  })
  return (
    <Form onSubmit={submit} loading={loading} error={errors}>
      <CodeField errors={fieldErrors.code} />
      <div>
        <Button type="submit" loading={loading}>
          Turn it on
        </Button>
      </div>
    </Form>
  )
}

/** Sets up an authenticator app: shows its key as a QR code and as text, and asks for its first code. */
export const AuthenticatorSetUp = (props: SetUpFormProps) => {
  const { newKey, failure, load } = useNewKey(props.stepToken, props.onExpired)
  if (failure) {
    return (
      <Notice tone="attention" action={<Button onClick={() => void load()}>Try again</Button>}>
        {failure.errors.join(' ')}
      </Notice>
    )
  }
  if (!newKey) return <Skeleton lines={6} />
  const { key, uri, qrCode, keyToken } = newKey
  return (
    <div className={styles.setUp}>
      <p>Scan this code with an authenticator app, such as the one in your phone’s password manager.</p>
      <img
        className={styles.qrCode}
        src={`data:image/svg+xml,${encodeURIComponent(qrCode)}`}
        alt="QR code for your authenticator app"
        width={220}
        height={220}
      />
      <p>Or open the app on this device, or type the key into it:</p>
      <p className={styles.key}>{key.replace(/(.{4})(?=.)/g, '$1 ')}</p>
      <div>
        <ButtonLink href={uri} variant="secondary">
          Open the app on this device
        </ButtonLink>
      </div>
      <ConfirmForm {...props} keyToken={keyToken} />
    </div>
  )
}
