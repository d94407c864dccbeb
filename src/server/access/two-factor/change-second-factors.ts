import type { TwoFactor } from '#contract/system/two-factor.ts'
import { fixFieldsMessage } from '#domain/shared/validators.ts'
import type { SecurityChange } from '#domain/studio/two-factor.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { readOwnStep, startPasswordStep } from '../credentials/password-steps.ts'
import { lockUser, readSecondFactors } from '../credentials/second-factors.ts'
import { verifyPassword } from '../credentials/verify-password.ts'
import type { User } from '../tokens/access-token.ts'
import { enabledAccounts } from '../tokens/token-pair.ts'
import { listPasskeys } from './passkeys.ts'
import { deleteRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts'
import { recordSecurityChange } from './security-emails.ts'

/** The two-factor sign-in of a user. */
export const readTwoFactor = async ({ db }: Deps, userId: number): Promise<TwoFactor> => {
  const { hasAuthenticator, recoveryCodesLeft, isRequired } = await readSecondFactors(db, userId)
  return { hasAuthenticator, recoveryCodesLeft, isRequired, passkeys: await listPasskeys(db, userId) }
}

/** Checks the password of a signed-in user again, and allows changes for some minutes. */
export const authorizeChange = async (
  deps: Deps,
  { userId, password, address }: { readonly userId: number; readonly password: string; readonly address: string },
): Promise<{ stepToken: string; expiration: string } | Problem<'not-signed-in' | 'refused' | 'slow-down'>> => {
  const account = await enabledAccounts(deps.db).where('id', '=', userId).executeTakeFirst()
  if (!account) return problem('not-signed-in')
  const verified = await verifyPassword(deps, { email: account.email, password, address })
  if (verified instanceof Problem) return verified
  if (verified?.id !== userId) {
    return problem('refused', fixFieldsMessage, { fields: { password: ['This is not your password'] } })
  }
  return await startPasswordStep(deps, 'manage', verified)
}

type OwnChange = { readonly user: User; readonly stepToken: string }

/** Makes new recovery codes for a user who has a second factor. */
export const replaceRecoveryCodes = async (
  deps: Deps,
  { user, stepToken }: OwnChange,
): Promise<{ recoveryCodes: string[] } | Problem<'invalid-token' | 'refused' | 'maintenance'>> => {
  const step = await readOwnStep(deps, { token: stepToken, userId: user.id })
  if (step instanceof Problem) return step
  return await inTransaction(deps.db, async (tx) => {
    await lockUser(tx, user.id)
    const { hasAny } = await readSecondFactors(tx, user.id)
    if (!hasAny) return problem('refused', 'Set up an authenticator app or a passkey first')
    await recordSecurityChange(tx, deps, { user, change: 'recovery-codes-made', actorId: user.id })
    return { recoveryCodes: await makeRecoveryCodes(tx, deps, user.id) }
  })
}

const requiredMessage = 'You must have two-factor sign-in. Set up another way first, then remove this one'

type Removal = OwnChange & {
  /** How many second factors the user has after the removal; their kinds do not matter. */
  readonly remainsAfter: (factors: { hasAuthenticator: boolean; passkeyCount: number }) => boolean
  readonly change: SecurityChange
  /** Removes it and returns its name; undefined if there was none. */
  readonly remove: (tx: Transaction) => Promise<string | undefined>
}

/** Removes a second factor, unless it is the last one of a user who must have one. The last one takes the codes along. */
const removeSecondFactor = async (
  deps: Deps,
  { user, stepToken, remainsAfter, change, remove }: Removal,
): Promise<undefined | Problem<'invalid-token' | 'not-found' | 'refused' | 'maintenance'>> => {
  const step = await readOwnStep(deps, { token: stepToken, userId: user.id })
  if (step instanceof Problem) return step
  return await inTransaction(deps.db, async (tx) => {
    await lockUser(tx, user.id)
    const { hasAuthenticator, isRequired } = await readSecondFactors(tx, user.id)
    const keys = await tx.selectFrom('passkeys').select('id').where('user_id', '=', user.id).execute()
    const remains = remainsAfter({ hasAuthenticator, passkeyCount: keys.length })
    if (isRequired && !remains) return problem('refused', requiredMessage)
    const detail = await remove(tx)
    if (detail === undefined) return problem('not-found')
    if (!remains) await deleteRecoveryCodes(tx, user.id)
    await recordSecurityChange(tx, deps, { user, change, detail, actorId: user.id })
    return undefined
  })
}

type RemovalProblem = Problem<'invalid-token' | 'not-found' | 'refused' | 'maintenance'>

/** Removes the authenticator app of the signed-in user. */
export const removeAuthenticator = (deps: Deps, ownChange: OwnChange): Promise<undefined | RemovalProblem> =>
  removeSecondFactor(deps, {
    ...ownChange,
    change: 'authenticator-removed',
    remainsAfter: ({ passkeyCount }) => passkeyCount > 0,
    remove: async (tx) => {
      const query = tx.deleteFrom('totp_secrets').where('user_id', '=', ownChange.user.id).returning('user_id')
      return (await query.executeTakeFirst()) && ''
    },
  })

/** Removes a passkey of the signed-in user. */
export const removePasskey = (
  deps: Deps,
  { passkeyId, ...ownChange }: OwnChange & { readonly passkeyId: number },
): Promise<undefined | RemovalProblem> =>
  removeSecondFactor(deps, {
    ...ownChange,
    change: 'passkey-removed',
    remainsAfter: ({ hasAuthenticator, passkeyCount }) => hasAuthenticator || passkeyCount > 1,
    remove: async (tx) => {
      const query = tx.deleteFrom('passkeys').where('id', '=', passkeyId).where('user_id', '=', ownChange.user.id)
      return (await query.returning('name').executeTakeFirst())?.name
    },
  })
