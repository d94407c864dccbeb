import { sql } from 'kysely'
import {
  copiedPromotionCode,
  daysOfPeriod,
  normalisePromotionDraft,
  type PromotionDraft,
  type PromotionPeriod,
  periodOfDays,
  promotionDraftRules,
} from '#domain/pricing/promotion-draft.ts'
import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import type { User } from '../access/tokens/access-token.ts'
import { type AuditEntry, recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
import { type LockedPromotion, lockPromotion, lockStudioCodes } from './lock-promotion.ts'
import type { PromotionKey, PromotionOwner } from './read-promotions.ts'

type PromotionProblem = Problem<'not-found' | 'conflict' | 'refused'>

type CodeUser = {
  readonly studioId: number
  readonly jobId: number | null
  readonly exceptId: number
  readonly code: string
}

const isSingleUseCode = async (tx: Transaction, studioId: number, code: string): Promise<boolean> => {
  const row = await tx
    .selectFrom('promotion_codes')
    .select('id')
    .where('studio_id', '=', studioId)
    .where('code', '=', code)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Why a code cannot be used; null if it can. A code means one thing in a job: a promotion of a job has no code of the
 * studio, and the reverse, ended ones included. Different jobs may have the same code.
 */
const codeError = async (tx: Transaction, { studioId, jobId, exceptId, code }: CodeUser): Promise<string | null> => {
  const { rows } = await sql<{ jobId: number | null; jobName: string | null }>`
    select q.job_id as "jobId", j.name as "jobName"
      from promotions q left join jobs j on j.studio_id = q.studio_id and j.id = q.job_id
     where q.studio_id = ${studioId} and q.code = ${code} and q.id <> ${exceptId}
       and (q.job_id is null or ${jobId}::bigint is null or q.job_id = ${jobId}::bigint)
     order by q.job_id nulls first limit 1`.execute(tx)
  const [other] = rows
  if (!other)
    return (await isSingleUseCode(tx, studioId, code)) ? 'This is a single-use code of another promotion' : null
  if (other.jobId === null) return 'The studio already has a coupon code with this code'
  return other.jobId === jobId
    ? 'This job already has a promotion with this code'
    : `The job “${other.jobName}” already has a promotion with this code`
}

const unknownPackageMessage = 'A package no longer exists. Please choose again'

const packagesExist = async (tx: Transaction, studioId: number, packageIds: readonly number[]): Promise<boolean> => {
  const { rows } = await sql`
    select id from packages where studio_id = ${studioId} and id = any(${[...packageIds]}::bigint[])`.execute(tx)
  return rows.length === packageIds.length
}

/** The errors of a draft by field, as a problem; undefined if it can be stored. */
const draftProblem = async (
  tx: Transaction,
  codeUser: Omit<CodeUser, 'code'>,
  draft: PromotionDraft,
): Promise<Problem<'refused'> | undefined> => {
  const fields = validate(draft, promotionDraftRules)
  if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
  if (!(await packagesExist(tx, codeUser.studioId, draft.packageIds ?? [])))
    return problem('refused', fixFieldsMessage, { fields: { packageIds: [unknownPackageMessage] } })
  const takenMessage = await codeError(tx, { ...codeUser, code: draft.code })
  return takenMessage === null ? undefined : problem('refused', takenMessage, { fields: { code: [takenMessage] } })
}

const columnsOf = (draft: PromotionDraft, { startsAt, endsAt }: PromotionPeriod) => ({
  code: draft.code,
  name: draft.name,
  kind: draft.kind,
  basis_points: draft.basisPoints,
  amount_cents: draft.amountCents,
  minimum_cents: draft.minimumCents,
  package_ids: draft.packageIds,
  starts_at: startsAt,
  ends_at: endsAt,
  maximum_uses: draft.maximumUses,
  maximum_uses_per_customer: draft.maximumUsesPerCustomer,
  has_single_use_codes: draft.hasSingleUseCodes,
  is_automatic: draft.isAutomatic,
  is_stackable: draft.isStackable,
  is_enabled: draft.isEnabled,
})

type PromotionAction = Extract<AuditEntry['action'], `promotion.${string}`>

const recordChange = (
  tx: Transaction,
  deps: Deps,
  {
    key: { studioId, id },
    user,
    action,
    code,
  }: { key: PromotionKey; user: User; action: PromotionAction; code: string },
): Promise<void> => recordAudit(tx, deps, { studioId, action, entityId: String(id), detail: { code }, userId: user.id })

const insertPromotion = async (
  tx: Transaction,
  deps: Deps,
  { owner, user, columns }: { owner: PromotionOwner; user: User; columns: ReturnType<typeof columnsOf> },
): Promise<number> => {
  const { studioId, jobId = null } = owner
  const { id } = await tx
    .insertInto('promotions')
    .values({ ...columns, studio_id: studioId, job_id: jobId, created_at: deps.clock(), updated_at: deps.clock() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordChange(tx, deps, { key: { studioId, id }, user, action: 'promotion.made', code: columns.code })
  return id
}

/** Creates a promotion of a job, or a coupon code of the studio. Returns its id. */
export const createPromotion = (
  deps: Deps,
  { owner, user, draft: body }: { owner: PromotionOwner; user: User; draft: PromotionDraft },
): Promise<number | Problem<'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId, jobId = null } = owner
    const timeZone = await lockStudioCodes(tx, studioId)
    const draft = normalisePromotionDraft(body)
    const invalid = await draftProblem(tx, { studioId, jobId, exceptId: 0 }, draft)
    return (
      invalid ??
      (await insertPromotion(tx, deps, { owner, user, columns: columnsOf(draft, periodOfDays(draft, timeZone)) }))
    )
  })

/** The period of a changed promotion: a day that is unchanged keeps its instant, because the promotion may have ended during it. */
const changedPeriod = (
  draft: PromotionDraft,
  { starts_at, ends_at }: LockedPromotion,
  timeZone: string,
): PromotionPeriod => {
  const current = { startsAt: starts_at?.toISOString() ?? null, endsAt: ends_at?.toISOString() ?? null }
  const currentDays = daysOfPeriod(current, timeZone)
  const changed = periodOfDays(draft, timeZone)
  return {
    startsAt: draft.startsOn === currentDays.startsOn ? current.startsAt : changed.startsAt,
    endsAt: draft.endsOn === currentDays.endsOn ? current.endsAt : changed.endsAt,
  }
}

const writePromotion = async (
  tx: Transaction,
  { clock }: Deps,
  { key: { studioId, id }, change }: { key: PromotionKey; change: Partial<ReturnType<typeof columnsOf>> },
): Promise<void> => {
  await tx
    .updateTable('promotions')
    .set(({ eb }) => ({ ...change, updated_at: clock(), version: eb('version', '+', 1) }))
    .where('studio_id', '=', studioId)
    .where('id', '=', id)
    .execute()
}

const fixedMessage = 'This cannot be changed later. Create another promotion'

const fixedProblem = (field: keyof PromotionDraft): Problem<'refused'> =>
  problem('refused', fixedMessage, { fields: { [field]: [fixedMessage] } })

export type PromotionReplacement = {
  readonly key: PromotionKey
  readonly user: User
  readonly body: PromotionDraft & { readonly version?: number | undefined }
}

/** Replaces the terms of a promotion. Orders that used it are unaffected. */
export const replacePromotion = (
  deps: Deps,
  { key, user, body: { version, ...terms } }: PromotionReplacement,
): Promise<PromotionProblem | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const timeZone = await lockStudioCodes(tx, key.studioId)
    const promotion = await lockPromotion(tx, key)
    if (!promotion) return problem('not-found')
    if (isStale(promotion, version)) return problem('conflict')
    const draft = normalisePromotionDraft(terms)
    const codeUser = { studioId: key.studioId, jobId: promotion.job_id, exceptId: key.id }
    const invalid = await draftProblem(tx, codeUser, draft)
    if (invalid) return invalid
    if (draft.hasSingleUseCodes !== promotion.has_single_use_codes) return fixedProblem('hasSingleUseCodes')
    if (draft.isAutomatic !== promotion.is_automatic) return fixedProblem('isAutomatic')
    const change = columnsOf(draft, changedPeriod(draft, promotion, timeZone))
    await writePromotion(tx, deps, { key, change })
    await recordChange(tx, deps, { key, user, action: 'promotion.changed', code: draft.code })
    return undefined
  })

