import { type RawBuilder, sql } from 'kysely'
import type { Invitation } from '#contract/studio/accounts.ts'
import type { UserRole } from '#contract/system/auth.ts'
import { mapPage, type Page, type PageQuery } from '#domain/shared/paging.ts'
import { email as emailRule, fixFieldsMessage, isValid, required, validate } from '#domain/shared/validators.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { readSetting } from '#server/configuration/read-settings.ts'
import { type Db, inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { likePattern, orderBy, paginateQuery } from '#server/http/paging/paginate-query.ts'
import { Problem, problem } from '#server/http/problem.ts'
import { bruteForceGuard } from '../brute-force/brute-force-guard.ts'
import { insertInvitation, newEmailColumns } from '../tokens/insert-invitation.ts'

/** An invitation and its studio: null for an invitation to administer the platform. */
export type InvitationKey = { readonly studioId: number | null; readonly invitationId: number }

/** Seconds between two invitation e-mails to the same address. */
const minSecondsBetweenEmails = 60

/** A row of an invitation in the database. */
export type InvitationRow<Sent extends { sentAt: string; expiresAt: string }> = Omit<Sent, 'sentAt' | 'expiresAt'> & {
  sentAt: Date
  expiresAt: Date
}

/** An invitation as it is sent. */
export const invitationOf = <Row extends { sentAt: Date; expiresAt: Date }>({ sentAt, expiresAt, ...row }: Row) => ({
  ...row,
  sentAt: sentAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})

export const invitationColumns = (now: Date) => sql`i.id, i.name, i.email, i.role, inviter.name as "invitedBy",
  i.created_at as "sentAt", i.expires_at as "expiresAt", i.expires_at <= ${now}::timestamptz as "isExpired"`

/** SQL of the open invitations and their inviters; those of one studio follow with `ofStudio`. */
export const fromOpenInvitations = sql`from invitations i left join users inviter on inviter.id = i.invited_by
  left join studios s on s.id = i.studio_id where i.accepted_at is null and i.revoked_at is null`

const ofStudio = (studioId: number | null) => sql`i.studio_id is not distinct from ${studioId}::bigint`

export const invitationSorts = {
  sentAt: sql`i.created_at`,
  name: sql`lower(i.name)`,
  email: sql`i.email`,
  role: sql`i.role`,
}

type InvitationQuery = PageQuery & { sort?: string | undefined }

/** The invitations that are still open. */
export const listInvitations = async (
  { db, clock }: Deps,
  studioId: number,
  query: InvitationQuery,
): Promise<Invitation[] | Page<Invitation>> => {
  const searchText = query.filter?.trim()
  const matchesSearch: RawBuilder<unknown> = searchText
    ? sql`(i.name ilike ${likePattern(searchText)} or i.email ilike ${likePattern(searchText)})`
    : sql`true`
  const statement = {
    columns: invitationColumns(clock()),
    from: sql`${fromOpenInvitations} and ${ofStudio(studioId)} and ${matchesSearch}`,
    order: orderBy(invitationSorts, query.sort ?? '-sentAt', sql`i.id desc`),
  }
  return mapPage(await paginateQuery<InvitationRow<Invitation>>(db, statement, query), invitationOf)
}

const readOpenInvitation = async (
  db: Db | Transaction,
  { studioId, invitationId }: InvitationKey,
  now: Date,
): Promise<Invitation | undefined> => {
  const { rows } = await sql<InvitationRow<Invitation>>`
    select ${invitationColumns(now)} ${fromOpenInvitations} and ${ofStudio(studioId)} and i.id = ${invitationId}`.execute(
    db,
  )
  return rows[0] && invitationOf(rows[0])
}

const rejectEmail = (message: string): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields: { email: [message] } })

/** Why an address cannot be invited; undefined where it can. */
const getRejection = async (
  tx: Transaction,
  deps: Deps,
  { studioId, email }: { studioId: number | null; email: string },
): Promise<Problem<'refused'> | undefined> => {
  const userQuery = tx
    .selectFrom('users')
    .select('studio_id')
    .where('email', '=', email)
    .where('removed_at', 'is', null)
  const user = await userQuery.executeTakeFirst()
  if (user) {
    return rejectEmail(
      user.studio_id === studioId ? 'They work here already' : 'Someone already signs in with this address',
    )
  }
  const { rows } = await sql<{
    open: number
  }>`select count(*) as open ${fromOpenInvitations} and ${ofStudio(studioId)}`.execute(tx)
  const maxOpenInvitations = await readSetting(tx, deps, 'open-invitations')
  if ((rows[0]?.open ?? 0) < maxOpenInvitations) return undefined
  const waiting = maxOpenInvitations === 1 ? 'An invitation waits' : `${maxOpenInvitations} invitations wait`
  return problem('refused', `${waiting} for an answer. Take one back first`)
}

