import { sql } from 'kysely'
import type { PaymentConnection } from '#contract/studio/studio.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem, studioNotFound } from '../http/problem.ts'
import type { LockedStudio } from './lock-studio.ts'
import type { StudioRequest } from './read-studio.ts'

/** The redirect URI of the provider's consent page, one for all studios, because it is registered with the provider. */
export const paymentReturnPath = '/api/stripe-return'

type Connection = Pick<LockedStudio, 'stripe_account_id' | 'stripe_connected_at'>

const connectionOf = ({ payment, paymentAccounts, address }: Deps, studio: Connection): PaymentConnection => ({
  provider: payment.name,
  account: studio.stripe_account_id,
  connectedAt: studio.stripe_connected_at?.toISOString() ?? null,
  connectAddress: paymentAccounts?.connectAddress(`${address()}${paymentReturnPath}`) ?? null,
})

const readConnection = (tx: Transaction | Deps['db'], studioId: number): Promise<Connection | undefined> =>
  tx
    .selectFrom('studios')
    .select(['stripe_account_id', 'stripe_connected_at'])
    .where('id', '=', studioId)
    .executeTakeFirst()

/** Whether a studio's account is connected, and the URL to connect one. */
export const readPaymentConnection = async (
  deps: Deps,
  { studioId }: Pick<StudioRequest, 'studioId'>,
): Promise<PaymentConnection | Problem<'not-found'>> => {
  const studio = await readConnection(deps.db, studioId)
  return studio ? connectionOf(deps, studio) : studioNotFound()
}

const cannotConnectMessages = {
  test: 'Test payments need no connection: no real money is taken here',
  stripe: 'Accounts cannot be connected on this platform yet',
} as const

const takenMessage = 'This Stripe account belongs to another studio'

const writeConnection = async (
  deps: Deps,
  { studioId, user }: StudioRequest,
  account: string | null,
): Promise<PaymentConnection | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    // Serializes changes of an account, so that two studios do not both find it free.
    await sql`select pg_advisory_xact_lock(hashtext(${`payment account ${account}`}))`.execute(tx)
    const other = tx.selectFrom('studios').select('id').where('stripe_account_id', '=', account)
    if (account !== null && (await other.where('id', '<>', studioId).executeTakeFirst()))
      return problem('refused', takenMessage)
    const before = await readConnection(tx, studioId)
    if (!before) return studioNotFound()
    if (before.stripe_account_id === account) return connectionOf(deps, before)
    const connection = { stripe_account_id: account, stripe_connected_at: account === null ? null : deps.clock() }
    await tx.updateTable('studios').set(connection).where('id', '=', studioId).execute()
    const action = account === null ? 'studio.payments-removed' : 'studio.payments-connected'
    const detail = { account: account ?? before.stripe_account_id }
    await recordAudit(tx, deps, { studioId, action, entityId: String(studioId), detail, userId: user.id })
    return connectionOf(deps, { ...before, ...connection })
  })

/** Connects the account of an authorization code. Calls the provider before anything is locked. */
export const connectPaymentAccount = async (deps: Deps, request: StudioRequest, code: string) => {
  const { paymentAccounts, payment } = deps
  if (!paymentAccounts) return problem('refused', cannotConnectMessages[payment.name])
  const before = await readPaymentConnection(deps, request)
  if (before instanceof Problem) return before
  const outcome = await paymentAccounts.connect(code)
  return outcome.state === 'connected'
    ? await writeConnection(deps, request, outcome.account)
    : problem('refused', outcome.message)
}

/** Disconnects the account. Earlier charges store the account they were made on, so they can still be refunded. */
export const removePaymentAccount = (deps: Deps, request: StudioRequest) => writeConnection(deps, request, null)