const endLocked = async (
  tx: Transaction,
  deps: Deps,
  { key, user, promotion }: { key: PromotionKey; user: User; promotion: LockedPromotion },
): Promise<void> => {
  const now = deps.clock()
  if (promotion.ends_at !== null && promotion.ends_at <= now) return
  const hasBegun = promotion.starts_at === null || promotion.starts_at < now
  const change = { ends_at: now.toISOString(), ...(!hasBegun && { starts_at: null }) }
  await writePromotion(tx, deps, { key, change })
  await recordChange(tx, deps, { key, user, action: 'promotion.ended', code: promotion.code })
}

/** Ends a promotion now. A payment that has reserved a use keeps its discount. */
export const endPromotion = (
  deps: Deps,
  { key, user }: { key: PromotionKey; user: User },
): Promise<Problem<'not-found'> | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const promotion = await lockPromotion(tx, key)
    if (!promotion) return problem('not-found')
    await endLocked(tx, deps, { key, user, promotion })
    return undefined
  })

/** Deletes a promotion, or ends it if a customer used it or tried to. */
export const removePromotion = (
  deps: Deps,
  { key, user }: { key: PromotionKey; user: User },
): Promise<{ outcome: 'removed' | 'ended' } | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const promotion = await lockPromotion(tx, key)
    if (!promotion) return problem('not-found')
    const { studioId, id } = key
    const used = tx
      .selectFrom('promotion_uses')
      .select('id')
      .where('studio_id', '=', studioId)
      .where('promotion_id', '=', id)
      .limit(1)
    if (await used.executeTakeFirst()) {
      await endLocked(tx, deps, { key, user, promotion })
      return { outcome: 'ended' }
    }
    await tx.deleteFrom('promotions').where('studio_id', '=', studioId).where('id', '=', id).execute()
    await recordChange(tx, deps, { key, user, action: 'promotion.removed', code: promotion.code })
    return { outcome: 'removed' }
  })

