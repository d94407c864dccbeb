import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import { newPassword } from '#domain/studio/user-account.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { hashPassword, verifyPassword } from '../credentials/verify-password.ts'
import { endAllAccess } from '../tokens/revoke-refresh-tokens.ts'

type Rejected = Problem<'refused'>

const findReset = (db: Db | Transaction, token: string) =>
  db
    .selectFrom('password_resets as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['r.user_id', 'r.expires_at', 'r.used_at', 'u.email', 'u.studio_id'])
    .where('r.token_hash', '=', hashOf(token))
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()

type Reset = NonNullable<Awaited<ReturnType<typeof findReset>>>

/** Why a link cannot be used; undefined where it can. */
const getRejection = ({ used_at, expires_at }: Reset, now: Date): Rejected | undefined => {
  if (used_at) return problem('refused', 'This link was used already. Please ask for a new one')
  if (expires_at <= now) return problem('refused', 'This link was good for one hour. Please ask for a new one')
  return undefined
}

/** The answer to a link that was never sent or is deleted, or whose user is disabled. */
const unknownLink = (): Rejected => problem('refused', 'We do not know this link. Please ask for a new one')

const savePassword = (deps: Deps, token: string, passwordHash: string): Promise<Rejected | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    // The second of two requests waits here and then finds the link used.
    await tx.selectFrom('password_resets').select('id').where('token_hash', '=', hashOf(token)).forUpdate().execute()
    const reset = await findReset(tx, token)
    if (!reset) return unknownLink()
    const rejection = getRejection(reset, now)
    if (rejection) return rejection
    const { user_id: userId, studio_id: studioId } = reset
    await tx
      .updateTable('users')
      .set(({ eb }) => ({ password_hash: passwordHash, updated_at: now, version: eb('version', '+', 1) }))
      .where('id', '=', userId)
      .execute()
    // Ends the user's other reset links.
    await tx
      .updateTable('password_resets')
      .set({ used_at: now })
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .execute()
    await endAllAccess(tx, deps, { userId })
    await recordAudit(tx, deps, {
      studioId,
      action: 'user.password-reset',
      entityId: String(userId),
      detail: {},
      userId,
    })
    return undefined
  })

type PasswordReset = { readonly token: string; readonly password: string; readonly address: string }
type Success = Record<string, never>

/** A request that was sent twice succeeds both times; any other request with a used link is refused. */
const acceptDuplicate = async (
  deps: Deps,
  { email }: Reset,
  input: PasswordReset,
): Promise<Success | undefined | Problem<'slow-down'>> => {
  const verified = await verifyPassword(deps, { ...input, email })
  return verified instanceof Problem ? verified : verified && {}
}

/** Replaces a forgotten password, authorized by the secret of a mailed link, and ends every sign-in and API token of the user. */
export const resetPassword = async (
  deps: Deps,
  input: PasswordReset,
): Promise<Success | Rejected | Problem<'slow-down'>> => {
  const { token, password, address } = input
  const reset = await bruteForceGuard(deps, { kind: 'forgot-password', address }, () => findReset(deps.db, token))
  if (reset instanceof Problem) return reset
  if (!reset) return unknownLink()
  const rejection = getRejection(reset, deps.clock())
  if (rejection) return (reset.used_at && (await acceptDuplicate(deps, reset, input))) || rejection
  const fields = validate({ email: reset.email, password }, { password: newPassword() })
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  return (await savePassword(deps, token, await hashPassword(password))) ?? {}
}
