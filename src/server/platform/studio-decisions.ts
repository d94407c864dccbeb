import { addDays } from 'date-fns/addDays'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/system/studios.ts'
import { deletionGraceDays, platformStudioMessages } from '#domain/platform/platform-studio.ts'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import { type OpenAccess, openAccessOf } from '../access/authorization/open-access.ts'
import type { User } from '../access/tokens/access-token.ts'
import { readOwners } from '../access/tokens/studio-owners.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import type { StudioDecision } from '../queue/queues.ts'
import { isAccountNumberTaken, takenNumberMessage } from '../studio/store/find-studio.ts'
import { readPlatformStudio } from './read-platform-studio.ts'

type Decision = { readonly studioId: number; readonly user: User }
type LockedStudio = {
  readonly isEnabled: boolean
  readonly deletesAt: Date | null
  readonly isOpenUntilDeletion: boolean
}
type Outcome = {
  readonly news: StudioDecision
  readonly reason: string
  readonly detail?: Record<string, string | number>
}

/**
 * Decides something about a locked studio. The version of the studio increases, its owners are emailed, and the decision is recorded; nothing of
 * it happens if the decision changes nothing or is refused.
 */
const decide = (
  deps: Deps,
  { studioId, user }: Decision,
  work: (tx: Transaction, studio: LockedStudio) => Promise<Outcome | undefined | Problem<'refused'>>,
) =>
  inTransaction(deps.db, async (tx) => {
    const studio = await tx
      .selectFrom('studios')
      .select(['rspo_enabled as isEnabled', 'deletes_at as deletesAt', 'is_open_until_deletion as isOpenUntilDeletion'])
      .where('id', '=', studioId)
      .forUpdate()
      .executeTakeFirst()
    if (!studio) return problem('not-found')
    const outcome = await work(tx, studio)
    if (outcome instanceof Problem) return outcome
    if (outcome) {
      const { news, reason, detail } = outcome
      const now = deps.clock()
      await tx
        .updateTable('studios')
        .set(({ eb }) => ({ version: eb('version', '+', 1), updated_at: now }))
        .where('id', '=', studioId)
        .execute()
      const entry = { studioId, action: `studio.${news}`, entityId: String(studioId), userId: user.id } as const
      await recordAudit(tx, deps, { ...entry, detail: { reason: reason || null, ...detail } })
      await deps.jobs.enqueue(tx, 'send-studio-email', { studioId, news, reason, at: now.toISOString() })
    }
    return await readPlatformStudio(tx, studioId)
  })

const missingReason = (): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields: { reason: [validationMessages.required] } })

const setEnabled = (deps: Deps, decision: Decision, change: { isEnabled: boolean; reason: string }) =>
  decide(deps, decision, async (tx, studio) => {
    const { isEnabled } = change
    const reason = change.reason.trim()
    if (!isEnabled && !reason) return missingReason()
    if (studio.deletesAt) return problem('refused', platformStudioMessages.deleting)
    if (studio.isEnabled === isEnabled) return undefined
    await tx.updateTable('studios').set({ rspo_enabled: isEnabled }).where('id', '=', decision.studioId).execute()
    return { news: isEnabled ? 'enabled' : 'disabled', reason }
  })

const verify = async (
  tx: Transaction,
  { studioId, accountNumber }: { studioId: number; accountNumber: string },
): Promise<Problem<'refused'> | undefined> => {
  if (await isAccountNumberTaken(tx, { studioId, accountNumber })) return problem('refused', takenNumberMessage)
  const columns = { is_millers_verified: true, account_number: accountNumber }
  await tx.updateTable('studios').set(columns).where('id', '=', studioId).execute()
  return undefined
}

const decideVerification = (deps: Deps, decision: Decision, change: { isVerified: boolean; reason: string }) =>
  decide(deps, decision, async (tx) => {
    const { studioId, user } = decision
    const { isVerified } = change
    const reason = change.reason.trim()
    if (!isVerified && !reason) return missingReason()
    const query = tx
      .selectFrom('verification_requests')
      .select(['id', 'account_number as accountNumber'])
      .where('studio_id', '=', studioId)
      .where('state', '=', 'waiting')
    const request = await query.executeTakeFirst()
    if (!request) return problem('refused', platformStudioMessages.decided)
    const { id, accountNumber } = request
    const rejection = isVerified ? await verify(tx, { studioId, accountNumber }) : undefined
    if (rejection) return rejection
    const state = isVerified ? 'verified' : 'refused'
    await tx
      .updateTable('verification_requests')
      .set({ state, reason: isVerified ? null : reason, decided_by: user.id, decided_at: deps.clock() })
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .execute()
    return { news: state, reason, detail: { accountNumber } }
  })

