import { isDeepStrictEqual } from 'node:util'
import { addHours } from 'date-fns/addHours'
import { subDays } from 'date-fns/subDays'
import { subHours } from 'date-fns/subHours'
import { sql } from 'kysely'
import { inTransaction, type Transaction } from '#server/database/database.ts'
import type { PullCursor } from '#server/database/tables/payout-tables.ts'
import type { Deps } from '#server/deps.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import { idPerPeriod } from '#server/queue/queue.ts'
import type { queues } from '#server/queue/queues.ts'
import type { AccountEntry, ProviderPayout, StatementPage } from '../port/payment-provider.ts'
import {
  compareEntries,
  comparePayout,
  compareSettled,
  missingAfterDays,
  recheckDifferences,
} from './compare-with-ledger.ts'
import { type AccountKey, insertEntries, writePayouts } from './write-statement.ts'

type Pull = AccountKey & { readonly startedAt: Date; readonly since: Date; readonly pulledUntil: Date | null }

/** Entries may appear this late in the provider's list. */
const overlapHours = 1
/** A payout changes its state for this long: banks return failed payouts within days. */
const payoutDays = 30
/** After this time an interrupted pull starts over, because it no longer knows the newest entries. */
const restartHours = 24

const accountRow = (tx: Transaction, { studioId, provider, account }: AccountKey) =>
  tx
    .selectFrom('payment_accounts')
    .selectAll()
    .where('studio_id', '=', studioId)
    .where('provider', '=', provider)
    .where('account', '=', account)
    .forUpdate()
    .executeTakeFirst()

const updateAccount = (tx: Transaction, { studioId, provider, account }: AccountKey) =>
  tx
    .updateTable('payment_accounts')
    .where('studio_id', '=', studioId)
    .where('provider', '=', provider)
    .where('account', '=', account)

/** The time of the first charge on an account; entries before it are not about orders. */
const firstChargeAt = async (
  tx: Transaction,
  { studioId, provider, account }: AccountKey,
): Promise<Date | undefined> => {
  const { rows } = await sql<{ at: Date }>`
    select created_at as at from ledger
     where studio_id = ${studioId} and kind = 'charge' and provider = ${provider} and account = ${account}
     order by created_at limit 1`.execute(tx)
  return rows[0]?.at
}

const firstPage: PullCursor = { list: 'entries', after: null }

/** Begins a pull, or continues an interrupted one; undefined if the account is unknown or has no charges. */
const beginPull = ({ db, clock }: Deps, key: AccountKey): Promise<{ pull: Pull; cursor: PullCursor } | undefined> =>
  inTransaction(db, async (tx) => {
    const row = await accountRow(tx, key)
    const firstAt = row?.pulled_until ?? (await firstChargeAt(tx, key))
    if (!row || !firstAt) return undefined
    const pull = { ...key, since: subHours(firstAt, overlapHours), pulledUntil: row.pulled_until }
    const { pull_started_at: startedAt, pull_cursor: cursor } = row
    if (startedAt && cursor && clock() < addHours(startedAt, restartHours))
      return { pull: { ...pull, startedAt }, cursor }
    const now = clock()
    await updateAccount(tx, key)
      .set({ pull_started_at: now, pull_cursor: JSON.stringify(firstPage) })
      .execute()
    return { pull: { ...pull, startedAt: now }, cursor: firstPage }
  })

type PulledPage = { entries: readonly AccountEntry[]; payouts: readonly ProviderPayout[]; next: string | null }

const readPage = async ({ paymentStatements }: Deps, pull: Pull, cursor: PullCursor): Promise<PulledPage> => {
  const { account, since } = pull
  const { after } = cursor
  const withEntries = ({ items, next }: StatementPage<AccountEntry>) => ({ entries: items, payouts: [], next })
  if (cursor.list === 'entries') return withEntries(await paymentStatements.listEntries({ account, since, after }))
  if (cursor.list === 'payoutEntries')
    return withEntries(await paymentStatements.listPayoutEntries({ account, payout: cursor.payout, after }))
  const { items, next } = await paymentStatements.listPayouts({ account, since: subDays(since, payoutDays), after })
  return { entries: [], payouts: items, next }
}

