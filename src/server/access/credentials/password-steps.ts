import type { SignInAnswer } from '#contract/system/auth.ts'
import { closedMessage, readMaintenancePlan } from '#server/configuration/maintenance-plan.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { type Account, enabledAccounts, signInAs } from '../tokens/token-pair.ts'
import { readSecondFactors, type SecondFactors } from './second-factors.ts'
import { readStepToken, type Step, type StepPurpose, signStepToken } from './step-tokens.ts'

/** Why a user cannot sign in at the moment. During maintenance only administrators can, whatever they sign in with. */
export const maintenanceRefusal = async (
  deps: Deps,
  { role }: Pick<Account, 'role'>,
): Promise<Problem<'maintenance'> | undefined> => {
  if (role === 'administrator') return undefined
  const message = closedMessage(deps, await readMaintenancePlan(deps.db))
  return message === undefined ? undefined : problem('maintenance', message)
}

/** The purposes whose token proves that the password was just checked. */
export type PasswordPurpose = 'second-factor' | 'set-up' | 'manage'

/** A step after the password, and its user. */
export type PasswordStep = Step & { readonly account: Account }

/** What identifies the password, so that a token of a step is refused after the password changed. */
const fingerprintOf = ({ password_hash }: { readonly password_hash: string | null }): string =>
  hashOf(password_hash ?? '').slice(0, 16)

/** Signs the token of a step after the password. */
export const startPasswordStep = async (
  deps: Deps,
  purpose: PasswordPurpose,
  account: Account & { readonly password_hash: string | null },
): Promise<{ stepToken: string; expiration: string }> => {
  const { token: stepToken, expiration } = await signStepToken(deps, purpose, {
    userId: account.id,
    value: fingerprintOf(account),
  })
  return { stepToken, expiration }
}

const readPurposes = async (deps: Deps, purposes: readonly StepPurpose[], token: string): Promise<Step | undefined> => {
  const steps = await Promise.all(purposes.map((purpose) => readStepToken(deps, purpose, token)))
  return steps.find((step) => step !== undefined)
}

/** The answer to a token that expired, was used, or was signed before the user's password or sign-ins changed. */
export const stepExpired = (): Problem<'invalid-token'> =>
  problem('invalid-token', 'This took too long. Please start again')

/** Reads a step after the password; a problem if its token is not valid any more, or maintenance began after the password. */
export const readPasswordStep = async (
  deps: Deps,
  purposes: readonly PasswordPurpose[],
  token: string,
): Promise<PasswordStep | Problem<'invalid-token' | 'maintenance'>> => {
  const step = await readPurposes(deps, purposes, token)
  if (!step) return stepExpired()
  const account = await enabledAccounts(deps.db)
    .where('id', '=', step.userId)
    .where((eb) => eb.or([eb('sessions_ended_at', 'is', null), eb('sessions_ended_at', '<=', step.issuedAt)]))
    .executeTakeFirst()
  if (!account || fingerprintOf(account) !== step.value) return stepExpired()
  return (await maintenanceRefusal(deps, account)) ?? { ...step, account }
}

/** Reads a step that changes the two-factor sign-in of the signed-in user. */
export const readOwnStep = async (
  deps: Deps,
  { token, userId }: { readonly token: string; readonly userId: number },
): Promise<PasswordStep | Problem<'invalid-token' | 'maintenance'>> => {
  const step = await readPasswordStep(deps, ['manage'], token)
  return 'account' in step && step.account.id !== userId ? stepExpired() : step
}

const methodsOf = ({ hasAuthenticator, hasPasskey, recoveryCodesLeft }: SecondFactors) => [
  ...(hasAuthenticator ? ['authenticator' as const] : []),
  ...(hasPasskey ? ['passkey' as const] : []),
  ...(recoveryCodesLeft > 0 ? ['recovery-code' as const] : []),
]

/**
 * Continues a sign-in after the password: with the second factor if the user has one, with setting one up if they must
 * have one, or else with the tokens.
 */
export const continueAfterPassword = async (
  deps: Deps,
  tx: Transaction,
  account: Account & { readonly password_hash: string | null },
): Promise<SignInAnswer> => {
  const factors = await readSecondFactors(tx, account.id)
  if (factors.hasAny) {
    const token = await startPasswordStep(deps, 'second-factor', account)
    return { step: 'second-factor', ...token, methods: methodsOf(factors) }
  }
  if (!factors.isRequired) return await signInAs(deps, tx, account)
  return { step: 'set-up', ...(await startPasswordStep(deps, 'set-up', account)), methods: [] }
}
