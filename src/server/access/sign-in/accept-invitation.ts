import type { OpenInvitation, TokenPair } from '#contract/system/auth.ts'
import { fixFieldsMessage, isValid, required, validate } from '#domain/shared/validators.ts'
import { newPassword } from '#domain/studio/password-rules.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Db, Transaction } from '#server/database/database.ts'
import { inTransaction } from '#server/database/in-transaction.ts'
import { retryOnUniqueViolation } from '#server/database/retry-on-unique-violation.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { hashPassword } from './hash-password.ts'
import { type Account, signInAs } from './token-pair.ts'
import { verifyPassword } from './verify-password.ts'

type Refused = Problem<'refused'>

const findInvitation = (db: Db | Transaction, token: string) =>
  db
    .selectFrom('invitations as i')
    .innerJoin('studios as s', 's.id', 'i.studio_id')
    .select(['i.id', 'i.studio_id', 'i.name', 'i.email', 'i.role', 'i.expires_at', 'i.accepted_at', 'i.revoked_at'])
    .select('s.name as studio_name')
    .where('i.token_hash', '=', hashOf(token))
    .executeTakeFirst()

type InvitationRow = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

const objectionTo = ({ accepted_at, revoked_at, expires_at }: InvitationRow, now: Date): Refused | undefined => {
  if (accepted_at) return problem('refused', 'This invitation was accepted already. Please log in')
  if (revoked_at) return problem('refused', 'This invitation was taken back. Please ask the studio for a new one')
  if (expires_at <= now) {
    return problem('refused', 'This invitation was good for seven days. Please ask the studio for a new one')
  }
  return undefined
}

/** The answer to a link that was never sent or was replaced by a newer one. */
const unknownInvitation = (): Refused =>
  problem('refused', 'We do not know this invitation. Please look for a newer one in your mail')

type Link = { readonly token: string; readonly address: string }

/** The invitation of a link; an unknown link counts as a guess. */
const openLink = async (
  deps: Deps,
  { token, address }: Link,
): Promise<InvitationRow | Refused | Problem<'slow-down'>> =>
  (await bruteForceGuard(deps, { kind: 'invitation', address }, () => findInvitation(deps.db, token))) ??
  unknownInvitation()

/** What an invitation shows, or why it is not valid. */
export const readInvitation = async (
  deps: Deps,
  link: Link,
): Promise<OpenInvitation | Refused | Problem<'slow-down'>> => {
  const found = await openLink(deps, link)
  if (found instanceof Problem) return found
  const { studio_name: studioName, name, email, role } = found
  // Invitations of a studio carry only a studio's roles.
  return objectionTo(found, deps.clock()) ?? { studioName, name, email, role: role === 'owner' ? 'owner' : 'staff' }
}

type Answer = Link & { readonly name: string; readonly password: string }

const join = (deps: Deps, { token, name }: Answer, passwordHash: string): Promise<TokenPair | Refused> =>
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      const now = deps.clock()
      await tx.selectFrom('invitations').select('id').where('token_hash', '=', hashOf(token)).forUpdate().execute()
      const found = await findInvitation(tx, token)
      if (!found) return unknownInvitation()
      const refused = objectionTo(found, now)
      if (refused) return refused
      const { id, email, role, studio_id } = found
      const there = tx.selectFrom('users').select('id').where('email', '=', email).where('removed_at', 'is', null)
      if (await there.executeTakeFirst()) {
        return problem('refused', 'Somebody already signs in with this address. Ask to be invited under another one')
      }
      const account = await tx
        .insertInto('users')
        .values({ email, name, role, studio_id, password_hash: passwordHash })
        .returning(['id', 'name', 'email', 'role', 'studio_id'])
        .executeTakeFirstOrThrow()
      await tx.updateTable('invitations').set({ accepted_at: now }).where('id', '=', id).execute()
      const detail = { name, role }
      const entityId = String(account.id)
      await recordAudit(tx, deps, { studioId: studio_id, action: 'user.joined', entityId, detail, userId: account.id })
      return await signInAs(deps, tx, account)
    }),
  )

/** The user who accepted this invitation by the same request, sent twice. */
const acceptedBy = async (
  deps: Deps,
  { email, studio_id, accepted_at }: InvitationRow,
  { password, address }: Answer,
): Promise<Account | undefined | Problem<'slow-down'>> => {
  if (!accepted_at) return undefined
  const known = await verifyPassword(deps, { email, password, address })
  return known instanceof Problem || known?.studio_id === studio_id ? known : undefined
}

/** Adds the user to the studio and signs them in. */
export const acceptInvitation = async (
  deps: Deps,
  answer: Answer,
): Promise<TokenPair | Refused | Problem<'slow-down'>> => {
  const found = await openLink(deps, answer)
  if (found instanceof Problem) return found
  const before = await acceptedBy(deps, found, answer)
  if (before instanceof Problem) return before
  if (before) return await inTransaction(deps.db, (tx) => signInAs(deps, tx, before))
  const refused = objectionTo(found, deps.clock())
  if (refused) return refused
  const name = answer.name.trim()
  const rules = { name: required<unknown>(), password: newPassword<unknown>() }
  const fields = validate({ email: found.email, name, password: answer.password }, rules)
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  return await join(deps, { ...answer, name }, await hashPassword(answer.password))
}