/** The first payout whose entries are not known yet; undefined if there is none. */
const nextPayout = async (
  tx: Transaction,
  { studioId, provider, account }: AccountKey,
): Promise<PullCursor | undefined> => {
  const payout = await tx
    .selectFrom('payouts')
    .select(['id', 'reference'])
    .where('studio_id', '=', studioId)
    .where('provider', '=', provider)
    .where('account', '=', account)
    .where('has_entries', '=', true)
    .where('is_itemized', '=', false)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return payout && { list: 'payoutEntries', payoutId: payout.id, payout: payout.reference, after: null }
}

/** Stores a page. Returns where the pull continues; undefined after the last page. */
const writePage = async (
  tx: Transaction,
  deps: Deps,
  { pull, cursor, page }: { pull: Pull; cursor: PullCursor; page: PulledPage },
): Promise<PullCursor | undefined> => {
  const payoutId = cursor.list === 'payoutEntries' ? cursor.payoutId : null
  await insertEntries(tx, pull, { entries: page.entries, payoutId })
  await writePayouts(tx, pull, page.payouts)
  await compareEntries(tx, deps, pull, page.entries)
  if (page.next !== null) return { ...cursor, after: page.next }
  if (cursor.list === 'entries') return { list: 'payouts', after: null }
  if (payoutId !== null) await comparePayout(tx, deps, pull, payoutId)
  return await nextPayout(tx, pull)
}

const finishPull = async (tx: Transaction, deps: Deps, pull: Pull): Promise<void> => {
  const { startedAt, pulledUntil } = pull
  await recheckDifferences(tx, deps, pull)
  await compareSettled(tx, deps, pull, {
    from: pulledUntil && subDays(pulledUntil, missingAfterDays + 1),
    until: subDays(startedAt, missingAfterDays),
  })
  await updateAccount(tx, pull).set({ pulled_until: startedAt, pull_started_at: null, pull_cursor: null }).execute()
}

/** Stores a page and the cursor after it. Returns that cursor; undefined if the pull is finished, or if another worker is ahead. */
const advance = (
  deps: Deps,
  progress: { pull: Pull; cursor: PullCursor; page: PulledPage },
): Promise<PullCursor | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const { pull, cursor } = progress
    const row = await accountRow(tx, pull)
    const isAhead = row?.pull_started_at?.getTime() !== pull.startedAt.getTime()
    if (isAhead || !isDeepStrictEqual(row?.pull_cursor, cursor)) return undefined
    const next = await writePage(tx, deps, progress)
    if (next)
      await updateAccount(tx, pull)
        .set({ pull_cursor: JSON.stringify(next) })
        .execute()
    else await finishPull(tx, deps, pull)
    return next
  })

/**
 * Reads what is new in the provider's books of an account, page by page: entries, payouts, and the entries of each payout. Each page is stored
 * with the position after it, so an interrupted pull continues where it was. What is stored twice changes nothing.
 */
export const pullStatement = async (deps: Deps, key: AccountKey): Promise<void> => {
  const begun = await beginPull(deps, key)
  if (!begun) return
  let cursor: PullCursor | undefined = begun.cursor
  while (cursor) {
    const page: PulledPage = await readPage(deps, begun.pull, cursor)
    cursor = await advance(deps, { pull: begun.pull, cursor, page })
  }
}

const pullEveryHours = 20

/** Refunds, disputes and payouts may follow this long after the last charge of an account that was disconnected. */
const disconnectedDays = 180

/** Enqueues a pull of each account of the configured provider that is connected, or was charged not long ago. */
export const enqueueStatementPulls = (deps: Deps): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const { rows: accounts } = await sql<{ studioId: number; account: string }>`
      select a.studio_id as "studioId", a.account
        from payment_accounts a join studios s on s.id = a.studio_id
       where a.provider = ${deps.payment.name} and (s.payment_account_id = a.account or exists (
         select from ledger l where l.studio_id = a.studio_id and l.provider = a.provider and l.account = a.account
            and l.kind = 'charge' and l.created_at > ${subDays(deps.clock(), disconnectedDays)}))`.execute(tx)
    for (const { studioId, account } of accounts) {
      const id = idPerPeriod(`pull-statement ${studioId} ${account}`, { now: deps.clock(), hours: pullEveryHours })
      await deps.jobs.enqueue(tx, 'pull-statement', { studioId, account }, { id })
    }
  })

export const startStatementWorkers = async (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> => {
  await jobs.work('enqueue-statement-pulls', 1, () => enqueueStatementPulls(deps))
  await jobs.work('pull-statement', 1, ({ payload }) =>
    pullStatement(deps, { ...payload, provider: deps.payment.name }),
  )
}
