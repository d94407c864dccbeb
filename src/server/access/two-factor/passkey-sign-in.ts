import type { TokenPair } from '#contract/system/auth.ts'
import type { Assertion } from '#contract/system/two-factor.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { maintenanceRefusal, readPasswordStep, stepExpired } from '../credentials/password-steps.ts'
import { readStepToken, spendStep } from '../credentials/step-tokens.ts'
import { enabledAccounts, signInAs } from '../tokens/token-pair.ts'
import { passkeySignInOptions, verifyAssertion } from './passkey-ceremonies.ts'
import { listKnownPasskeys } from './passkeys.ts'

/** Starts a sign-in with a passkey. Without a step after a password, the device offers its passkeys of any user. */
export const startPasskeySignIn = async (deps: Deps, stepToken: string | undefined) => {
  if (stepToken === undefined) return await passkeySignInOptions(deps, { userId: null, passkeys: [] })
  const step = await readPasswordStep(deps, ['second-factor'], stepToken)
  if (step instanceof Problem) return step
  const userId = step.account.id
  return await passkeySignInOptions(deps, { userId, passkeys: await listKnownPasskeys(deps.db, userId) })
}

const refused = (): Problem<'refused'> =>
  problem('refused', 'This passkey does not work here. Log in with your password, and check your passkeys')

const findPasskey = ({ db }: Deps, credentialId: string) =>
  db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.user_id', 'p.credential_id as credentialId', 'p.public_key as publicKey'])
    .select(['p.sign_count as signCount', 'u.role'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()

/** Signs in with a passkey. Its signature cannot be guessed, so that attempts are not counted. */
export const signInWithPasskey = async (
  deps: Deps,
  { challengeToken, credential }: { readonly challengeToken: string; readonly credential: Assertion },
): Promise<TokenPair | Problem<'invalid-token' | 'refused' | 'maintenance'>> => {
  const challenge = await readStepToken(deps, 'passkey-sign-in', challengeToken)
  if (!challenge) return stepExpired()
  const passkey = await findPasskey(deps, credential.id)
  if (!passkey || (challenge.userId !== null && challenge.userId !== passkey.user_id)) return refused()
  const signCount = await verifyAssertion(deps, challenge.value, { credential, passkey })
  if (signCount === undefined) return refused()
  const closed = await maintenanceRefusal(deps, passkey)
  if (closed) return closed
  return await inTransaction(deps.db, async (tx) => {
    if (!(await spendStep(tx, challenge))) return stepExpired()
    const account = await enabledAccounts(tx).where('id', '=', passkey.user_id).executeTakeFirst()
    const used = await tx
      .updateTable('passkeys')
      .set({ sign_count: signCount, last_used_at: deps.clock() })
      .where('id', '=', passkey.id)
      // Another use of the same passkey at the same time has changed the count.
      .where('sign_count', '=', passkey.signCount)
      .returning('id')
      .executeTakeFirst()
    return account && used ? await signInAs(deps, tx, account) : refused()
  })
}
