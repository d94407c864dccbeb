import { email as emailRule } from '#domain/shared/validators.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { deleteSecondFactors } from '../credentials/second-factors.ts'
import { createResetLink } from './password-reset-links.ts'

type AdministratorDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'settings' | 'address'>

const checkEmail = emailRule<{ email: string }>()

const findOrCreateAccount = async (tx: Transaction, email: string): Promise<number | Problem<'refused'>> => {
  const query = tx.selectFrom('users').select(['id', 'role']).where('email', '=', email).where('removed_at', 'is', null)
  const user = await query.forUpdate().executeTakeFirst()
  if (user && user.role !== 'administrator') {
    return problem('refused', `${email} belongs to a user of a studio. Please use another email for the administrator`)
  }
  if (user) return user.id
  const created = await tx
    .insertInto('users')
    .values({ email, name: email, role: 'administrator', studio_id: null, password_hash: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return created.id
}

/**
 * Creates an administrator of the platform, or finds the one with this email, and returns a link to choose a password:
 * no one else can invite the first administrator. The email of a studio's user is refused.
 * `removesSecondFactor`: also removes the second factor of one who lost it, when no other administrator can.
 */
export const createAdministrator = (
  deps: AdministratorDeps,
  enteredEmail: string,
  { removesSecondFactor = false } = {},
): Promise<string | Problem<'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const email = enteredEmail.trim().toLowerCase()
    const message = checkEmail(email, { email })
    if (message !== null) return problem('refused', message)
    const userId = await findOrCreateAccount(tx, email)
    if (typeof userId !== 'number') return userId
    // Enables a disabled administrator, because the operator of the server may do so.
    await tx.updateTable('users').set({ disabled_at: null }).where('id', '=', userId).execute()
    const entry = { studioId: null, entityId: String(userId), detail: {}, userId: null }
    await recordAudit(tx, deps, { ...entry, action: 'administrator.link-created' })
    if (removesSecondFactor) {
      await deleteSecondFactors(tx, deps, userId)
      await recordAudit(tx, deps, { ...entry, action: 'user.second-factor-reset' })
    }
    return await createResetLink(tx, deps, userId)
  })
