import { sql } from 'kysely'
import type { PaymentConnection } from '#contract/studio/studio.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem, studioNotFound } from '../http/problem.ts'
import type { LockedStudio } from './lock-studio.ts'
import type { StudioRequest } from './read-studio.ts'

/** Where the provider's page leads back to: one address for all studios, for it has to be known there. */
export const paymentReturnPath = '/api/stripe-return'

type Connection = Pick<LockedStudio, 'stripe_account_id' | 'stripe_connected_at'>

const connectionOf = ({ payment, paymentAccounts, address }: Deps, studio: Connection): PaymentConnection => ({
  provider: payment.name,
  account: studio.stripe_account_id,
  connectedAt: studio.stripe_connected_at?.toISOString() ?? null,
  connectAddress: paymentAccounts?.connectAddress(`${address()}${paymentReturnPath}`) ?? null,
})

const find = (tx: Transaction | Deps['db'], studioId: number): Promise<Connection | undefined> =>
  tx
    .selectFrom('studios')
    .select(['stripe_account_id', 'stripe_connected_at'])
    .where('id', '=', studioId)
    .executeTakeFirst()

/** Whether a studio's account is connected, and where it could be. */
export const readPaymentConnection = async (
  deps: Deps,
  { studioId }: Pick<StudioRequest, 'studioId'>,
): Promise<PaymentConnection | Problem<'not-found'>> => {
  const studio = await find(deps.db, studioId)
  return studio ? connectionOf(deps, studio) : studioNotFound()
}

const nothingToConnect = {
  test: 'Test payments need no connection: no real money is taken here',
  stripe: 'Accounts cannot be connected on this platform yet',
} as const

const taken = 'This Stripe account belongs to another studio'

const write = async (
  deps: Deps,
  { studioId, user }: StudioRequest,
  account: string | null,
): Promise<PaymentConnection | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    // One account, one studio: two must not both find it free.
    await sql`select pg_advisory_xact_lock(hashtext(${`payment account ${account}`}))`.execute(tx)
    const other = tx.selectFrom('studios').select('id').where('stripe_account_id', '=', account)
    if (account !== null && (await other.where('id', '<>', studioId).executeTakeFirst()))
      return problem('refused', taken)
    const before = await find(tx, studioId)
    if (!before) return studioNotFound()
    if (before.stripe_account_id === account) return connectionOf(deps, before)
    const connection = { stripe_account_id: account, stripe_connected_at: account === null ? null : deps.clock() }
    await tx.updateTable('studios').set(connection).where('id', '=', studioId).execute()
    const action = account === null ? 'studio.payments-removed' : 'studio.payments-connected'
    const detail = { account: account ?? before.stripe_account_id }
    await recordAudit(tx, deps, { studioId, action, entityId: String(studioId), detail, userId: user.id })
    return connectionOf(deps, { ...before, ...connection })
  })

/** Connects the account a code was given for. The provider is asked before anything is locked. */
export const connectPaymentAccount = async (deps: Deps, asked: StudioRequest, code: string) => {
  const { paymentAccounts, payment } = deps
  if (!paymentAccounts) return problem('refused', nothingToConnect[payment.name])
  const before = await readPaymentConnection(deps, asked)
  if (before instanceof Problem) return before
  const told = await paymentAccounts.connect(code)
  return told.state === 'connected' ? await write(deps, asked, told.account) : problem('refused', told.message)
}

/** Lets go of the account. Charges of before name the one they were made on, so that they can still be given back. */
export const removePaymentAccount = (deps: Deps, asked: StudioRequest) => write(deps, asked, null)
