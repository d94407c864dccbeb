import type { NewCredential, SetUpResult } from '#contract/system/two-factor.ts'
import { maxPasskeys, type SecurityChange } from '#domain/studio/two-factor.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { qrCodeSvg } from '#server/http/markup.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { type PasswordStep, readPasswordStep, stepExpired } from '../credentials/password-steps.ts'
import { lockUser, readSecondFactors } from '../credentials/second-factors.ts'
import { readStepToken, type Step, signStepToken, spendStep } from '../credentials/step-tokens.ts'
import { endSignIns } from '../tokens/revoke-refresh-tokens.ts'
import { signInAs } from '../tokens/token-pair.ts'
import { authenticatorUri, newAuthenticatorKey, stepOfCode, storeAuthenticatorKey } from './authenticator-codes.ts'
import { passkeyCreationOptions, verifyNewPasskey } from './passkey-ceremonies.ts'
import { listKnownPasskeys, trimPasskeyName } from './passkeys.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { recordSecurityChange } from './security-emails.ts'
import { wrongCode } from './verify-second-factor.ts'

type SetUpProblem = Problem<'invalid-token' | 'refused' | 'maintenance'>

/** Reads a step that may add a second factor: a sign-in that needs one, or a change by the signed-in user. */
const readSetUpStep = (deps: Deps, token: string) => readPasswordStep(deps, ['set-up', 'manage'], token)

/** A new key for an authenticator app. It is stored only after a correct code. */
export const startAuthenticatorSetUp = async (deps: Deps, stepToken: string) => {
  const step = await readSetUpStep(deps, stepToken)
  if (step instanceof Problem) return step
  const { id: userId, email } = step.account
  const key = newAuthenticatorKey(deps)
  const uri = authenticatorUri(email, key)
  const { token: keyToken } = await signStepToken(deps, 'authenticator-key', { userId, value: key })
  return { key, uri, qrCode: qrCodeSvg(uri), keyToken }
}

type SetUp = {
  readonly step: PasswordStep
  /** The step with the new key or the challenge; it works once. */
  readonly part: Step
  /** The device's own sign-in. */
  readonly refreshToken: string | undefined
  readonly change: SecurityChange
  readonly detail?: string
  /** Stores the second factor; a problem if it cannot be added. */
  readonly store: (tx: Transaction) => Promise<Problem<'refused'> | undefined>
}

/**
 * Adds a second factor. The first one comes with recovery codes. All other sign-ins of the user end, because they were
 * made without it. A sign-in that needed it gets its tokens.
 */
const addSecondFactor = (
  deps: Deps,
  { step, part, refreshToken, change, detail, store }: SetUp,
): Promise<SetUpResult | SetUpProblem> =>
  inTransaction(deps.db, async (tx) => {
    const { account } = step
    const isSignIn = step.purpose === 'set-up'
    await lockUser(tx, account.id)
    const { hasAny } = await readSecondFactors(tx, account.id)
    // Someone who knows only the password must not add a second factor next to that of the user.
    if (isSignIn && hasAny) return stepExpired()
    const isFresh = (await spendStep(tx, part)) && (!isSignIn || (await spendStep(tx, step)))
    if (!isFresh) return stepExpired()
    const rejection = await store(tx)
    if (rejection) return rejection
    const user = { id: account.id, studioId: account.studio_id }
    await recordSecurityChange(tx, deps, { user, change, actorId: account.id, ...(detail !== undefined && { detail }) })
    await endSignIns(tx, deps, { userId: account.id, ...(refreshToken !== undefined && { exceptToken: refreshToken }) })
    const recoveryCodes = hasAny ? null : await makeRecoveryCodes(tx, deps, account.id)
    return { recoveryCodes, tokens: isSignIn ? await signInAs(deps, tx, account) : null }
  })

type AuthenticatorSetUp = {
  readonly stepToken: string
  readonly keyToken: string
  readonly code: string
  readonly refreshToken?: string | undefined
}

/** Enables an authenticator app after a correct code. */
export const confirmAuthenticatorSetUp = async (
  deps: Deps,
  { stepToken, keyToken, code, refreshToken }: AuthenticatorSetUp,
): Promise<SetUpResult | SetUpProblem> => {
  const step = await readSetUpStep(deps, stepToken)
  if (step instanceof Problem) return step
  const part = await readStepToken(deps, 'authenticator-key', keyToken)
  const userId = step.account.id
  if (part?.userId !== userId) return stepExpired()
  const usedStep = stepOfCode(part.value, code, deps.clock())
  if (usedStep === undefined) return wrongCode('authenticator')
  const store = async (tx: Transaction) => {
    await storeAuthenticatorKey(tx, deps, { userId, key: part.value, usedStep })
    return undefined
  }
  return await addSecondFactor(deps, { step, part, refreshToken, change: 'authenticator-added', store })
}

/** Options for the browser's dialog that creates a passkey. */
export const startPasskeySetUp = async (deps: Deps, stepToken: string) => {
  const step = await readSetUpStep(deps, stepToken)
  if (step instanceof Problem) return step
  const passkeys = await listKnownPasskeys(deps.db, step.account.id)
  return await passkeyCreationOptions(deps, { user: step.account, passkeys })
}

type PasskeySetUp = {
  readonly stepToken: string
  readonly challengeToken: string
  readonly name: string
  readonly credential: NewCredential
  readonly refreshToken?: string | undefined
}

/** Adds the passkey that the browser created. */
export const confirmPasskeySetUp = async (
  deps: Deps,
  { stepToken, challengeToken, name: typedName, credential, refreshToken }: PasskeySetUp,
): Promise<SetUpResult | SetUpProblem> => {
  const step = await readSetUpStep(deps, stepToken)
  if (step instanceof Problem) return step
  const name = trimPasskeyName(typedName)
  if (name instanceof Problem) return name
  const part = await readStepToken(deps, 'passkey-registration', challengeToken)
  const userId = step.account.id
  if (part?.userId !== userId) return stepExpired()
  const created = await verifyNewPasskey(deps, part.value, credential)
  if (!created) return problem('refused', 'This passkey could not be checked. Please try again')
  const store = async (tx: Transaction) => {
    if ((await listKnownPasskeys(tx, userId)).length >= maxPasskeys) {
      return problem('refused', `You have ${maxPasskeys} passkeys. Remove one first`)
    }
    const stored = await tx
      .insertInto('passkeys')
      .values({
        ...{ user_id: userId, credential_id: created.id, name, sign_count: created.counter },
        public_key: Buffer.from(created.publicKey).toString('base64url'),
        transports: JSON.stringify(credential.response.transports ?? []),
        created_at: deps.clock(),
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return stored ? undefined : problem('refused', 'This passkey was added before')
  }
  return await addSecondFactor(deps, { step, part, refreshToken, change: 'passkey-added', detail: name, store })
}
