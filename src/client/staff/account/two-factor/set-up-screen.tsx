import { useState } from 'react'
import type { SetUpResult } from '#contract/system/two-factor.ts'
import { Button } from '#ui/button/button.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { AuthenticatorSetUp } from './authenticator-set-up.tsx'
import { PasskeySetUp } from './passkey-set-up.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { StepScreenProps } from './second-factor-screen.tsx'

/** Sets up the second factor that a user must have, and then signs them in. */
export const SetUpScreen = ({ step: { stepToken }, onTokens, onCancel }: StepScreenProps) => {
  const [isPasskey, setPasskey] = useState(false)
  const [result, setResult] = useState<SetUpResult | null>(null)
  const finish = ({ tokens }: SetUpResult) => (tokens ? onTokens(tokens) : onCancel())
  if (result?.recoveryCodes) {
    return (
      <PlainPage title="Two-factor sign-in is on">
        <RecoveryCodes codes={result.recoveryCodes} onSaved={() => finish(result)} />
      </PlainPage>
    )
  }
  const Form = isPasskey ? PasskeySetUp : AuthenticatorSetUp
  return (
    <PlainPage title="Set up two-factor sign-in">
      <p>Your account must have a second step after the password. It takes a minute, once.</p>
      <Form
        stepToken={stepToken}
        refreshToken={null}
        onDone={(done) => (done.recoveryCodes ? setResult(done) : finish(done))}
        onExpired={onCancel}
      />
      <div>
        <Button variant="quiet" onClick={() => setPasskey(!isPasskey)}>
          {isPasskey ? 'Use an authenticator app instead' : 'Use a passkey instead'}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Back to the login
        </Button>
      </div>
    </PlainPage>
  )
}
