import { recoverSession } from '#local/recovery/recover-session.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import {
  comparableCart,
  doomedLines,
  expectedCart,
  expectedRejectedLines,
  matchesExpected,
  rejectedLinesOf,
} from './expected-cart.ts'
import { performStep, retry } from './perform-step.ts'
import { isFault, type Step } from './sequence-plan.ts'
import { carts, fail, type Run, readShownCart, start } from './sequence-run.ts'
import { uncaught } from './simulated-platform.ts'
import { settleWithoutTime } from './simulated-time.ts'

/**
 * Covers the longest back-off of a cart and another one after a lost session, because no network signal ends them early.
 */
const recoveryMs = 130_000

export type SequenceStats = { editCount: number; faultCount: number }

const unsettled = ({ probe }: Run): Promise<number> =>
  settleWithoutTime(probe.db.outbox.where('state').anyOf('new', 'sent').count())

/** Ends all faults, and fails unless all pending mutations are then settled, although no signal wakes the sender. */
const waitForRecovery = async (run: Run, why: string): Promise<void> => {
  const { phone, log } = run
  log(why)
  phone.server.faults.length = 0
  await phone.time.pass(recoveryMs)
  const pending = await unsettled(run)
  if (pending > 0) fail(`${pending} changes are still pending`)
}

/** Opens each cart as the customer does: data that the server lost is noticed and sent again. */
const refreshCarts = async (run: Run): Promise<void> => {
  const [tab] = run.tabs
  const refreshing = (async () => {
    for (const key of carts) {
      const answer = await refreshCart(tab.db, tab.ask, key)
      if (!answer.ok) await recoverSession(tab.db, tab.ask, { locks: tab.locks, stamp: tab.stamp })
    }
    await tab.sender.wake('mutation')
  })()
  await run.phone.time.pass(60_000)
  await settleWithoutTime(refreshing)
  // The customer retries mutations that were rejected for a temporary reason.
  for (const expected of run.expectedCarts) {
    const doomed = doomedLines(expected)
    for (const rejection of (await readShownCart(run, expected.key)).rejected)
      if (!doomed.has(rejection.lineId)) await retry(run, expected, rejection)
  }
  void tab.sender.wake('mutation')
}

const checkEnd = async (run: Run): Promise<void> => {
  const { phone, expectedCarts } = run
  for (const expected of expectedCarts) {
    const view = await readShownCart(run, expected.key)
    const excludedLines = new Set([...doomedLines(expected), ...run.discardedLines])
    const serverCart = phone.server.cart(expected.key.jobId, expected.key.orderMethod)
    if (!matchesExpected(serverCart, expected, excludedLines))
      fail(
        `the server has\n  ${comparableCart(serverCart)}\ninstead of the confirmed changes,\n  ${comparableCart(expectedCart(expected, excludedLines))}`,
      )
    if (comparableCart(view.cart) !== comparableCart(serverCart))
      fail(
        `the screen shows\n  ${comparableCart(view.cart)}\ninstead of what the server has,\n  ${comparableCart(serverCart)}`,
      )
    const rejectedLineIds = rejectedLinesOf(view)
    const droppedSilently = expectedRejectedLines(expected, run.discardedLines).filter(
      (lineId) => !rejectedLineIds.has(lineId),
    )
    if (droppedSilently.length > 0) fail(`${droppedSilently.join(', ')} was dropped silently`)
    if (view.rejected.some(({ rejection }) => rejection.message === '')) fail('a change was rejected without a reason')
    const kind = view.rejected.length > 0 ? 'attention' : view.cart.cartPackages.length > 0 ? 'sent' : 'empty'
    if (view.status.kind !== kind) fail(`the status is ${view.status.kind}, not ${kind}`)
  }
  const repeatedEffects = [...phone.server.effects].filter(([, times]) => times > 1)
  if (repeatedEffects.length > 0) fail(`${repeatedEffects.map(([id]) => id).join(', ')} took effect more than once`)
  if (phone.violations.length > 0) fail(phone.violations.join('; '))
}

/** Plays one sequence; throws on the first violation. */
export const play = async (
  seed: number,
  steps: readonly Step[],
  log: Run['log'] = () => {},
): Promise<SequenceStats> => {
  uncaught.length = 0
  const run = await start(seed, log)
  try {
    for (const step of steps) await performStep(run, step)
    await waitForRecovery(run, 'The network works again')
    await refreshCarts(run)
    await waitForRecovery(run, 'The carts were opened')
    await checkEnd(run)
  } finally {
    for (const tab of [run.probe, ...run.tabs]) tab.kill()
  }
  if (uncaught.length > 0) fail(`an error was not caught: ${String(uncaught[0])}`)
  return { editCount: run.editCount, faultCount: steps.filter(isFault).length }
}