/** Copies a promotion under the next free code, switched off, so that it gives nothing before staff have checked it. */
export const duplicatePromotion = (
  deps: Deps,
  { key, user }: { key: PromotionKey; user: User },
): Promise<number | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const { studioId } = key
    await lockStudioCodes(tx, studioId)
    const promotion = await lockPromotion(tx, key)
    if (!promotion) return problem('not-found')
    const { job_id: jobId, starts_at, ends_at } = promotion
    let code = copiedPromotionCode(promotion.code)
    while ((await codeError(tx, { studioId, jobId, exceptId: 0, code })) !== null) code = copiedPromotionCode(code)
    const { name, kind, basis_points, amount_cents, minimum_cents, has_single_use_codes } = promotion
    const { package_ids, maximum_uses, maximum_uses_per_customer, is_automatic, is_stackable } = promotion
    const columns = {
      ...{ code, name, kind, basis_points, amount_cents, minimum_cents, has_single_use_codes },
      ...{ package_ids, maximum_uses, maximum_uses_per_customer, is_automatic, is_stackable },
      starts_at: starts_at?.toISOString() ?? null,
      ends_at: ends_at?.toISOString() ?? null,
      is_enabled: false,
    }
    const owner = jobId === null ? { studioId } : { studioId, jobId }
    return await insertPromotion(tx, deps, { owner, user, columns })
  })
