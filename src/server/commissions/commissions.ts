import { sql } from 'kysely'
import type { CommissionPayment, CommissionRate, Commissions } from '#contract/studio/payments/commissions.ts'
import { fixFieldsMessage, isValid, validate } from '#domain/shared/validators.ts'
import { wallClock } from '#domain/shared/wall-clock.ts'
import { type CommissionRateDraft, commissionMessages, commissionRateRules } from '#domain/studio/commission-rate.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { accrueCommissions } from './accrue-commissions.ts'

export type OrganizationKey = { readonly studioId: number; readonly organizationId: number }

export type LockedOrganization = { readonly tx: Transaction; readonly key: OrganizationKey; readonly today: string }

/** Locks an organization while its commissions are written or read. `today` is in the studio's time zone. */
export const withOrganization = <Result>(
  deps: Deps,
  key: OrganizationKey,
  work: (locked: LockedOrganization) => Promise<Result>,
): Promise<Result | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const organization = await tx
      .selectFrom('organizations')
      .innerJoin('studios', 'studios.id', 'organizations.studio_id')
      .select('studios.time_zone')
      .where('organizations.studio_id', '=', key.studioId)
      .where('organizations.id', '=', key.organizationId)
      .forUpdate('organizations')
      .executeTakeFirst()
    if (!organization) return problem('not-found')
    return await work({ tx, key, today: wallClock(deps.clock().toISOString(), organization.time_zone).slice(0, 10) })
  })

const readRates = async ({ tx, key, today }: LockedOrganization): Promise<CommissionRate[]> => {
  const { rows } = await sql<CommissionRate>`
    select r.id, r.job_id as "jobId", j.name as "jobName", r.kind, r.basis_points as "basisPoints",
           r.amount_cents as "amountCents", r.starts_on::text as "startsOn", r.starts_on <= ${today}::date as "hasBegun"
      from commission_rates r left join jobs j on j.studio_id = r.studio_id and j.id = r.job_id
     where r.studio_id = ${key.studioId} and r.organization_id = ${key.organizationId}
     order by r.starts_on desc, r.id desc`.execute(tx)
  return rows
}

const readPayments = async ({ tx, key }: LockedOrganization): Promise<CommissionPayment[]> => {
  const { rows } = await sql<CommissionPayment>`
    select id, through_day::text as "throughDay", paid_on::text as "paidOn", amount_cents as "amountCents", note
      from commission_payments where studio_id = ${key.studioId} and organization_id = ${key.organizationId}
     order by paid_on desc, id desc`.execute(tx)
  return rows
}

