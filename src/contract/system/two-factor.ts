import { array, boolean, enums, type Infer, nullable, object, optional, size, string, type } from 'superstruct'
import { maxPasskeyNameLength } from '#domain/studio/two-factor.ts'
import { call } from '../shapes/call.ts'
import { Count, Id, Instant } from '../shapes/primitives.ts'
import { withId } from '../shapes/resource.ts'
import { owners, readProblems, studioParams, studioPath, writeProblems } from '../shapes/staff-call.ts'
import { TokenPair } from './auth.ts'
import { endUserSessions } from './platform-users.ts'

// Calls with a `stepToken` have no other sign-in: the token proves that the password was just checked.

const StepToken = size(string(), 1, 2000)
const ShortCode = size(string(), 1, 40)
const Base64Url = size(string(), 1, 20_000)

/** Proves the second factor after the password. A wrong code is refused at `code`; an expired step is `invalid-token`. */
export const verifySecondFactor = call({
  method: 'POST',
  path: '/api/auth/second-factor',
  who: 'anyone',
  body: object({ stepToken: StepToken, method: enums(['authenticator', 'recovery-code']), code: ShortCode }),
  answer: TokenPair,
  problems: ['invalid-token', 'refused'],
})

/** The options of the browser's passkey dialog, as `@simplewebauthn` defines them, and the token of their challenge. */
const PasskeyChallenge = type({ options: type({ challenge: string() }), challengeToken: string() })

/** Starts a sign-in with a passkey: after the password with its token, or without a password. */
export const startPasskeySignIn = call({
  ...verifySecondFactor,
  path: '/api/auth/passkey/options',
  body: object({ stepToken: optional(StepToken) }),
  answer: PasskeyChallenge,
  problems: ['invalid-token'],
})

// Browsers add members to a credential, so these are not strict.
const Assertion = type({
  id: Base64Url,
  rawId: Base64Url,
  type: enums(['public-key']),
  response: type({ clientDataJSON: Base64Url, authenticatorData: Base64Url, signature: Base64Url }),
})
export type Assertion = Infer<typeof Assertion>

const NewCredential = type({
  id: Base64Url,
  rawId: Base64Url,
  type: enums(['public-key']),
  response: type({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: optional(size(array(size(string(), 1, 20)), 0, 10)),
  }),
})
export type NewCredential = Infer<typeof NewCredential>

/** Signs in with a passkey, which counts as both factors because its device verifies the user. */
export const signInWithPasskey = call({
  ...verifySecondFactor,
  path: '/api/auth/passkey',
  body: object({ challengeToken: StepToken, credential: Assertion }),
})

/** Starts to set up an authenticator app: its key as text, as a URI, and as a QR code in SVG. */
export const startAuthenticatorSetUp = call({
  ...verifySecondFactor,
  path: '/api/auth/set-up/authenticator',
  body: object({ stepToken: StepToken }),
  answer: type({ key: string(), uri: string(), qrCode: string(), keyToken: string() }),
})

/**
 * A second factor was set up: the recovery codes if it is the first, and the tokens of the sign-in that needed it. They
 * are never shown again.
 */
export const SetUpResult = type({ recoveryCodes: nullable(array(string())), tokens: nullable(TokenPair) })
export type SetUpResult = Infer<typeof SetUpResult>

/** The token of the device, whose own sign-in stays; all other sign-ins of the user end. */
const ownSignIn = { refreshToken: optional(size(string(), 1, 500)) }

/** Enables an authenticator app after a correct code. It replaces the previous app. */
export const confirmAuthenticatorSetUp = call({
  ...startAuthenticatorSetUp,
  path: '/api/auth/set-up/authenticator/confirm',
  body: object({ stepToken: StepToken, keyToken: StepToken, code: ShortCode, ...ownSignIn }),
  answer: SetUpResult,
})

export const startPasskeySetUp = call({
  ...startAuthenticatorSetUp,
  path: '/api/auth/set-up/passkey',
  answer: PasskeyChallenge,
})

const PasskeyName = size(string(), 1, maxPasskeyNameLength)

