import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import { newPassword } from '#domain/studio/password-rules.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { endSignIns } from '../tokens/revoke-refresh-tokens.ts'
import { hashPassword } from './hash-password.ts'
import { verifyPassword } from './verify-password.ts'

type Refused = Problem<'refused'>

const findReset = (db: Db | Transaction, token: string) =>
  db
    .selectFrom('password_resets as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['r.user_id', 'r.expires_at', 'r.used_at', 'u.email', 'u.studio_id'])
    .where('r.token_hash', '=', hashOf(token))
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()

type Reset = NonNullable<Awaited<ReturnType<typeof findReset>>>

const objectionTo = ({ used_at, expires_at }: Reset, now: Date): Refused | undefined => {
  if (used_at) return problem('refused', 'This link was used already. Please ask for a new one')
  if (expires_at <= now) return problem('refused', 'This link was good for one hour. Please ask for a new one')
  return undefined
}

/** The answer to a link that was never sent. */
const unknownLink = (): Refused => problem('refused', 'We do not know this link. Please ask for a new one')

const write = (deps: Deps, token: string, passwordHash: string): Promise<Refused | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock()
    // The second of two requests waits here and then finds the link used.
    await tx.selectFrom('password_resets').select('id').where('token_hash', '=', hashOf(token)).forUpdate().execute()
    const reset = await findReset(tx, token)
    if (!reset) return unknownLink()
    const refused = objectionTo(reset, now)
    if (refused) return refused
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
    await endSignIns(tx, deps, { userId })
    await recordAudit(tx, deps, {
      studioId,
      action: 'user.password-reset',
      entityId: String(userId),
      detail: {},
      userId,
    })
    return undefined
  })

type Answer = { readonly token: string; readonly password: string; readonly address: string }
type Done = Record<string, never>

/** The same request sent twice succeeds again; any other use of a used link is refused. */
const sentTwice = async (
  deps: Deps,
  { email }: Reset,
  typed: Answer,
): Promise<Done | undefined | Problem<'slow-down'>> => {
  const known = await verifyPassword(deps, { ...typed, email })
  return known instanceof Problem ? known : known && {}
}

/** Replaces a forgotten password, authorized by the secret of a mailed link, and ends every sign-in of the user. */
export const resetPassword = async (deps: Deps, typed: Answer): Promise<Done | Refused | Problem<'slow-down'>> => {
  const { token, password, address } = typed
  const reset = await bruteForceGuard(deps, { kind: 'forgot-password', address }, () => findReset(deps.db, token))
  if (reset instanceof Problem) return reset
  if (!reset) return unknownLink()
  const refused = objectionTo(reset, deps.clock())
  if (refused) return (reset.used_at && (await sentTwice(deps, reset, typed))) || refused
  const fields = validate({ email: reset.email, password }, { password: newPassword() })
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  return (await write(deps, token, await hashPassword(password))) ?? {}
}
