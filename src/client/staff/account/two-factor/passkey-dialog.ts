import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { TokenPair } from '#contract/system/auth.ts'
import {
  confirmPasskeySetUp,
  type SetUpResult,
  signInWithPasskey,
  startPasskeySetUp,
  startPasskeySignIn,
} from '#contract/system/two-factor.ts'
import type { CallFailure, CallResult } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'

const failure = (message: string): CallFailure => ({ ok: false, status: 422, errors: [message] })

/** Why the browser's dialog ended without a passkey. Browsers do not say whether it was cancelled or found none. */
const messageOf = (error: unknown, host: string): string => {
  const name = error instanceof Error ? error.name : ''
  if (name === 'SecurityError') return `Passkeys work only at ${host}`
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already'
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return 'No passkey was used. Please try again, or use another way'
  }
  return 'This device or browser cannot use this passkey. Please use another way'
}

/** Runs the browser's dialog. */
const openDialog = async <Credential>(
  host: string | undefined,
  open: () => Promise<Credential>,
): Promise<Credential | CallFailure> => {
  try {
    return await open()
  } catch (error) {
    return failure(messageOf(error, host ?? 'another address'))
  }
}

const isFailure = (value: object): value is CallFailure => 'ok' in value

/** Signs in with a passkey: after a password with its step's token, or without. */
export const signInByPasskey = async (stepToken?: string): Promise<CallResult<TokenPair>> => {
  const started = await callApi(startPasskeySignIn, { body: stepToken === undefined ? {} : { stepToken } })
  if (!started.ok) return started
  const { challengeToken, options } = started.data
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON // the server's library made them
  const credential = await openDialog<AuthenticationResponseJSON>(optionsJSON.rpId, () =>
    startAuthentication({ optionsJSON }),
  )
  if (isFailure(credential)) return credential
  return await callApi(signInWithPasskey, { body: { challengeToken, credential } })
}

type NewPasskey = { stepToken: string; name: string; refreshToken: string | null }

/** Creates a passkey on this device or a security key, and adds it to the account. */
export const createPasskey = async ({
  stepToken,
  name,
  refreshToken,
}: NewPasskey): Promise<CallResult<SetUpResult>> => {
  const started = await callApi(startPasskeySetUp, { body: { stepToken } })
  if (!started.ok) return started
  const { challengeToken, options } = started.data
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON // the server's library made them
  const credential = await openDialog<RegistrationResponseJSON>(optionsJSON.rp.id, () =>
    startRegistration({ optionsJSON }),
  )
  if (isFailure(credential)) return credential
  const body = { stepToken, challengeToken, name, credential, ...(refreshToken !== null && { refreshToken }) }
  return await callApi(confirmPasskeySetUp, { body })
}

/** Whether this browser has passkeys at all. */
export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function'
