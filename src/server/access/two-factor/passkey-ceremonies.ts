import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server'
import type { Assertion, NewCredential } from '#contract/system/two-factor.ts'
import type { Deps } from '#server/deps.ts'
import { signStepToken } from '../credentials/step-tokens.ts'

const challengeBytes = 32
/** Ed25519, ES256 and RS256. The library's own list asks the runtime for experimental algorithms, which logs a warning. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** What a passkey belongs to: the public host of this server, which links in emails have too. */
const relyingParty = ({ address }: Pick<Deps, 'address'>) => {
  const { hostname, origin } = new URL(address())
  return { rpID: hostname, rpName: 'Fieldproof', origin }
}

/** Uint8Array of its own memory, as the library's types require. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes)

/** The id by which an authenticator knows the user. */
const userHandle = (userId: number): Uint8Array<ArrayBuffer> => ownBytes(Buffer.from(String(userId)))

/** What the library names a passkey in lists for the browser. */
type KnownPasskey = { readonly id: string; readonly transports: string[] }

type PasskeyOptions = { options: { challenge: string }; challengeToken: string }

/** Options to sign in: with one of the user's passkeys, or without a user with any passkey of the device. */
export const passkeySignInOptions = async (
  deps: Deps,
  { userId, passkeys }: { readonly userId: number | null; readonly passkeys: readonly KnownPasskey[] },
): Promise<PasskeyOptions> => {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps).rpID,
    challenge: ownBytes(deps.randomBytes(challengeBytes)),
    userVerification: 'required',
    ...(userId !== null && { allowCredentials: [...passkeys] }),
  })
  const { token } = await signStepToken(deps, 'passkey-sign-in', { userId, value: options.challenge })
  return { options, challengeToken: token }
}

type NewPasskeyUser = { readonly id: number; readonly name: string; readonly email: string }

/** Options to create a passkey that signs in without a password. */
export const passkeyCreationOptions = async (
  deps: Deps,
  { user, passkeys }: { readonly user: NewPasskeyUser; readonly passkeys: readonly KnownPasskey[] },
): Promise<PasskeyOptions> => {
  const { rpID, rpName } = relyingParty(deps)
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userID: userHandle(user.id),
    userName: user.email,
    userDisplayName: user.name,
    challenge: ownBytes(deps.randomBytes(challengeBytes)),
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: [...passkeys],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const { token } = await signStepToken(deps, 'passkey-registration', { userId: user.id, value: options.challenge })
  return { options, challengeToken: token }
}

/** The library throws for each credential that it does not accept. */
const acceptedOrUndefined = async <Result>(verify: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

const expectedFrom = (deps: Deps, challenge: string) => {
  const { rpID, origin } = relyingParty(deps)
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }
}

/** The public key of a new passkey; undefined for a credential that is not valid for this challenge. */
export const verifyNewPasskey = async (
  deps: Deps,
  challenge: string,
  credential: NewCredential,
): Promise<WebAuthnCredential | undefined> => {
  const response = { ...credential, clientExtensionResults: {} } as Parameters<
    typeof verifyRegistrationResponse
  >[0]['response'] // the library checks what the struct leaves open
  const verified = await acceptedOrUndefined(() =>
    verifyRegistrationResponse({ response, supportedAlgorithmIDs, ...expectedFrom(deps, challenge) }),
  )
  return verified?.registrationInfo?.credential
}

/** A stored passkey. */
export type StoredPasskey = { readonly credentialId: string; readonly publicKey: string; readonly signCount: number }

/**
 * The new sign count of an assertion; undefined if it is not valid for this challenge and passkey. A count that did not
 * grow is refused, because the passkey may have been copied.
 */
export const verifyAssertion = async (
  deps: Deps,
  challenge: string,
  { credential, passkey }: { readonly credential: Assertion; readonly passkey: StoredPasskey },
): Promise<number | undefined> => {
  const verified = await acceptedOrUndefined(() =>
    verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      ...expectedFrom(deps, challenge),
      credential: {
        id: passkey.credentialId,
        publicKey: ownBytes(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.signCount,
      },
    }),
  )
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}
