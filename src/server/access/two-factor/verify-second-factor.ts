import type { TokenPair } from '#contract/system/auth.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import {
  bruteForceGuard,
  countTargetFailures,
  type GuessAttempt,
  unthrottledFailures,
} from '../brute-force/brute-force-guard.ts'
import { type PasswordStep, readPasswordStep, stepExpired } from '../credentials/password-steps.ts'
import { readSecondFactors } from '../credentials/second-factors.ts'
import { spendStep } from '../credentials/step-tokens.ts'
import { type Account, signInAs } from '../tokens/token-pair.ts'
import { spendAuthenticatorCode } from './authenticator-codes.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { recordSecurityChange } from './security-emails.ts'

/** A typed code, and what it is a code of. */
type TypedCode = { readonly method: 'authenticator' | 'recovery-code'; readonly code: string }

const messages = {
  authenticator: 'This code is not valid. Please use the one your app shows now',
  'recovery-code': 'This recovery code is not valid, or was used before',
} as const satisfies Record<TypedCode['method'], string>

/** The refusal of a wrong code, at its field. */
export const wrongCode = (method: TypedCode['method']): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields: { code: [messages[method]] } })

/** Uses a code, and notifies the user of a used recovery code. */
const spendCode = async (
  tx: Transaction,
  deps: Deps,
  { account, method, code }: TypedCode & Pick<PasswordStep, 'account'>,
): Promise<boolean> => {
  const { id: userId, studio_id: studioId } = account
  if (method === 'authenticator') return await spendAuthenticatorCode(tx, deps, { userId, code })
  if (!(await spendRecoveryCode(tx, deps, { userId, code }))) return false
  const { recoveryCodesLeft } = await readSecondFactors(tx, userId)
  const change = 'recovery-code-used'
  const detail = String(recoveryCodesLeft)
  await recordSecurityChange(tx, deps, { user: { id: userId, studioId }, change, detail, actorId: userId })
  return true
}

/** Notifies a user whose codes are guessed: the caller knows their password. Once, when attempts begin to be slowed. */
const reportGuessing = async (deps: Deps, attempt: GuessAttempt, account: Account): Promise<void> => {
  if ((await countTargetFailures(deps, attempt)) !== unthrottledFailures) return
  const user = { id: account.id, studioId: account.studio_id }
  await inTransaction(deps.db, (tx) => recordSecurityChange(tx, deps, { user, change: 'codes-guessed', actorId: null }))
}

/** Finishes a sign-in after the password with a code. Wrong codes are slowed by account and address, never locked. */
export const verifySecondFactor = async (
  deps: Deps,
  { stepToken, address, ...typed }: TypedCode & { readonly stepToken: string; readonly address: string },
): Promise<TokenPair | Problem<'invalid-token' | 'refused' | 'slow-down' | 'maintenance'>> => {
  const step = await readPasswordStep(deps, ['second-factor'], stepToken)
  if (step instanceof Problem) return step
  const { account } = step
  const attempt = { kind: 'second-factor', targets: [String(account.id)], address } as const
  const outcome = await bruteForceGuard(deps, attempt, () =>
    inTransaction(deps.db, async (tx) => {
      if (!(await spendCode(tx, deps, { account, ...typed }))) return undefined
      return (await spendStep(tx, step)) ? await signInAs(deps, tx, account) : stepExpired()
    }),
  )
  if (outcome) return outcome
  await reportGuessing(deps, attempt, account)
  return wrongCode(typed.method)
}
