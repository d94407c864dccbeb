import { useState } from 'react'
import type { SignInStep, TokenPair } from '#contract/system/auth.ts'
import { verifySecondFactor } from '#contract/system/two-factor.ts'
import { required } from '#domain/shared/validators.ts'
import { callApi } from '#platform/api/api.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { useFormSubmit } from '../use-form-submit.ts'
import { CodeField, endExpiredStep } from './authenticator-set-up.tsx'
import { PasskeySignInButton } from './passkey-sign-in-button.tsx'

const rules = { code: required<unknown>() }

type CodeMethod = 'authenticator' | 'recovery-code'

/** The step replaces the password in the same screen, so the focus moves to its field. */
const focusOnMount = (control: HTMLElement | null) => control?.focus()

/** Props of the screens of a sign-in's steps. */
export type StepScreenProps = {
  step: SignInStep
  onTokens: (tokens: TokenPair) => void
  /** Returns to the password. */
  onCancel: () => void
}

const CodeForm = ({ step, method, onTokens, onCancel }: StepScreenProps & { method: CodeMethod }) => {
  const { fieldErrors, errors, loading, submit } = useFormSubmit<'code', TokenPair>({
    rules,
    send: async ({ code }) => {
      const body = { stepToken: step.stepToken, method, code: code.trim() }
      const answer = await callApi(verifySecondFactor, { body })
      endExpiredStep(answer, onCancel)
      return answer
    },
    onSuccess: onTokens,
  })
  return (
    <Form onSubmit={submit} loading={loading} error={errors}>
      {method === 'authenticator' ? (
        <CodeField errors={fieldErrors.code} ref={focusOnMount} />
      ) : (
        <Field label="Recovery code" hint="One of the ten codes you saved. Each works once." errors={fieldErrors.code}>
          <TextInput
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            ref={focusOnMount}
          />
        </Field>
      )}
      <Button type="submit" loading={loading} wide>
        Continue
      </Button>
    </Form>
  )
}

/** The second step of a sign-in: a code of the authenticator app, a recovery code, or a passkey. */
export const SecondFactorScreen = ({ step, onTokens, onCancel }: StepScreenProps) => {
  const { methods, stepToken } = step
  const hasAuthenticator = methods.includes('authenticator')
  const [method, setMethod] = useState<CodeMethod>(hasAuthenticator ? 'authenticator' : 'recovery-code')
  const isRecovery = method === 'recovery-code'
  const hasForm = hasAuthenticator || methods.includes('recovery-code')
  return (
    <PlainPage title="Two-factor sign-in">
      <p>One more step: prove that it’s you.</p>
      {methods.includes('passkey') && (
        <PasskeySignInButton stepToken={stepToken} onTokens={onTokens} onExpired={onCancel} />
      )}
      {hasForm && <CodeForm key={method} step={step} method={method} onTokens={onTokens} onCancel={onCancel} />}
      <div>
        {isRecovery && hasAuthenticator && (
          <Button variant="quiet" onClick={() => setMethod('authenticator')}>
            Use your authenticator app
          </Button>
        )}
        {!isRecovery && methods.includes('recovery-code') && (
          <Button variant="quiet" onClick={() => setMethod('recovery-code')}>
            Use a recovery code
          </Button>
        )}
        <Button variant="quiet" onClick={onCancel}>
          Back to the login
        </Button>
      </div>
      {isRecovery && <p>No codes left either? Ask an owner of your studio to reset your two-factor sign-in.</p>}
    </PlainPage>
  )
}
