import type { OpenInvitation, SignInAnswer } from '#contract/system/auth.ts'
import { userGrantMessages } from '#domain/platform/platform-studio.ts'
import { fixFieldsMessage, isValid, required, validate } from '#domain/shared/validators.ts'
import { newPassword } from '#domain/studio/user-account.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import { retryOnUniqueViolation } from '#server/database/statement-errors.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { continueAfterPassword } from '../credentials/password-steps.ts'
import { hashPassword, verifyPassword } from '../credentials/verify-password.ts'
import { hasOwner } from '../tokens/studio-owners.ts'
import type { Account } from '../tokens/token-pair.ts'

type Rejected = Problem<'refused'>

const findInvitation = (db: Db | Transaction, token: string) =>
  db
    .selectFrom('invitations as i')
    .leftJoin('studios as s', 's.id', 'i.studio_id')
    .select([
      'i.id',
      'i.studio_id',
      'i.name',
      'i.email',
      'i.role',
      'i.invited_by',
      'i.expires_at',
      'i.accepted_at',
      'i.revoked_at',
    ])
    .select('s.name as studio_name')
    .where('i.token_hash', '=', hashOf(token))
    .executeTakeFirst()

type InvitationRow = NonNullable<Awaited<ReturnType<typeof findInvitation>>>

/** Why an invitation cannot be accepted; undefined where it can. */
const getRejection = ({ accepted_at, revoked_at, expires_at }: InvitationRow, now: Date): Rejected | undefined => {
  if (accepted_at) return problem('refused', 'This invitation was accepted already. Please log in')
  if (revoked_at) return problem('refused', 'This invitation was withdrawn. Please ask the studio for a new one')
  if (expires_at <= now) {
    return problem('refused', 'This invitation was good for seven days. Please ask the studio for a new one')
  }
  return undefined
}

/** The answer to a link that was never sent, was replaced by a newer one, or is deleted. */
const unknownInvitation = (): Rejected =>
  problem('refused', 'This invitation is not valid. Please look for a newer one in your email')

type Link = { readonly token: string; readonly address: string }

/** Reads the invitation of a link; an unknown link counts as a guess. */
const openLink = async (
  deps: Deps,
  { token, address }: Link,
): Promise<InvitationRow | Rejected | Problem<'slow-down'>> =>
  (await bruteForceGuard(deps, { kind: 'invitation', address }, () => findInvitation(deps.db, token))) ??
  unknownInvitation()

/** Reads what an invitation shows, or why it is not valid. */
export const readInvitation = async (
  deps: Deps,
  link: Link,
): Promise<OpenInvitation | Rejected | Problem<'slow-down'>> => {
  const invitation = await openLink(deps, link)
  if (invitation instanceof Problem) return invitation
  const { studio_name: studioName, name, email, role } = invitation
  return getRejection(invitation, deps.clock()) ?? { studioName, name, email, role }
}

/**
 * Whether an administrator made an invitation to a studio that has an owner by now: then only its owners let others in. Locks the studio, so that
 * two such invitations are not accepted at once.
 */
const isSuperseded = async (tx: Transaction, { studio_id: studioId, invited_by }: InvitationRow): Promise<boolean> => {
  if (studioId === null) return false
  await tx.selectFrom('studios').select('id').where('id', '=', studioId).forNoKeyUpdate().execute()
  const inviters = tx.selectFrom('users').select('role').where('id', '=', invited_by)
  const isByPlatform = (await inviters.executeTakeFirst())?.role === 'administrator'
  return isByPlatform && (await hasOwner(tx, studioId))
}

type Acceptance = Link & { readonly name: string; readonly password: string }

const addUser = (deps: Deps, { token, name }: Acceptance, passwordHash: string): Promise<SignInAnswer | Rejected> =>
  retryOnUniqueViolation(() =>
    inTransaction(deps.db, async (tx) => {
      const now = deps.clock()
      await tx.selectFrom('invitations').select('id').where('token_hash', '=', hashOf(token)).forUpdate().execute()
      const invitation = await findInvitation(tx, token)
      if (!invitation) return unknownInvitation()
      const rejection = getRejection(invitation, now)
      if (rejection) return rejection
      if (await isSuperseded(tx, invitation)) return problem('refused', userGrantMessages.superseded)
      const { id, email, role, studio_id } = invitation
      const existingUser = tx
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .where('removed_at', 'is', null)
      if (await existingUser.executeTakeFirst()) {
        return problem('refused', 'Someone already signs in with this address. Ask to be invited under another one')
      }
      const account = await tx
        .insertInto('users')
        .values({ email, name, role, studio_id, password_hash: passwordHash })
        .returning(['id', 'name', 'email', 'role', 'studio_id', 'password_hash'])
        .executeTakeFirstOrThrow()
      await tx.updateTable('invitations').set({ accepted_at: now }).where('id', '=', id).execute()
      const detail = { name, role }
      const entityId = String(account.id)
      await recordAudit(tx, deps, { studioId: studio_id, action: 'user.joined', entityId, detail, userId: account.id })
      return await continueAfterPassword(deps, tx, account)
    }),
  )

/** Finds the user who accepted this invitation before, for a request that was sent twice. */
const findAcceptingUser = async (
  deps: Deps,
  { email, studio_id, accepted_at }: InvitationRow,
  { password, address }: Acceptance,
): Promise<Account | undefined | Problem<'slow-down'>> => {
  if (!accepted_at) return undefined
  const account = await verifyPassword(deps, { email, password, address })
  return account instanceof Problem || account?.studio_id === studio_id ? account : undefined
}

/** Adds the user to the studio and signs them in. */
export const acceptInvitation = async (
  deps: Deps,
  acceptance: Acceptance,
): Promise<SignInAnswer | Rejected | Problem<'slow-down'>> => {
  const invitation = await openLink(deps, acceptance)
  if (invitation instanceof Problem) return invitation
  const acceptedAccount = await findAcceptingUser(deps, invitation, acceptance)
  if (acceptedAccount instanceof Problem) return acceptedAccount
  if (acceptedAccount) return await inTransaction(deps.db, (tx) => continueAfterPassword(deps, tx, acceptedAccount))
  const rejection = getRejection(invitation, deps.clock())
  if (rejection) return rejection
  const name = acceptance.name.trim()
  const rules = { name: required<unknown>(), password: newPassword<unknown>() }
  const fields = validate({ email: invitation.email, name, password: acceptance.password }, rules)
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  return await addUser(deps, { ...acceptance, name }, await hashPassword(acceptance.password))
}
