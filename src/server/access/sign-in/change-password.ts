import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import { newPassword } from '#domain/studio/password-rules.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { endSignIns } from '../tokens/revoke-refresh-tokens.ts'
import { hashPassword } from './hash-password.ts'
import { enabledAccounts } from './token-pair.ts'
import { verifyPassword } from './verify-password.ts'

type Change = {
  readonly userId: number
  readonly address: string
  readonly currentPassword: string
  readonly newPassword: string
  /** The device's own token: its sign-in stays valid. */
  readonly refreshToken: string
}

const refusedAt = (field: string, sentence: string): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields: { [field]: [sentence] } })

/** Changes the password of a signed-in user who knows the current one; ends all their other sign-ins. */
export const changePassword = async (
  deps: Deps,
  { userId, address, refreshToken, ...typed }: Change,
): Promise<Record<string, never> | Problem<'not-signed-in' | 'refused' | 'slow-down'>> => {
  const account = await enabledAccounts(deps.db).where('id', '=', userId).executeTakeFirst()
  if (!account) return problem('not-signed-in')
  const fields = validate({ ...typed, email: account.email }, { newPassword: newPassword() })
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  const known = await verifyPassword(deps, { email: account.email, password: typed.currentPassword, address })
  if (known instanceof Problem) return known
  if (!known) return refusedAt('currentPassword', 'This is not your password')
  const password_hash = await hashPassword(typed.newPassword)
  await inTransaction(deps.db, async (tx) => {
    await tx
      .updateTable('users')
      .set(({ eb }) => ({ password_hash, updated_at: deps.clock(), version: eb('version', '+', 1) }))
      .where('id', '=', userId)
      .execute()
    await endSignIns(tx, deps, { userId, but: refreshToken })
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