/** Adds the passkey that the browser made. */
export const confirmPasskeySetUp = call({
  ...startAuthenticatorSetUp,
  path: '/api/auth/set-up/passkey/confirm',
  body: object({
    stepToken: StepToken,
    challengeToken: StepToken,
    name: PasskeyName,
    credential: NewCredential,
    ...ownSignIn,
  }),
  answer: SetUpResult,
})

/** A passkey of the signed-in user. */
export const Passkey = type({ id: Id, name: string(), createdAt: Instant, lastUsedAt: nullable(Instant) })
export type Passkey = Infer<typeof Passkey>

/** The two-factor sign-in of the signed-in user. */
export const TwoFactor = type({
  hasAuthenticator: boolean(),
  passkeys: array(Passkey),
  recoveryCodesLeft: Count,
  /** Required by the studio, or because they are an administrator. */
  isRequired: boolean(),
})
export type TwoFactor = Infer<typeof TwoFactor>

export const getTwoFactor = call({
  method: 'GET',
  path: '/api/account/two-factor',
  who: 'signed-in',
  answer: TwoFactor,
  problems: ['not-signed-in'],
})

/** Checks the password of the signed-in user again. The token allows changes to their two-factor sign-in. */
export const authorizeTwoFactorChange = call({
  method: 'POST',
  path: '/api/account/two-factor/authorize',
  who: 'signed-in',
  body: object({ password: size(string(), 1, 1000) }),
  answer: type({ stepToken: string(), expiration: Instant }),
  problems: ['not-signed-in', 'refused'],
})

/** Makes new recovery codes; the old ones stop working. */
export const replaceRecoveryCodes = call({
  ...authorizeTwoFactorChange,
  path: '/api/account/two-factor/recovery-codes',
  body: object({ stepToken: StepToken }),
  answer: type({ recoveryCodes: array(string()) }),
  problems: ['not-signed-in', 'invalid-token', 'refused'],
})

/** Removes the authenticator app. The last second factor cannot be removed while one is required. */
export const removeAuthenticator = call({
  ...replaceRecoveryCodes,
  path: '/api/account/two-factor/authenticator/remove',
  answer: type({}),
  problems: ['not-signed-in', 'invalid-token', 'not-found', 'refused'],
})

const passkeyParams = object({ passkeyId: Id })

export const renamePasskey = call({
  method: 'PATCH',
  path: '/api/account/passkeys/:passkeyId',
  who: 'signed-in',
  params: passkeyParams,
  body: object({ name: PasskeyName }),
  answer: Passkey,
  problems: ['not-signed-in', 'not-found', 'refused'],
})

/** Removes a passkey, with the same exception. */
export const removePasskey = call({
  ...removeAuthenticator,
  path: '/api/account/passkeys/:passkeyId/remove',
  params: passkeyParams,
})

/** Removes every second factor of a user who lost theirs, and ends their sign-ins. Nobody can reset their own. */
export const resetSecondFactor = call({
  method: 'DELETE',
  path: `${studioPath}/users/:id/second-factor`,
  who: owners,
  params: object(withId(studioParams)),
  answer: type({}),
  problems: writeProblems,
})

/** The same for a user of any studio, or another administrator. */
export const resetPlatformSecondFactor = call({
  ...endUserSessions,
  method: 'DELETE',
  path: '/api/admin/users/:id/second-factor',
})

/** Whether a studio requires two-factor sign-in, and how many of those who may sign in have none yet. */
export const TwoFactorPolicy = type({ isRequired: boolean(), userCount: Count, withoutCount: Count })
export type TwoFactorPolicy = Infer<typeof TwoFactorPolicy>

export const getTwoFactorPolicy = call({
  method: 'GET',
  path: `${studioPath}/two-factor`,
  who: owners,
  params: object(studioParams),
  answer: TwoFactorPolicy,
  problems: readProblems,
})

/** Takes effect at each user's next sign-in or refresh. An owner who requires it must have a second factor. */
export const putTwoFactorPolicy = call({
  ...getTwoFactorPolicy,
  method: 'PUT',
  body: object({ isRequired: boolean() }),
  problems: writeProblems,
})
