import { sql } from 'kysely'
import type { PaymentConnection } from '#contract/studio/studio.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { Problem, problem, studioNotFound } from '../http/problem.ts'
import type { LockedStudio } from './lock-studio.ts'
import type { StudioRequest } from './read-studio.ts'

/**
 * The path to which the provider's consent page redirects. It is the same for all studios, because the redirect URI is
 * registered with the provider.
 */
export const paymentReturnPath = '/api/payment-return'

type ConnectionColumns = Pick<LockedStudio, 'payment_account_id' | 'payment_connected_at'>

const toPaymentConnection = (
  { payment, paymentAccounts, address }: Deps,
  studio: ConnectionColumns,
): PaymentConnection => ({
  provider: payment.name,
  providerLabel: payment.label,
  account: studio.payment_account_id,
  connectedAt: studio.payment_connected_at?.toISOString() ?? null,
  connectAddress: paymentAccounts?.connectAddress(`${address()}${paymentReturnPath}`) ?? null,
})

const readConnection = (tx: Transaction | Deps['db'], studioId: number): Promise<ConnectionColumns | undefined> =>
  tx
    .selectFrom('studios')
    .select(['payment_account_id', 'payment_connected_at'])
    .where('id', '=', studioId)
    .executeTakeFirst()

/** Reads whether a studio's account is connected, and the URL to connect one. */
export const readPaymentConnection = async (
  deps: Deps,
  { studioId }: Pick<StudioRequest, 'studioId'>,
): Promise<PaymentConnection | Problem<'not-found'>> => {
  const studio = await readConnection(deps.db, studioId)
  return studio ? toPaymentConnection(deps, studio) : studioNotFound()
}

const cannotConnectMessage = ({ payment }: Deps): string =>
  payment.name === 'test'
    ? 'Test payments need no connection: no real money is taken here'
    : 'Accounts cannot be connected on this platform yet'

const writeConnection = async (
  deps: Deps,
  { studioId, user }: StudioRequest,
  account: string | null,
): Promise<PaymentConnection | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    // Serializes changes of an account, so that two studios do not both find it free.
    await sql`select pg_advisory_xact_lock(hashtext(${`payment account ${account}`}))`.execute(tx)
    const studiosWithAccount = tx.selectFrom('studios').select('id').where('payment_account_id', '=', account)
    if (account !== null && (await studiosWithAccount.where('id', '<>', studioId).executeTakeFirst()))
      return problem('refused', `This ${deps.payment.label} account belongs to another studio`)
    const current = await readConnection(tx, studioId)
    if (!current) return studioNotFound()
    if (current.payment_account_id === account) return toPaymentConnection(deps, current)
    const connection = { payment_account_id: account, payment_connected_at: account === null ? null : deps.clock() }
    await tx.updateTable('studios').set(connection).where('id', '=', studioId).execute()
    const action = account === null ? 'studio.payments-removed' : 'studio.payments-connected'
    const detail = { account: account ?? current.payment_account_id }
    await recordAudit(tx, deps, { studioId, action, entityId: String(studioId), detail, userId: user.id })
    return toPaymentConnection(deps, { ...current, ...connection })
  })

/** Lets wallets appear in the checkout. Without it customers still pay by card, so a failure is only logged. */
const registerDomain = async (deps: Deps, account: string): Promise<void> => {
  try {
    await deps.paymentAccounts?.registerDomain(account, new URL(deps.address()).hostname)
  } catch (error) {
    deps.log.warn({ err: error, account }, 'the domain could not be registered for wallets')
  }
}

/** Connects the account of an authorization code. Calls the provider before it locks any row. */
export const connectPaymentAccount = async (deps: Deps, request: StudioRequest, code: string) => {
  const { paymentAccounts } = deps
  if (!paymentAccounts) return problem('refused', cannotConnectMessage(deps))
  const current = await readPaymentConnection(deps, request)
  if (current instanceof Problem) return current
  const outcome = await paymentAccounts.connect(code)
  if (outcome.state !== 'connected') return problem('refused', outcome.message)
  const connection = await writeConnection(deps, request, outcome.account)
  if (!(connection instanceof Problem)) await registerDomain(deps, outcome.account)
  return connection
}

/** Disconnects the account. Earlier charges store their account, so they can still be refunded. */
export const removePaymentAccount = (deps: Deps, request: StudioRequest) => writeConnection(deps, request, null)
