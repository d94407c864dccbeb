import { addHours } from 'date-fns/addHours'
import { sql } from 'kysely'
import type { SupportAccess } from '#contract/studio/support-access.ts'
import type { OwnSupportAccess } from '#contract/system/support-access.ts'
import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import { type ConsentHours, reasonHours, supportMessages, supportReasonRules } from '#domain/studio/support-access.ts'
import { recordAudit } from '#server/audit/audit-log.ts'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { isOpen } from '../authorization/open-access.ts'
import type { User } from '../tokens/access-token.ts'
import { readAccesses, readOwnAccess } from './read-accesses.ts'

/** A user who changes accesses to a studio: one of its owners, or an administrator their own. */
type Change = { readonly studioId: number; readonly user: User }

/** Locks the accesses to a studio, of which an administrator has at most one that is open, and one that waits. */
const lockAccesses = async (tx: Transaction, studioId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${`support accesses of ${studioId}`}))`.execute(tx)
}

type Entry = {
  readonly action: 'asked' | 'opened' | 'consented' | 'refused' | 'ended'
  readonly id: number
  readonly consentedBy?: number | null
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

const record = (tx: Transaction, deps: Deps, { studioId, user }: Change, { action, id, ...entry }: Entry) =>
  recordAudit(tx, deps, {
    ...{ studioId, action: `support-access.${action}`, entityId: String(id), userId: user.id },
    ...entry,
  })

/** Ends accesses of a studio that are open or wait: one, or all of an administrator. Returns their ids. */
const endAccesses = async (
  tx: Transaction,
  deps: Deps,
  change: Change,
  target: { readonly id: number } | { readonly administratorId: number; readonly isOpenOnly?: boolean },
): Promise<number[]> => {
  const now = deps.clock()
  const isTarget =
    'id' in target
      ? sql`a.id = ${target.id}`
      : sql`a.administrator_id = ${target.administratorId} and (a.starts_at is not null or not ${target.isOpenOnly ?? false}::boolean)`
  const { rows } = await sql<{ id: number; grantedBy: number | null; wasOpen: boolean; administrator: string }>`
    update support_accesses a set ended_at = ${now}, ended_by = ${change.user.id}
      from users u
     where a.studio_id = ${change.studioId} and u.id = a.administrator_id and ${isTarget}
       and (${isOpen(now)} or a.starts_at is null and a.ended_at is null)
    returning a.id, a.granted_by as "grantedBy", a.starts_at is not null as "wasOpen", u.name as administrator`.execute(
    tx,
  )
  for (const { id, grantedBy, wasOpen, administrator } of rows) {
    const action = wasOpen || 'administratorId' in target ? 'ended' : 'refused'
    await record(tx, deps, change, { action, id, consentedBy: grantedBy, detail: { administrator } })
  }
  return rows.map(({ id }) => id)
}

type Consent = {
  readonly administratorId: number
  readonly hours: ConsentHours
  readonly mayChange: boolean
  readonly hasSharpPhotos: boolean
}

/** Lets an administrator in for some hours, as an owner. The request that waits becomes the access; an open one is replaced. */
export const consent = (
  deps: Deps,
  change: Change,
  { administratorId, hours, mayChange, hasSharpPhotos }: Consent,
): Promise<SupportAccess | Problem<'refused' | 'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, user } = change
    await lockAccesses(tx, studioId)
    const users = tx.selectFrom('users').select('name').where('id', '=', administratorId)
    const administrator = await users
      .where('role', '=', 'administrator')
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
    if (!administrator) return problem('refused', supportMessages.unknownAdministrator)
    await endAccesses(tx, deps, change, { administratorId, isOpenOnly: true })
    const now = deps.clock()
    const columns = {
      ...{ granted_by: user.id, starts_at: now, ends_at: addHours(now, hours) },
      ...{ may_change: mayChange, sharp_photos: hasSharpPhotos },
    }
    const asked = tx
      .updateTable('support_accesses')
      .set(columns)
      .where('studio_id', '=', studioId)
      .where('administrator_id', '=', administratorId)
      .where('starts_at', 'is', null)
      .where('ended_at', 'is', null)
    const key = { studio_id: studioId, administrator_id: administratorId, asked_at: now }
    const { id } =
      (await asked.returning('id').executeTakeFirst()) ??
      (await tx
        .insertInto('support_accesses')
        .values({ ...key, ...columns })
        .returning('id')
        .executeTakeFirstOrThrow())
    const detail = { administrator: administrator.name, hours, mayChange, hasSharpPhotos }
    await record(tx, deps, change, { action: 'consented', id, consentedBy: user.id, detail })
    const [access] = await readAccesses(tx, now, { studioId, id })
    return access ?? problem('not-found')
  })

/** Ends an access, or refuses it while it waits, as an owner. */
export const endAccess = (
  deps: Deps,
  change: Change,
  id: number,
): Promise<SupportAccess | Problem<'refused' | 'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId } = change
    await lockAccesses(tx, studioId)
    const ended = await endAccesses(tx, deps, change, { id })
    const [access] = await readAccesses(tx, deps.clock(), { studioId, id })
    if (!access) return problem('not-found')
    return ended.length === 0 ? problem('refused', supportMessages.over) : access
  })

type OwnChange = (
  tx: Transaction,
  own: OwnSupportAccess,
  now: Date,
) => Promise<Problem<'refused'> | undefined | { readonly id: number; readonly news: 'asked' | 'opened' }>

/** Changes an administrator's own access to a studio. The owners are emailed if it begins or is asked for. */
const changeOwnAccess = (deps: Deps, { studioId, user }: Change, work: OwnChange) =>
  inTransaction(deps.db, async (tx) => {
    await lockAccesses(tx, studioId)
    const key = { studioId, administratorId: user.id }
    const now = deps.clock()
    const own = await readOwnAccess(tx, now, key)
    if (!('studioName' in own)) return own
    const outcome = await work(tx, own, now)
    if (outcome && !('news' in outcome)) return outcome
    if (outcome) {
      const { id: accessId, news } = outcome
      await deps.jobs.enqueue(tx, 'send-support-email', { studioId, accessId, news })
    }
    return await readOwnAccess(tx, now, key)
  })

const insertAccess = async (
  tx: Transaction,
  { studioId, user }: Change,
  { reason, askedAt, endsAt }: { reason: string; askedAt: Date; endsAt?: Date },
): Promise<number> => {
  const { id } = await tx
    .insertInto('support_accesses')
    .values({
      ...{ studio_id: studioId, administrator_id: user.id, reason, asked_at: askedAt },
      ...(endsAt && { starts_at: askedAt, ends_at: endsAt }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const reasonProblem = (reason: string): Problem<'refused'> | undefined => {
  const fields = validate({ reason }, supportReasonRules)
  return isValid(fields) ? undefined : problem('refused', fixFieldsMessage, { fields })
}

/** Asks the owners for their consent, as an administrator. */
export const askForConsent = (deps: Deps, change: Change, text: string) =>
  changeOwnAccess(deps, change, async (tx, { asked }, now) => {
    const reason = text.trim()
    const invalid = reasonProblem(reason)
    if (invalid) return invalid
    if (asked) return problem('refused', supportMessages.askedAlready)
    const id = await insertAccess(tx, change, { reason, askedAt: now })
    await record(tx, deps, change, { action: 'asked', id, detail: { reason } })
    return { id, news: 'asked' }
  })

/** Lets an administrator in to read, for an hour, by a reason that the owners see. */
export const openByReason = (deps: Deps, change: Change, text: string) =>
  changeOwnAccess(deps, change, async (tx, { open }, now) => {
    const reason = text.trim()
    const invalid = reasonProblem(reason)
    if (invalid) return invalid
    if (open) return problem('refused', supportMessages.openAlready)
    const id = await insertAccess(tx, change, { reason, askedAt: now, endsAt: addHours(now, reasonHours) })
    await record(tx, deps, change, { action: 'opened', id, detail: { reason } })
    return { id, news: 'opened' }
  })

/** Ends an administrator's own access, and withdraws their request. */
export const leave = (deps: Deps, change: Change) =>
  changeOwnAccess(deps, change, async (tx) => {
    await endAccesses(tx, deps, change, { administratorId: change.user.id })
    return undefined
  })