type Draft = { name: string; email: string; role: UserRole }

type NewInvitation = { readonly studioId: number | null; readonly draft: Draft; readonly actorId: number }

/** Invites a user to a studio, or an administrator, by e-mail. An older link to the same address stops working. */
const invite = async (
  deps: Deps,
  { studioId, draft, actorId }: NewInvitation,
): Promise<Invitation | Problem<'not-found' | 'refused'>> => {
  const trimmedDraft = { ...draft, name: draft.name.trim(), email: draft.email.trim().toLowerCase() }
  const fields = validate(trimmedDraft, { name: required(), email: emailRule() })
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  const { email, name, role } = trimmedDraft
  return await inTransaction(deps.db, async (tx) => {
    const studioQuery = tx.selectFrom('studios').select('id').where('id', '=', studioId).forNoKeyUpdate()
    if (studioId !== null && !(await studioQuery.executeTakeFirst())) return problem('not-found')
    const rejection = await getRejection(tx, deps, { studioId, email })
    if (rejection) return rejection
    const invitationId = await insertInvitation(tx, deps, { studioId, email, name, role, actorId })
    return (await readOpenInvitation(tx, { studioId, invitationId }, deps.clock())) ?? problem('not-found')
  })
}

/**
 * Invites a user from a network address. The response reveals whether an e-mail address has an account, so each rejection counts as a guess.
 */
export const inviteGuarded = async (
  deps: Deps,
  invitation: NewInvitation,
  address: string,
): Promise<Invitation | Problem<'not-found' | 'refused' | 'slow-down'>> => {
  let rejection: Problem<'not-found' | 'refused'> | undefined
  const attempt = { kind: 'invitation', targets: [`by ${invitation.actorId}`], address } as const
  const invited = await bruteForceGuard(deps, attempt, async () => {
    const result = await invite(deps, invitation)
    if (!(result instanceof Problem)) return result
    rejection = result
    return undefined
  })
  return invited ?? rejection ?? problem('refused')
}

type LockedInvitation = { sentAt: Date }

const lockOpenInvitation = async (
  tx: Transaction,
  { studioId, invitationId }: InvitationKey,
): Promise<LockedInvitation | undefined> => {
  const rows = await tx
    .selectFrom('invitations')
    .select('created_at as sentAt')
    .where('studio_id', studioId === null ? 'is' : '=', studioId)
    .where('id', '=', invitationId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .execute()
  return rows[0]
}

/** Resends the e-mail with a new link. */
export const resendInvitation = (
  deps: Deps,
  key: InvitationKey,
): Promise<Invitation | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const invitation = await lockOpenInvitation(tx, key)
    if (!invitation) return problem('not-found')
    const now = deps.clock()
    if (now.getTime() - invitation.sentAt.getTime() < minSecondsBetweenEmails * 1000) {
      return problem('refused', 'This was sent a moment ago. Please wait a minute')
    }
    const { nonce, columns } = newEmailColumns(deps)
    await tx.updateTable('invitations').set(columns).where('id', '=', key.invitationId).execute()
    await deps.jobs.enqueue(tx, 'send-invitation-email', { invitationId: key.invitationId, nonce })
    return (await readOpenInvitation(tx, key, now)) ?? problem('not-found')
  })

/** Revokes an invitation: its link stops working. */
export const revokeInvitation = (
  deps: Deps,
  { key, actorId }: { key: InvitationKey; actorId: number },
): Promise<undefined | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    if (!(await lockOpenInvitation(tx, key))) return problem('not-found')
    const { studioId, invitationId } = key
    await tx.updateTable('invitations').set({ revoked_at: deps.clock() }).where('id', '=', invitationId).execute()
    await recordAudit(tx, deps, {
      ...{ studioId, action: 'user.uninvited', entityId: String(invitationId), detail: {} },
      userId: actorId,
    })
    return undefined
  })
