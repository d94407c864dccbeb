import { recoverSession } from '#local/recovery/recover-session.ts'
import { refreshCart } from '#local/transport/refresh-cart.ts'
import {
  comparableCart,
  doomedLines,
  expectedCart,
  matchesExpected,
  refusedLines,
  unrejectedLines,
} from './expected-cart.ts'
import { act, retry } from './perform-step.ts'
import { isFault, type Step } from './sequence-plan.ts'
import { carts, fail, type Run, readShownCart, start } from './sequence-run.ts'
import { uncaught } from './simulated-platform.ts'
import { settleWithoutTime } from './simulated-time.ts'

/** Without a sign of the network: the longest wait of a cart that failed often, and one more should it fail to a lost session. */
const healsWithinMs = 130_000

export type SequenceStats = { edits: number; faults: number }

const unsettled = ({ probe }: Run): Promise<number> =>
  settleWithoutTime(probe.db.outbox.where('state').anyOf('new', 'sent').count())

/** The line is whole again: without any sign of it, all that waits arrives. */
const heal = async (run: Run, why: string): Promise<void> => {
  const { phone, tell } = run
  tell(why)
  phone.server.faults.length = 0
  await phone.time.pass(healsWithinMs)
  const left = await unsettled(run)
  if (left > 0) fail(`${left} changes still wait`)
}

/** The customer opens each cart: what the server forgot meanwhile comes to light there, and is made good. */
const refreshCarts = async (run: Run): Promise<void> => {
  const [tab] = run.tabs
  const looking = (async () => {
    for (const key of carts) {
      const answer = await refreshCart(tab.db, tab.ask, key)
      if (!answer.ok) await recoverSession(tab.db, tab.ask, { locks: tab.locks, stamp: tab.stamp })
    }
    await tab.sender.wake('mutation')
  })()
  await run.phone.time.pass(60_000)
  await settleWithoutTime(looking)
  // What was refused for something that has passed by now is tried again by the customer.
  for (const said of run.said) {
    const doomed = doomedLines(said)
    for (const one of (await readShownCart(run, said.key)).refused)
      if (!doomed.has(one.lineId)) await retry(run, said, one)
  }
  void tab.sender.wake('mutation')
}

const checkEnd = async (run: Run): Promise<void> => {
  const { phone, said } = run
  for (const one of said) {
    const view = await readShownCart(run, one.key)
    const gone = new Set([...doomedLines(one), ...run.letGo])
    const there = phone.server.cart(one.key.jobId, one.key.orderMethod)
    if (!matchesExpected(there, one, gone))
      fail(
        `the server has\n  ${comparableCart(there)}\nand not what was said,\n  ${comparableCart(expectedCart(one, gone))}`,
      )
    if (comparableCart(view.cart) !== comparableCart(there))
      fail(`the screen shows\n  ${comparableCart(view.cart)}\nand not what the server has,\n  ${comparableCart(there)}`)
    const shown = refusedLines(view)
    const silent = unrejectedLines(one, run.letGo).filter((lineId) => !shown.has(lineId))
    if (silent.length > 0) fail(`${silent.join(', ')} was dropped without a word`)
    if (view.refused.some(({ refusal }) => refusal.message === '')) fail('something was refused without a reason')
    const kind = view.refused.length > 0 ? 'attention' : view.cart.cartPackages.length > 0 ? 'sent' : 'empty'
    if (view.status.kind !== kind) fail(`the status is ${view.status.kind}, not ${kind}`)
  }
  const doubled = [...phone.server.effects].filter(([, times]) => times > 1)
  if (doubled.length > 0) fail(`${doubled.map(([id]) => id).join(', ')} took effect more than once`)
  if (phone.wrong.length > 0) fail(phone.wrong.join('; '))
}

/** Plays one sequence; throws what it finds. */
export const play = async (
  seed: number,
  steps: readonly Step[],
  tell: Run['tell'] = () => {},
): Promise<SequenceStats> => {
  uncaught.length = 0
  const run = await start(seed, tell)
  try {
    for (const step of steps) await act(run, step)
    await heal(run, 'The line is whole again')
    await refreshCarts(run)
    await heal(run, 'The carts were looked at')
    await checkEnd(run)
  } finally {
    for (const tab of [run.probe, ...run.tabs]) tab.kill()
  }
  if (uncaught.length > 0) fail(`nobody caught ${String(uncaught[0])}`)
  return { edits: run.edits, faults: steps.filter(isFault).length }
}
