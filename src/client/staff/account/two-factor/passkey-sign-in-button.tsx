import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import type { TokenPair } from '#contract/system/auth.ts'
import { Button } from '#ui/button/button.tsx'
import { toastError } from '#ui/toast/toast.ts'
import { hasPasskeys, signInByPasskey } from './passkey-dialog.ts'

type PasskeySignInButtonProps = {
  /** The token of the step after a password; without it, the passkey replaces the password too. */
  stepToken?: string
  onTokens: (tokens: TokenPair) => void
  /** Called when the step is not valid any more. */
  onExpired?: () => void
}

/** Signs in with a passkey. Renders nothing in a browser without passkeys. */
export const PasskeySignInButton = ({ stepToken, onTokens, onExpired }: PasskeySignInButtonProps) => {
  const [loading, setLoading] = useState(false)
  const signIn = async () => {
    setLoading(true)
    const answer = await signInByPasskey(stepToken)
    setLoading(false)
    if (answer.ok) return onTokens(answer.data)
    toastError(answer.errors)
    if (answer.problem === 'invalid-token') onExpired?.()
  }
  if (!hasPasskeys()) return null
  return (
    <Button variant="secondary" icon={KeyRound} loading={loading} wide onClick={() => void signIn()}>
      Use a passkey
    </Button>
  )
}
