import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import { newPassword } from '#domain/studio/user-account.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { hashPassword, verifyPassword } from '../credentials/verify-password.ts'
import { endAllAccess } from '../tokens/revoke-refresh-tokens.ts'
import { enabledAccounts } from '../tokens/token-pair.ts'

type PasswordChange = {
  readonly userId: number
  readonly address: string
  readonly currentPassword: string
  readonly newPassword: string
  /** The token of the device, whose own sign-in stays valid. */
  readonly refreshToken: string
}

const rejectField = (field: string, message: string): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields: { [field]: [message] } })

/** Changes the password of a signed-in user who knows the current one; ends all their other sign-ins and their API tokens. */
export const changePassword = async (
  deps: Deps,
  { userId, address, refreshToken, ...passwords }: PasswordChange,
): Promise<Record<string, never> | Problem<'not-signed-in' | 'refused' | 'slow-down'>> => {
  const account = await enabledAccounts(deps.db).where('id', '=', userId).executeTakeFirst()
  if (!account) return problem('not-signed-in')
  const fields = validate({ ...passwords, email: account.email }, { newPassword: newPassword() })
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  const verified = await verifyPassword(deps, { email: account.email, password: passwords.currentPassword, address })
  if (verified instanceof Problem) return verified
  if (!verified) return rejectField('currentPassword', 'This is not your password')
  const password_hash = await hashPassword(passwords.newPassword)
  await inTransaction(deps.db, async (tx) => {
    await tx
      .updateTable('users')
      .set(({ eb }) => ({ password_hash, updated_at: deps.clock(), version: eb('version', '+', 1) }))
      .where('id', '=', userId)
      .execute()
    await endAllAccess(tx, deps, { userId, exceptToken: refreshToken })
    const studioId = account.studio_id
    await recordAudit(tx, deps, {
      studioId,
      action: 'user.password-changed',
      entityId: String(userId),
      detail: {},
      userId,
    })
  })
  return {}
}
