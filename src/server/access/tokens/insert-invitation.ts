import { addHours } from 'date-fns/addHours'
import type { UserRole } from '#contract/system/auth.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { hashOf } from '#server/http/hash.ts'
import { linkToken } from './access-token.ts'

/** Days until an invitation expires. */
const lifeDays = 7

/** A new e-mail's nonce, and the columns that depend on it: the hash of its link, when it was created and when it expires. */
export const newEmailColumns = (deps: Pick<Deps, 'clock' | 'newId' | 'settings'>) => {
  const nonce = deps.newId()
  const now = deps.clock()
  return {
    nonce,
    columns: {
      token_hash: hashOf(linkToken(deps, 'invitation', nonce)),
      created_at: now,
      expires_at: addHours(now, lifeDays * 24),
    },
  }
}

type NewInvitation = {
  /** Null for an invitation to administer the platform. */
  readonly studioId: number | null
  readonly email: string
  readonly name: string
  readonly role: UserRole
  readonly actorId: number
}

/** Inserts an invitation, and enqueues its email. An older link to the same address stops working. Returns its id. */
export const insertInvitation = async (
  tx: Transaction,
  deps: Pick<Deps, 'clock' | 'newId' | 'settings' | 'jobs'>,
  { studioId, email, name, role, actorId }: NewInvitation,
): Promise<number> => {
  const { nonce, columns } = newEmailColumns(deps)
  await tx
    .updateTable('invitations')
    .set({ revoked_at: deps.clock() })
    .where('studio_id', studioId === null ? 'is' : '=', studioId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  const { id: invitationId } = await tx
    .insertInto('invitations')
    .values({ studio_id: studioId, email, name, role, invited_by: actorId, ...columns })
    .returning('id')
    .executeTakeFirstOrThrow()
  await deps.jobs.enqueue(tx, 'send-invitation-email', { invitationId, nonce })
  const entry = { studioId, action: 'user.invited', entityId: String(invitationId), userId: actorId } as const
  await recordAudit(tx, deps, { ...entry, detail: { name, role } })
  return invitationId
}