const readJobs = ({ tx, key }: LockedOrganization) =>
  tx
    .selectFrom('jobs')
    .select(['id', 'name'])
    .where('studio_id', '=', key.studioId)
    .where('organization_id', '=', key.organizationId)
    .where('archived_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()

/** The sum that is owed for what was settled through a day of the studio's time zone, or in all. */
const readOwed = async ({ tx, key }: LockedOrganization, throughDay: string | null): Promise<number> => {
  const { rows } = await sql<{ owed: number }>`
    select coalesce(sum(e.commission_cents), 0)::bigint as owed
      from commission_entries e join studios s on s.id = e.studio_id
     where e.studio_id = ${key.studioId} and e.organization_id = ${key.organizationId} and e.payment_id is null
       and (${throughDay}::date is null or (e.settled_at at time zone s.time_zone)::date <= ${throughDay}::date)`.execute(
    tx,
  )
  return rows[0]?.owed ?? 0
}

const readAll = async (locked: LockedOrganization): Promise<Commissions> => {
  await accrueCommissions(locked.tx, locked.key)
  return {
    rates: await readRates(locked),
    jobs: await readJobs(locked),
    payments: await readPayments(locked),
    owedCents: await readOwed(locked, null),
    today: locked.today,
  }
}

/** Reads the rates and payments of an organization, and what is owed to it. */
export const readCommissions = (deps: Deps, key: OrganizationKey): Promise<Commissions | Problem<'not-found'>> =>
  withOrganization(deps, key, readAll)

const fieldProblem = (field: keyof CommissionRateDraft, message: string): Problem<'refused'> =>
  problem('refused', message, { fields: { [field]: [message] } })

type CommissionAction = 'commission-rate.made' | 'commission-rate.removed' | 'commission.paid' | 'commission.unpaid'

const audit = (
  { tx, key }: LockedOrganization,
  deps: Deps,
  entry: { action: CommissionAction; user: User; detail: object },
) =>
  recordAudit(tx, deps, {
    studioId: key.studioId,
    action: entry.action,
    entityId: String(key.organizationId),
    detail: { ...entry.detail },
    userId: entry.user.id,
  })

/** Whether orders of the organization may have been placed under earlier rates, which a rate from a past day would change. */
const hasRates = async ({ tx, key }: LockedOrganization): Promise<boolean> => {
  const rates = tx.selectFrom('commission_rates').select('id').where('studio_id', '=', key.studioId)
  return (await rates.where('organization_id', '=', key.organizationId).limit(1).executeTakeFirst()) !== undefined
}

const isJobOf = async ({ tx, key }: LockedOrganization, jobId: number): Promise<boolean> => {
  const job = tx.selectFrom('jobs').select('id').where('studio_id', '=', key.studioId).where('id', '=', jobId)
  return (await job.where('organization_id', '=', key.organizationId).executeTakeFirst()) !== undefined
}

/**
 * Adds a rate. Only the first rate of an organization may begin in the past, so that no commission changes that was paid or
 * shown before.
 */
export const addCommissionRate = (
  deps: Deps,
  key: OrganizationKey,
  { user, draft }: { user: User; draft: CommissionRateDraft },
) =>
  withOrganization(deps, key, async (locked) => {
    const { tx, today } = locked
    const fields = validate(draft, commissionRateRules)
    if (!isValid(fields)) return problem('refused', fixFieldsMessage, { fields })
    if (draft.jobId !== null && !(await isJobOf(locked, draft.jobId))) return problem('not-found')
    if (draft.startsOn < today && (await hasRates(locked))) return fieldProblem('startsOn', commissionMessages.past)
    const isPercent = draft.kind === 'percent'
    const added = await tx
      .insertInto('commission_rates')
      .values({
        studio_id: key.studioId,
        organization_id: key.organizationId,
        job_id: draft.jobId,
        kind: draft.kind,
        basis_points: isPercent ? draft.basisPoints : null,
        amount_cents: isPercent ? null : draft.amountCents,
        starts_on: draft.startsOn,
        made_by: user.id,
        created_at: deps.clock(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return fieldProblem('startsOn', commissionMessages.taken)
    await audit(locked, deps, { action: 'commission-rate.made', user, detail: { ...draft } })
    return await readAll(locked)
  })

type Removal = { readonly user: User; readonly id: number }

/** Deletes a rate that has not begun. */
export const removeCommissionRate = (deps: Deps, key: OrganizationKey, { user, id }: Removal) =>
  withOrganization(deps, key, async (locked) => {
    const rate = (await readRates(locked)).find((candidate) => candidate.id === id)
    if (!rate) return problem('not-found')
    if (rate.hasBegun) return problem('refused', commissionMessages.begun)
    await locked.tx.deleteFrom('commission_rates').where('studio_id', '=', key.studioId).where('id', '=', id).execute()
    await audit(locked, deps, { action: 'commission-rate.removed', user, detail: { rateId: id } })
    return await readAll(locked)
  })

type PaymentDraft = Omit<CommissionPayment, 'id'>

/** Marks everything as paid that is owed through a day; a conflict if that is another sum than staff saw. */
export const addCommissionPayment = (
  deps: Deps,
  key: OrganizationKey,
  { user, draft }: { user: User; draft: PaymentDraft },
) =>
  withOrganization(deps, key, async (locked) => {
    const { tx, today } = locked
    if (draft.throughDay > today || draft.paidOn > today) {
      const field = draft.throughDay > today ? 'throughDay' : 'paidOn'
      return problem('refused', commissionMessages.future, { fields: { [field]: [commissionMessages.future] } })
    }
    await accrueCommissions(tx, key)
    const owedCents = await readOwed(locked, draft.throughDay)
    if (owedCents <= 0) return problem('refused', commissionMessages.nothingOwed)
    if (owedCents !== draft.amountCents) return problem('conflict')
    const { id } = await tx
      .insertInto('commission_payments')
      .values({
        studio_id: key.studioId,
        organization_id: key.organizationId,
        through_day: draft.throughDay,
        paid_on: draft.paidOn,
        amount_cents: owedCents,
        note: draft.note.trim(),
        made_by: user.id,
        created_at: deps.clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      update commission_entries e set payment_id = ${id} from studios s
       where s.id = e.studio_id and e.studio_id = ${key.studioId} and e.organization_id = ${key.organizationId} and e.payment_id is null
         and (e.settled_at at time zone s.time_zone)::date <= ${draft.throughDay}::date`.execute(tx)
    await audit(locked, deps, { action: 'commission.paid', user, detail: { ...draft, paymentId: id } })
    return await readAll(locked)
  })

/** Removes a payment that was marked by mistake. */
export const removeCommissionPayment = (deps: Deps, key: OrganizationKey, { user, id }: Removal) =>
  withOrganization(deps, key, async (locked) => {
    const removed = await locked.tx
      .deleteFrom('commission_payments')
      .where('studio_id', '=', key.studioId)
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', id)
      .returning(['id', 'amount_cents', 'paid_on'])
      .executeTakeFirst()
    if (!removed) return problem('not-found')
    await audit(locked, deps, { action: 'commission.unpaid', user, detail: removed })
    return await readAll(locked)
  })
