import { email as emailRule } from '#domain/shared/validators.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { createResetLink } from './password-reset-links.ts'

type AdministratorDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'settings' | 'address'>

const isAddress = emailRule<{ email: string }>()

const accountOf = async (tx: Transaction, email: string): Promise<number | Problem<'refused'>> => {
  const there = tx.selectFrom('users').select(['id', 'role']).where('email', '=', email).where('removed_at', 'is', null)
  const known = await there.forUpdate().executeTakeFirst()
  if (known && known.role !== 'administrator') {
    return problem('refused', `${email} signs in for a studio. Administrators have an address of their own`)
  }
  if (known) return known.id
  const made = await tx
    .insertInto('users')
    .values({ email, name: email, role: 'administrator', studio_id: null, password_hash: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/**
 * Makes a user an administrator of the platform and returns a link to choose a password: the first administrator has no one to be invited
 * by. An existing administrator gets a new link, because the caller has access to the database anyway.
 */
export const createAdministrator = (deps: AdministratorDeps, typed: string): Promise<string | Problem<'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const email = typed.trim().toLowerCase()
    const wrong = isAddress(email, { email })
    if (wrong !== null) return problem('refused', wrong)
    const userId = await accountOf(tx, email)
    if (typeof userId !== 'number') return userId
    // A disabled administrator is enabled again: the operator of the server may do so.
    await tx.updateTable('users').set({ disabled_at: null }).where('id', '=', userId).execute()
    const about = { studioId: null, entityId: String(userId), detail: {}, userId: null }
    await recordAudit(tx, deps, { ...about, action: 'user.made-administrator' })
    return await createResetLink(tx, deps, userId)
  })
