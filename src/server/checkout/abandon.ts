import type { AttemptOutcome } from '../../contract/checkout.ts'
import type { Visit } from '../admission/grants.ts'
import { note } from '../audit/note.ts'
import type { Transaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { type Attempt, isOpen, readAttempt } from './attempts.ts'
import { lockCart, methodOfCheckout, orderOfCheckout } from './keep-checkout.ts'
import { ask, close } from './provider.ts'
import { mine } from './submit.ts'

type AttemptRef = { readonly attemptId: string; readonly checkoutId: string }
type Outcome = AttemptOutcome | Problem<'not-found'>

const givenUpMessage = 'You chose not to pay this. Nothing was charged'

const unfinished: AttemptOutcome = { state: 'unfinished', orderNumber: null }
const ended: AttemptOutcome = { state: 'ended', orderNumber: null }

const outcomeOf = ({ state, orderNumber }: Attempt): AttemptOutcome => {
  if (orderNumber !== null) return { state: 'ordered', orderNumber }
  if (state === 'requires_action') return unfinished
  return state === 'declined' || state === 'abandoned' ? ended : { state: 'charging', orderNumber: null }
}

/** What became of an attempt, by the provider's record where it is still open; charges nothing. */
export const outcomeOfAttempt = async (deps: Deps, visit: Visit, ref: AttemptRef): Promise<Outcome> => {
  const attempt = await readAttempt(deps.db, { studioId: visit.job.studioId, attemptId: ref.attemptId })
  if (attempt && !mine(attempt, visit)) return problem('not-found')
  const done = await orderOfCheckout(deps, visit, ref.checkoutId)
  if (done) return { state: 'ordered', orderNumber: done.orderNumber }
  if (!attempt) return (await methodOfCheckout(deps, visit, ref.checkoutId)) ? unfinished : problem('not-found')
  return outcomeOf(isOpen(attempt) ? await ask(deps, attempt) : attempt)
}

/**
 * Records an attempt as given up before its request arrived, so that the request can never charge. Locks the cart first, as `beginAttempt` does:
 * whichever comes first, the other sees its row. Once the checkout is no longer the cart's, the request finds nothing to charge for.
 */
const recordGivenUp = async (
  tx: Transaction,
  deps: Deps,
  { visit: { session, job }, ref }: { visit: Visit; ref: AttemptRef },
): Promise<void> => {
  const { studioId } = job
  const { attemptId, checkoutId } = ref
  const orderMethod = await methodOfCheckout({ db: tx }, { session, job }, checkoutId)
  const cart = orderMethod && (await lockCart(tx, { session, job, orderMethod }))
  if (!cart || cart.checkout_id !== checkoutId) return
  const at = deps.clock()
  const recorded = await tx
    .insertInto('payment_attempts')
    .values({
      studio_id: studioId,
      id: attemptId,
      checkout_id: checkoutId,
      state: 'abandoned',
      pay_method: 'card',
      provider: deps.payment.name,
      amount_cents: 0,
      totals: '{}',
      decline_message: givenUpMessage,
      settled_at: at,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (recorded)
    await note(tx, deps, {
      studioId,
      action: 'payment.abandoned',
      entityId: attemptId,
      detail: { checkoutId },
      sessionId: session.id,
    })
}

/** Gives an attempt up for good. Where it was charged meanwhile its order is the answer; where the provider is silent it stays `charging`. */
export const abandon = async (deps: Deps, visit: Visit, ref: AttemptRef): Promise<Outcome> => {
  const before = await outcomeOfAttempt(deps, visit, ref)
  if (!('state' in before) || before.state === 'ordered' || before.state === 'ended') return before
  const key = { studioId: visit.job.studioId, attemptId: ref.attemptId }
  if (!(await readAttempt(deps.db, key))) await inTransaction(deps.db, (tx) => recordGivenUp(tx, deps, { visit, ref }))
  const attempt = await readAttempt(deps.db, key)
  if (!attempt) return ended
  return outcomeOf(isOpen(attempt) ? await close(deps, attempt) : attempt)
}