/** Whether an administrator has access to the data of a studio now. */
const isInside = async (tx: Transaction, deps: Deps, { studioId, user }: Decision): Promise<boolean> => {
  const { rows } = await sql<{ access: OpenAccess | null }>`
    select ${openAccessOf({ studioId, userId: user.id, now: deps.clock() })} as access`.execute(tx)
  return rows[0]?.access != null
}

/** Makes a user the only owner. The former owners are emailed: they must learn of a transfer that they did not ask for. */
const transfer = (deps: Deps, decision: Decision, { userId, ...change }: { userId: number; reason: string }) =>
  decide(deps, decision, async (tx, studio) => {
    const { studioId, user } = decision
    const reason = change.reason.trim()
    if (!reason) return missingReason()
    if (studio.deletesAt) return problem('refused', platformStudioMessages.deleting)
    if (await isInside(tx, deps, decision)) return problem('refused', platformStudioMessages.inside)
    const users = tx.selectFrom('users').select('name').where('studio_id', '=', studioId).where('id', '=', userId)
    const owner = await users.where('disabled_at', 'is', null).where('removed_at', 'is', null).executeTakeFirst()
    if (!owner) return problem('refused', 'This user does not work at the studio any more')
    const formerOwners = (await readOwners(tx, studioId)).filter(({ id }) => id !== userId)
    const now = deps.clock()
    await sql`
      update users set role = case when id = ${userId} then 'owner' else 'staff' end, version = version + 1, updated_at = ${now}
       where studio_id = ${studioId} and removed_at is null and role <> case when id = ${userId} then 'owner' else 'staff' end`.execute(
      tx,
    )
    const formerOwnerIds = formerOwners.map(({ id }) => id)
    if (formerOwnerIds.length > 0)
      await deps.jobs.enqueue(tx, 'send-studio-email', {
        ...{ studioId, news: 'owner-replaced', reason, at: now.toISOString() },
        change: { userId, administratorId: user.id, formerOwnerIds },
      })
    const formerNames = formerOwners.map(({ name }) => name).join(', ')
    return { news: 'transferred', reason, detail: { userId, owner: owner.name, formerOwners: formerNames } }
  })

const scheduleDeletion = (deps: Deps, decision: Decision, reason: string) =>
  decide(deps, decision, async (tx, studio) => {
    if (!reason) return missingReason()
    if (studio.deletesAt) return undefined
    const deletesAt = addDays(deps.clock(), deletionGraceDays)
    await tx
      .updateTable('studios')
      .set({ deletes_at: deletesAt, rspo_enabled: false, is_open_until_deletion: studio.isEnabled })
      .where('id', '=', decision.studioId)
      .execute()
    return { news: 'deletion-scheduled', reason, detail: { deletesAt: deletesAt.toISOString() } }
  })

const cancelDeletion = (deps: Deps, decision: Decision) =>
  decide(deps, decision, async (tx, { deletesAt, isOpenUntilDeletion }) => {
    if (!deletesAt) return undefined
    if (deletesAt <= deps.clock()) return problem('refused', platformStudioMessages.tooLate)
    await tx
      .updateTable('studios')
      .set({ deletes_at: null, rspo_enabled: isOpenUntilDeletion, is_open_until_deletion: false })
      .where('id', '=', decision.studioId)
      .execute()
    return { news: 'deletion-cancelled', reason: '' }
  })

/** Mounts the calls by which administrators decide about a studio. */
export const mountStudioDecisions = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, calls.setStudioEnabled, ({ params, body, user }) =>
    setEnabled(deps, { studioId: params.id, user }, body),
  )
  mount(app, deps, calls.decideVerification, ({ params, body, user }) =>
    decideVerification(deps, { studioId: params.id, user }, body),
  )
  mount(app, deps, calls.scheduleStudioDeletion, ({ params, body, user }) =>
    scheduleDeletion(deps, { studioId: params.id, user }, body.reason.trim()),
  )
  mount(app, deps, calls.cancelStudioDeletion, ({ params, user }) =>
    cancelDeletion(deps, { studioId: params.id, user }),
  )
  mount(app, deps, calls.transferOwnership, ({ params, body, user }) =>
    transfer(deps, { studioId: params.id, user }, body),
  )
}
